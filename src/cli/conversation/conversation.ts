// A conversation on a terminal: events become entries, and entries become rows. Owns: the entries, and the rows
// they had at the last width, so that a new event costs only its own rows. Refuses: to know terminals and daemons.
import type { AgentEvent, AgentState } from "../../protocol/ops/agent.ts";
import { type Entry, entryRows, type Row, TERMINAL_HINT } from "./rows.ts";

/** A long day's work. `duetty conversation` shows older events. */
const ENTRIES_MAX = 2_000;
/** How much partial text we keep. The whole comes as a message. */
const LIVE_CHARS_MAX = 20_000;

type Closeness = "apart" | "close";

interface Kept {
  entry: Entry;
  /** For `cols`; undefined after a change. */
  rows: readonly Row[] | undefined;
}

export class ConversationRows {
  #kept: Kept[] = [];
  #live: Kept | undefined;
  #cols = 0;
  #seq = 0;

  get isEmpty(): boolean {
    return this.#kept.length === 0;
  }

  /** Whether somebody said or did something. The end of a program does not count. */
  get hasWords(): boolean {
    return this.#kept.some(({ entry }) => entry.kind !== "exit");
  }

  /** The last event that is in it. */
  get seq(): number {
    return this.#seq;
  }

  /** Events come in order. A known event changes nothing. */
  add(event: AgentEvent): void {
    // A chunk has the number of the event before it.
    if (event.type === "chunk") return event.seq < this.#seq ? undefined : this.#chunk(event.about, event.text);
    if (event.seq <= this.#seq) return;
    this.#seq = event.seq;
    // Partial text comes as a whole message later, or was given up.
    if (event.type === "status") return this.#status(event.state, event.note);
    this.#live = undefined;
    this.#add(event);
    if (this.#kept.length > ENTRIES_MAX) this.#kept.splice(0, this.#kept.length - ENTRIES_MAX);
  }

  /** Adds an entry of this terminal's own, such as the end of the shell. */
  note(entry: Entry): void {
    // A program ends once, however often we hear of it, and the same entry need not repeat.
    if (entry === this.#kept.at(-1)?.entry) return;
    if (entry.kind === "exit" && this.#kept.some((kept) => kept.entry.kind === "exit")) return;
    this.#kept.push({ entry, rows: undefined });
  }

  rows(cols: number): Row[] {
    const entries = this.#live ? [...this.#kept, this.#live] : this.#kept;
    if (cols !== this.#cols) for (const kept of entries) kept.rows = undefined;
    this.#cols = cols;
    const all: Row[] = [];
    let before: Entry | undefined;
    for (const kept of entries) {
      kept.rows ??= entryRows(kept.entry, cols);
      if (before && gap(before, kept.entry) === "apart") all.push({ text: "", tone: "plain" });
      all.push(...kept.rows);
      before = kept.entry;
    }
    return all;
  }

  #chunk(about: "message" | "thought", text: string): void {
    const before = this.#live?.entry;
    const said = before?.kind === about ? before.text : "";
    this.#live = { entry: { kind: about, text: (said + text).slice(-LIVE_CHARS_MAX) }, rows: undefined };
  }

  /** Why the agent waits, as long as it does. A question says so itself. */
  #status(state: AgentState, note: string | null): void {
    const isAsked = this.#kept.at(-1)?.entry.kind === "proposal";
    const why = state === "paused" ? `paused${note ? `: ${note}` : ""}` : `waiting: ${note ?? "for a person"}`;
    if ((state === "paused" || state === "waiting") && !isAsked)
      this.#live = { entry: { kind: "hint", text: why }, rows: undefined };
    else if (this.#live?.entry.kind === "hint") this.#live = undefined;
  }

  #add(event: Exclude<AgentEvent, { type: "chunk" | "status" }>): void {
    switch (event.type) {
      case "prompt":
        return this.note({ kind: "prompt", text: event.text, actor: event.actor });
      case "message":
        return this.note({ kind: "message", text: event.text });
      case "plan":
        return this.#plan(event.plan);
      case "step":
        return event.tool === "plan" ? undefined : this.note({ kind: "step", step: event, seen: null });
      case "observation":
        return this.#seen(event);
      case "proposal":
        return this.note({ kind: "proposal", approval_id: event.approval_id, text: event.text });
      case "trouble":
        return this.note({ kind: "trouble", message: event.message, hint: event.hint, retry_in_ms: event.retry_in_ms });
      case "ended":
        return this.note({ kind: "ended", ended: event });
      case "exit":
        return this.note({ kind: "exit", exit_code: event.exit_code, signal: event.signal });
      default:
        return event satisfies never;
    }
  }

  /** One plan a turn: the newest, where it changed last. */
  #plan(plan: Extract<Entry, { kind: "plan" }>["plan"]): void {
    const begin = this.#kept.findLastIndex(({ entry }) => entry.kind === "prompt");
    this.#kept = this.#kept.filter(({ entry }, i) => i < begin || entry.kind !== "plan");
    if (plan.length > 0) this.note({ kind: "plan", plan });
  }

  #seen(seen: Extract<AgentEvent, { type: "observation" }>): void {
    const kept = this.#kept.findLast(({ entry }) => entry.kind === "step" && entry.step.call_id === seen.call_id);
    if (kept?.entry.kind === "step") {
      kept.entry = { ...kept.entry, seen };
      kept.rows = undefined;
    }
    // Its question was answered.
    const asked = this.#kept.findLastIndex(({ entry }) => entry.kind === "proposal");
    if (asked >= 0 && asked > this.#kept.findLastIndex(({ entry }) => entry.kind === "step"))
      this.#kept.splice(asked, 1);
    if (seen.suggests === "terminal") this.note({ kind: "hint", text: TERMINAL_HINT });
  }
}

/** Steps are close together. Messages have space around them. */
function gap(before: Entry, { kind }: Entry): Closeness {
  const close = ["step", "proposal", "hint", "ended", "trouble"];
  return close.includes(before.kind) && close.includes(kind) ? "close" : "apart";
}
