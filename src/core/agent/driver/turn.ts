// One turn of the driver: think, act, look, until there is a message, a limit, a stop or a failure. Owns: the history as
// the turn goes on, and what it cost. Every call that was made has its observation when the turn is over.
import type { Tokens, TurnOutcome } from "../../../protocol/ops/agent.ts";
import { type Fault, isFault } from "../../base/fault.ts";
import { shortened } from "../../base/head-tail.ts";
import { never } from "../../base/never.ts";
import type { Action, Agent, Stepped, Trouble } from "../agent.ts";
import { type Entry, personNote, type ToolCall } from "../history.ts";
import { OBSERVATION_CHARS_MAX, TITLE_CHARS_MAX } from "../limits.ts";
import type { ConversationLink, Turn } from "../performer.ts";
import { faultSeen, type Seen, type Tool, unknownTool } from "../tool.ts";
import { retryAfter } from "./backoff.ts";
import { openCalls } from "./calls.ts";
import type { Cut, TurnControl } from "./turn-control.ts";

interface TurnRunParts {
  readonly agent: Agent;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly link: ConversationLink;
  readonly control: TurnControl;
  readonly turn: Turn;
  noteFromPerson(): string | null;
}

type Thought =
  | { readonly message: string; readonly stepped: Stepped }
  | { readonly action: Action; readonly stepped: Stepped }
  | { readonly over: TurnOutcome };

export class TurnRun {
  #parts: TurnRunParts;
  #history: Entry[];
  #steps = 0;
  #tokens: Tokens | null = null;
  #running: string | undefined;
  #broke: string | undefined;

  constructor(parts: TurnRunParts, history: readonly Entry[]) {
    this.#parts = parts;
    this.#history = [...history];
  }

  async run(): Promise<TurnOutcome> {
    const outcome = await this.#loop().catch((error: unknown) => this.#fails(error));
    for (const call of openCalls(this.#history)) this.#unfinished(call, outcome);
    this.#parts.link.tell({ type: "ended", outcome, steps: this.#steps, tokens: this.#tokens });
    return outcome;
  }

  async #loop(): Promise<TurnOutcome> {
    const { link, control } = this.#parts;
    for (;;) {
      const thought = await this.#think();
      if ("over" in thought) return thought.over;
      // Somebody may have stopped it since the thought. Then the thought does not count.
      if (control.stopped) return "stopped";
      const { said } = thought.stepped;
      if (said) this.#remember(said);
      if ("message" in thought) {
        link.tell({ type: "message", text: thought.message });
        return "done";
      }
      if (said && said.text.trim() !== "") link.tell({ type: "message", text: said.text });
      const over = await this.#act(thought.action);
      if (over) return over;
    }
  }

  async #think(): Promise<Thought> {
    const { control } = this.#parts;
    for (let tries = 1; ; tries += 1) {
      const stepped = await this.#ask();
      if ("cut" in stepped) return { over: this.#cutShort(stepped.cut) };
      const { step, tokens } = stepped.done;
      this.#tokens = sum(this.#tokens, tokens);
      if (control.stopped) return { over: "stopped" };
      if ("message" in step) return { message: step.message, stepped: stepped.done };
      if ("action" in step) return { action: step.action, stepped: stepped.done };
      const over = await this.#trouble(step.error, tries);
      if (over) return { over };
    }
  }

  async #ask(): Promise<{ readonly done: Stepped } | { readonly cut: Cut }> {
    const { agent, link, control } = this.#parts;
    const what = openCalls(this.#history).length > 0 ? "queued" : "think";
    let listening = true;
    const asked = await control.go({ what }, (cancelled) => {
      cancelled.onCancel(() => {
        listening = false;
      });
      if (what === "think") this.#heed();
      return agent.step(this.#history, cancelled, (text) => {
        if (listening) link.tell({ type: "chunk", about: "message", text });
      });
    });
    listening = false;
    return asked;
  }

