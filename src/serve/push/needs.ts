// What a person who is elsewhere wants to hear of: a question, a password, long work that is over. Looks when something has
// changed, as pages do. Owns: that each is told once. Nothing is looked at while nobody wants to be told.
import type { Changes } from "../../core/base/changes.ts";
import type { Clock } from "../../core/base/clock.ts";
import { clipped } from "../../core/base/head-tail.ts";
import { marked } from "../../core/base/invisible.ts";
import { wants } from "../../core/base/question-words.ts";
import type { Approvals } from "../../core/gate/approvals.ts";
import type { Redactor } from "../../core/redact/redactor.ts";
import type { Session } from "../../core/session/session.ts";
import type { Sessions } from "../../core/session/sessions.ts";
import type { Notice, Push } from "./push.ts";

/** A phone shows no more of them. */
const TITLE_CHARS_MAX = 80;
const BODY_CHARS_MAX = 160;
/** Looks are this far apart: a busy machine changes all the time. */
const PAUSE_MS = 250;
const WAIT_MS = 3_600_000;
/** Told needs that are remembered. The oldest goes first; it is settled by then. */
const TOLD_MAX = 1_000;

interface NeedsParts {
  readonly clock: Clock;
  readonly changes: Changes;
  readonly approvals: Approvals;
  readonly sessions: Sessions;
  readonly eyes: Redactor;
  /** Work of this length is long. */
  readonly longMs: number;
  readonly push: Push;
}

export class Needs {
  #parts: NeedsParts;
  #told = new Set<string>();
  #isLooking = false;

  constructor(parts: NeedsParts) {
    this.#parts = parts;
  }

  /** From now on, until nobody wants to be told. What is there already is not news. */
  async begin(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const { clock, changes, push } = this.#parts;
    const began = clock.now();
    for (const { tag } of this.#now(began)) this.#told.add(tag);
    let { seq } = changes;
    while (push.isWanted) {
      await changes.next(seq, WAIT_MS);
      await new Promise<void>((resolve) => void clock.after(PAUSE_MS, resolve));
      seq = changes.seq;
      for (const need of this.#now(began)) this.#tell(need);
    }
    this.#isLooking = false;
  }

  #tell(need: Notice): void {
    if (this.#told.has(need.tag)) return;
    this.#told.add(need.tag);
    const [oldest] = this.#told;
    if (this.#told.size > TOLD_MAX && oldest !== undefined) this.#told.delete(oldest);
    const { eyes, push } = this.#parts;
    const seen = (text: string, max: number) => clipped(marked(eyes.text(text), { controls: "text" }), max);
    push.tell({ ...need, title: seen(need.title, TITLE_CHARS_MAX), body: seen(need.body, BODY_CHARS_MAX) });
  }

  #now(since: number): Notice[] {
    const { approvals, sessions, longMs } = this.#parts;
    const asked = approvals.list("pending").map((approval) => ({
      tag: approval.approval_id,
      title: `${approval.actor.replace(/^agent:/, "")} ${wants(approval)}`,
      body: approval.text.split("\n", 1)[0] ?? "",
      session_id: approval.session_id,
    }));
    return [
      ...asked,
      ...sessions.live.flatMap((session) => [...passwordOf(session), ...longOf(session, since, longMs)]),
    ];
  }
}

function passwordOf(session: Session): Notice[] {
  const { waiting, running, session_id } = session.info();
  if (waiting?.kind !== "password") return [];
  const tag = `password ${session_id} ${running?.block_id ?? ""}`;
  return [{ tag, title: `${waiting.program} waits for a password`, body: labelOf(session), session_id }];
}

function longOf(session: Session, since: number, longMs: number): Notice[] {
  const { last } = session.commands.blocks;
  if (!last || last.ts_end === null || last.ts_end < since || (last.duration_ms ?? 0) < longMs) return [];
  const { block_id, cmd, exit_code } = last;
  const how = exit_code === 0 ? "Finished" : exit_code === null ? "Over" : `Failed with ${exit_code}`;
  const title = `${how}: ${cmd ?? "a command"}`;
  return [{ tag: `block ${session.id} ${block_id}`, title, body: labelOf(session), session_id: session.id }];
}

function labelOf(session: Session): string {
  const { name, command } = session.info();
  return name ?? command.join(" ");
}
