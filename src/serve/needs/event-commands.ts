// The commands of a person's own that hear of events (`on` in config.json). Owns: how many run, and which wait. They run as the
// daemon does, outside every session. What programs and agents wrote comes as JSON on standard input and in two variables,
// never as an argument.
import { clipped } from "../../core/base/head-tail.ts";
import { marked } from "../../core/base/invisible.ts";
import type { Redactor } from "../../core/redact/redactor.ts";
import { runEventCommand } from "../../host/process/event-command.ts";
import type { Need } from "../../protocol/words/need.ts";
import type { Transition } from "../../protocol/words/transition.ts";
import type { Config } from "../config.ts";
import type { Log } from "../log.ts";
import { SESSION_VARIABLE } from "../markers.ts";
import { noticeFor } from "./notices.ts";

/** A notification takes milliseconds, a message over the network a few seconds. */
const LIMIT_MS = 10_000;
/** So many of one event at once: a storm of events must not become a storm of processes. */
const AT_ONCE_MAX = 2;
/** More are not worth waiting for; the log tells of each that is left out. */
const WAITING_MAX = 100;
/** So many of one session: what a program says must not crowd out the others. */
const WAITING_OF_ONE_MAX = 10;
const TEXT_CHARS_MAX = 160;

type Event = keyof NonNullable<Config["on"]>;

interface Told {
  readonly event: Event;
  readonly session_id: string | null;
  readonly title: string;
  readonly body: string;
  readonly json: object;
}

interface EventCommandsParts {
  readonly commands: Config["on"];
  readonly env: NodeJS.ProcessEnv;
  readonly eyes: Redactor;
  readonly log: Log;
  /** The folder that they run in. */
  readonly cwd: string;
}

export class EventCommands {
  #parts: EventCommandsParts;
  #lanes = new Map<Event, { readonly waiting: Told[]; running: number }>();
  #ending = new AbortController();

  constructor(parts: EventCommandsParts) {
    this.#parts = parts;
  }

  need(need: Need): void {
    const { tag, title, body, session_id } = noticeFor(need, this.#parts.eyes);
    this.#add({ event: "needs", session_id, title, body, json: { event: "needs", ...need, tag, title, body } });
  }

  transition(one: Transition): void {
    if (one.kind === "need") return;
    const { kind: event, session_id, name, from, to, who, why } = one;
    const seen = (text: string) => clipped(marked(this.#parts.eyes.text(text), { controls: "text" }), TEXT_CHARS_MAX);
    const title = seen(`${name ?? session_id ?? ""}: ${who ?? event} ${from ?? "-"} → ${to ?? "-"}`);
    this.#add({ event, session_id, title, body: seen(why ?? ""), json: { event, ...one } });
  }

  #add(told: Told): void {
    if (!this.#parts.commands?.[told.event]) return;
    const { waiting } = this.#lane(told.event);
    const own = waiting.filter(({ session_id }) => session_id !== null && session_id === told.session_id);
    if (waiting.length >= WAITING_MAX || own.length >= WAITING_OF_ONE_MAX)
      return this.#parts.log.say("error", "too many events for their command; one was left out", { event: told.event });
    waiting.push(told);
    this.#next(told.event);
  }

  /** A command that hangs keeps only its own event waiting. */
  #lane(event: Event) {
    const lane = this.#lanes.get(event) ?? { waiting: [], running: 0 };
    this.#lanes.set(event, lane);
    return lane;
  }

  #next(event: Event): void {
    const lane = this.#lane(event);
    const told = lane.running < AT_ONCE_MAX && !this.#ending.signal.aborted ? lane.waiting.shift() : undefined;
    if (!told) return;
    lane.running += 1;
    this.#run(told)
      .catch((error: unknown) => this.#parts.log.error(error))
      .finally(() => {
        lane.running -= 1;
        this.#next(event);
      });
  }

  /** Ends those that run. */
  stop(): void {
    this.#ending.abort();
  }

  async #run({ event, session_id, title, body, json }: Told): Promise<void> {
    const { commands, env, eyes, cwd } = this.#parts;
    const own = { DUETTY_EVENT: event, DUETTY_SESSION: session_id ?? "", DUETTY_TITLE: title, DUETTY_BODY: body };
    const { how, output } = await runEventCommand({
      argv: commands?.[event] ?? [],
      cwd,
      // No token, and no sign of a session that the daemon may have been started from.
      env: { ...env, DUETTY_TOKEN: undefined, [SESSION_VARIABLE]: undefined, ...own },
      stdin: `${JSON.stringify(eyes.event(json))}\n`,
      limitMs: LIMIT_MS,
      signal: this.#ending.signal,
    });
    if (how !== 0 || output !== "")
      this.#parts.log.say(how === 0 ? "info" : "error", "a command for an event", { event, how, output });
  }
}