  /** Before a thought, and never between a call and its observation. */
  #heed(): void {
    const note = this.#parts.noteFromPerson();
    if (note !== null) this.#remember(personNote(note));
  }

  async #trouble(trouble: Trouble, tries: number): Promise<TurnOutcome | undefined> {
    const { link, control } = this.#parts;
    const retry_in_ms = retryAfter(trouble, tries);
    link.tell({ type: "trouble", message: trouble.message, hint: trouble.hint, retry_in_ms });
    if (retry_in_ms === null) return "failed";
    const cut = await control.rest(retry_in_ms);
    return cut && this.#cutShort(cut);
  }

  async #act({ call_id, tool: name, args }: Action): Promise<TurnOutcome | undefined> {
    const { link, control, tools, turn } = this.#parts;
    if (this.#steps >= turn.max_steps) return this.#limit(`the limit of steps was reached: ${turn.max_steps}`);
    const tool = tools.get(name);
    const kind = tool?.kind ?? "internal";
    const title = shortened(tool?.title(args) ?? `${name}: no such tool`, TITLE_CHARS_MAX);
    const acted = await control.go({ what: "act", kind, title }, (cancelled) => {
      this.#steps += 1;
      this.#running = call_id;
      link.tell({ type: "step", step: this.#steps, call_id, tool: name, kind, title });
      return tool ? tool.run(args, cancelled) : Promise.resolve(unknownTool(name, [...tools.keys()]));
    });
    if ("cut" in acted) return this.#cutShort(acted.cut);
    this.#observe({ call_id, tool: name }, isFault(acted.done) ? faultSeen(acted.done) : acted.done);
    if (!this.#isHeld(acted.done)) return undefined;
    const cut = await control.handsOff();
    return cut && this.#cutShort(cut);
  }

  /** We wait only for a person. Another agent at the keyboard is an ordinary fault. */
  #isHeld(result: Seen | Fault): boolean {
    if (isFault(result)) return result.code === "gate.held" && this.#parts.control.holder === "person";
    return result.held === true;
  }

  #observe({ call_id, tool }: { call_id: string; tool: string }, seen: Seen): void {
    const { link } = this.#parts;
    this.#running = undefined;
    const { ok, again, block_id, suggests, plan } = seen;
    const text = shortened(seen.text, OBSERVATION_CHARS_MAX);
    if (plan) link.tell({ type: "plan", plan });
    this.#remember({ role: "observation", call_id, tool, ok, text, again });
    link.tell({ type: "observation", call_id, tool, ok, text, block_id, suggests });
  }

  #remember(entry: Entry): void {
    this.#history.push(entry);
    this.#parts.link.remember(entry);
  }

  #cutShort(cut: Cut): TurnOutcome {
    if (cut === "stopped" || this.#parts.control.stopped) return "stopped";
    return this.#limit(`the time limit was reached: ${Math.round(this.#parts.turn.time_limit_ms / 1_000)} s`);
  }

  #limit(message: string): TurnOutcome {
    this.#parts.link.tell({ type: "trouble", message, hint: "Ask it to go on, or give it more.", retry_in_ms: null });
    return "limit";
  }

  /** A bug in an agent or a tool ends the turn visibly. */
  #fails(error: unknown): TurnOutcome {
    this.#broke = `internal: ${error instanceof Error ? error.message : String(error)}`;
    const hint = "This is a bug: the turn was ended. Ask again, or report it.";
    this.#parts.link.tell({ type: "trouble", message: this.#broke, hint, retry_in_ms: null });
    return "failed";
  }

  /** Calls that did not finish or never began still get an observation. */
  #unfinished({ id, tool }: ToolCall, outcome: TurnOutcome): void {
    const why = this.#whyOver(outcome);
    const ran = this.#running === id;
    const text = ran ? why : `not run: ${why}`;
    if (ran) this.#observe({ call_id: id, tool }, { ...NOTHING_SEEN, text });
    else this.#remember({ role: "observation", call_id: id, tool, ok: false, text, again: null });
  }

  #whyOver(outcome: TurnOutcome): string {
    switch (outcome) {
      case "stopped":
        return this.#parts.control.stopped === "exit" ? "stopped: the session ended" : "stopped by a person";
      case "limit":
        return "stopped: the limit of this turn was reached";
      case "failed":
        return this.#broke ?? "the turn failed";
      case "done":
        return "the turn was over";
      default:
        return never(outcome);
    }
  }
}

const NOTHING_SEEN = { ok: false, again: null, block_id: null, suggests: null };

function sum(a: Tokens | null, b: Tokens | null): Tokens | null {
  if (!a || !b) return a ?? b;
  return { input: a.input + b.input, output: a.output + b.output };
}
