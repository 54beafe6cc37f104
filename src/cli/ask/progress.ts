// What `duetty ask` prints while an agent works: permanent lines that read the same in a file, and
// on a terminal one line below them with the current state. Owns: standard error, and the answer on standard output.
import type { AgentEvent, AgentState, AgentStatus } from "../../protocol/ops/agent.ts";
import type { Approval } from "../../protocol/ops/gate.ts";
import {
  type Entry,
  entryRows,
  type Plan,
  painted,
  planRows,
  type Row,
  seenRows,
  stepRow,
} from "../conversation/rows.ts";
import { harmlessLine } from "../text/harmless.ts";
import { aside, exactly, json, lines } from "../text/output.ts";
import { cut } from "../text/width.ts";
import { cardRows } from "./card.ts";
import { ANSWER_KEYS } from "./typed-answers.ts";

type Proposal = Extract<AgentEvent, { type: "proposal" }>;

export interface Teller {
  event(event: Exclude<AgentEvent, Proposal>): void;
  /** Whether people need to be told more than the event says. */
  readonly proposals: "bare" | "with card";
  /** Undefined when the question is no longer known. */
  proposed(event: Proposal, card: Approval | undefined): void;
  note(text: string): void;
  end(status: AgentStatus): void;
}

/** For programs: every event as it came, then how it ended. */
export class JsonLines implements Teller {
  readonly proposals = "bare";

  event(event: AgentEvent): void {
    json(event);
  }

  proposed(event: Proposal): void {
    this.event(event);
  }

  note(text: string): void {
    aside(text);
  }

  end(status: AgentStatus): void {
    json(status);
  }
}

/** The width when the terminal does not say. */
const COLS = 80;
/** How much of the current message fits in the line below. */
const LIVE_CHARS = 400;

export class Progress implements Teller {
  readonly proposals = "with card";
  #session_id: string;
  /** Whether a yes or no can be typed here. */
  #answers: "here" | "elsewhere";
  #plan: Plan = [];
  /** The newest message. What follows shows whether it was the answer. */
  #message: string | undefined;
  #said = "";
  #hasLive = false;
  #isAsked = false;

  constructor(session_id: string, answers: "here" | "elsewhere") {
    this.#session_id = session_id;
    this.#answers = answers;
    this.note(`session ${session_id} (watch it: duetty attach ${session_id})`);
  }

  note(text: string): void {
    this.#lines([{ text: `duetty: ${harmlessLine(text)}`, tone: "dim" }]);
  }

  event(event: Exclude<AgentEvent, Proposal>): void {
    if (event.type !== "status" && event.type !== "chunk" && event.type !== "ended") this.#flush();
    if (event.type === "observation" || event.type === "ended") this.#isAsked = false;
    switch (event.type) {
      case "prompt":
        return;
      case "status":
        return this.#status(event.state, event.note);
      case "chunk":
        this.#said = (this.#said + event.text).slice(-LIVE_CHARS);
        return this.#live(this.#said);
      case "message":
        this.#message = event.text;
        return;
      case "plan":
        return this.#planned(event.plan);
      case "step":
        return event.tool === "plan" ? undefined : this.#lines([stepRow(event, null, this.#cols)]);
      case "observation":
        return this.#lines(event.tool === "plan" ? [] : seenRows(event, this.#cols));
      case "trouble":
        return this.#entry({ ...event, kind: "trouble" });
      case "exit":
        return this.#entry({ ...event, kind: "exit" });
      case "ended":
        return this.#ended(event);
      default:
        return event satisfies never;
    }
  }

  /** A reason for waiting stays readable; progress does not. A question was already printed. */
  #status(state: AgentState, note: string | null): void {
    const words = `${state}${note ? `: ${note}` : ""}`;
    const isStuck = state === "paused" || (state === "waiting" && !this.#isAsked);
    if (!isStuck) return this.#live(state === "idle" ? "" : words);
    const verbs = `duetty agent ${this.#session_id} resume, step or stop`;
    const how = state !== "paused" ? "" : ` (${this.#answers === "here" ? ANSWER_KEYS.pause : verbs})`;
    this.#lines([{ text: `  ${harmlessLine(words)}${how}`, tone: "alert" }]);
  }

  end(): void {
    this.#live("");
  }

  #ended(ended: Extract<AgentEvent, { type: "ended" }>): void {
    this.#entry({ kind: "ended", ended });
    const text = this.#message;
    if (text === undefined) return;
    const { isTTY, columns } = process.stdout;
    if (!isTTY) return lines(text.replace(/\n*$/u, ""));
    const rows = entryRows({ kind: "message", text }, columns || COLS);
    exactly(`\n${rows.map((row) => painted(row, process.stdout)).join("\n")}`);
  }

  /** It was not the last message. */
  #flush(): void {
    this.#said = "";
    const text = this.#message;
    this.#message = undefined;
    if (text !== undefined) this.#entry({ kind: "message", text });
  }

  /** The whole plan first, then what changed in it. */
  #planned(plan: Plan): void {
    const before = this.#plan;
    this.#plan = plan;
    const isNew = plan.length !== before.length || plan.some(({ text }, i) => text !== before[i]?.text);
    const shown = isNew ? plan : plan.filter(({ status }, i) => status !== before[i]?.status);
    this.#lines(planRows(shown, this.#cols));
  }

  proposed({ approval_id, text }: Proposal, card: Approval | undefined): void {
    this.#flush();
    this.#entry({ kind: "proposal", approval_id, text });
    if (card) this.#lines(cardRows(card, this.#cols));
    const verbs = `duetty approve ${approval_id}, or duetty deny ${approval_id}`;
    const how = this.#answers === "here" ? `${ANSWER_KEYS.proposal} (${approval_id})` : verbs;
    this.#lines([{ text: `  ${how}`, tone: "plain" }]);
    this.#isAsked = true;
  }

  #entry(entry: Entry): void {
    this.#lines(entryRows(entry, this.#cols));
  }

  #lines(rows: readonly Row[]): void {
    if (rows.length === 0) return;
    this.#live("");
    process.stderr.write(rows.map((row) => `${painted(row, process.stderr)}\n`).join(""));
  }

  /** One line that the next one replaces. */
  #live(text: string): void {
    const { stderr } = process;
    // A person is typing on that line now.
    if (!stderr.isTTY || (this.#isAsked && this.#answers === "here")) return;
    const words = harmlessLine(text);
    if (words === "" && !this.#hasLive) return;
    // The newest words are at the end.
    const room = this.#cols - 4;
    const shown = words.length > room ? `…${words.slice(-room)}` : words;
    stderr.write(`\r\x1b[K${words === "" ? "" : painted({ text: cut(`  ${shown}`, room + 3), tone: "dim" }, stderr)}`);
    this.#hasLive = words !== "";
  }

  get #cols(): number {
    return process.stderr.columns || COLS;
  }
}
