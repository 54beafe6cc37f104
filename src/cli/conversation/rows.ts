// A piece of a conversation as rows with a tone, for a terminal of a given width. Pure. attach, ask and
// conversation show the same. Refuses: text that acts on a terminal (see text/harmless.ts).
import type { AgentEvent } from "../../protocol/ops/agent.ts";
import { harmless, harmlessLine } from "../text/harmless.ts";
import { cut, wrapped } from "../text/width.ts";
import { wordWrapped } from "./wrap.ts";

type Tone = "plain" | "person" | "strong" | "dim" | "good" | "bad" | "alert" | "code";

export interface Row {
  readonly text: string;
  readonly tone: Tone;
}

type Event<T extends AgentEvent["type"]> = Extract<AgentEvent, { type: T }>;
export type Plan = Event<"plan">["plan"];

/** A piece of the conversation. */
export type Entry =
  | { readonly kind: "prompt"; readonly text: string; readonly actor: string }
  | { readonly kind: "message"; readonly text: string }
  | { readonly kind: "thought"; readonly text: string }
  | { readonly kind: "plan"; readonly plan: Plan }
  | { readonly kind: "step"; readonly step: Event<"step">; readonly seen: Event<"observation"> | null }
  | { readonly kind: "proposal"; readonly approval_id: string; readonly text: string }
  | { readonly kind: "trouble"; readonly message: string; readonly hint: string; readonly retry_in_ms: number | null }
  | { readonly kind: "ended"; readonly ended: Event<"ended"> }
  | { readonly kind: "exit"; readonly exit_code: number | null; readonly signal: string | null }
  | { readonly kind: "hint"; readonly text: string };

const SGR: Readonly<Record<Tone, string>> = {
  plain: "",
  person: "1;36",
  strong: "1",
  dim: "2",
  good: "32",
  bad: "31",
  alert: "1;33",
  code: "36",
};
const INDENT = "  ";
/** Lines of a result that are shown: the beginning says what, the end says how it went. */
const SHOWN = { ok: { head: 2, tail: 2 }, bad: { head: 2, tail: 6 }, screen: { head: 1, tail: 0 } } as const;
/** The newest rows of an agent's thoughts. */
const THOUGHT_ROWS_MAX = 3;
export const TERMINAL_HINT = "a full-screen program has the terminal: Ctrl+T to see it";

export function styled({ text, tone }: Row): string {
  return SGR[tone] === "" || text === "" ? text : `\x1b[${SGR[tone]}m${text}\x1b[m`;
}

/** In colour where a person looks and wants it. */
export function painted(row: Row, stream: { readonly isTTY?: boolean }): string {
  return stream.isTTY && !process.env.NO_COLOR ? styled(row) : row.text;
}

export function entryRows(entry: Entry, cols: number): Row[] {
  switch (entry.kind) {
    case "prompt":
      return marked("> ", harmless(entry.text), cols, "person");
    case "message":
      return messageRows(entry.text, cols);
    case "thought":
      return marked(INDENT, harmless(entry.text).trim(), cols, "dim").slice(-THOUGHT_ROWS_MAX);
    case "plan":
      return planRows(entry.plan, cols);
    case "step":
      return [stepRow(entry.step, entry.seen, cols), ...(entry.seen ? seenRows(entry.seen, cols) : [])];
    case "proposal":
      return marked("! ", `needs you: ${harmlessLine(entry.text)}`, cols, "alert");
    case "trouble":
      return troubleRows(entry, cols);
    case "ended":
      return [{ text: cut(`${INDENT}${endedText(entry.ended)}`, cols), tone: endedTone(entry.ended) }];
    case "exit":
      return [{ text: cut(`${INDENT}${exitText(entry)}`, cols), tone: "strong" }];
    case "hint":
      return marked(INDENT, harmlessLine(entry.text), cols, "alert");
    default:
      return entry satisfies never;
  }
}

function exitText({ exit_code, signal }: { exit_code: number | null; signal: string | null }): string {
  if (signal !== null) return `shell ended: ${harmlessLine(signal)}`;
  return exit_code === null ? "shell ended" : `shell ended: exit ${exit_code}`;
}

function endedText({ outcome, steps, tokens }: Event<"ended">): string {
  const cost = tokens ? `, ${tokens.input} tokens in, ${tokens.output} out` : "";
  const limit = outcome === "limit" ? "a limit was reached" : outcome;
  return `${limit} after ${steps} ${steps === 1 ? "step" : "steps"}${cost}`;
}

function endedTone({ outcome }: Event<"ended">): Tone {
  return outcome === "done" ? "dim" : outcome === "stopped" ? "strong" : "bad";
}

/** Text after a mark. Further rows are indented below the text. */
function marked(mark: string, text: string, cols: number, tone: Tone): Row[] {
  const room = Math.max(1, cols - mark.length);
  const lines = text.split("\n").flatMap((line) => wordWrapped(line, room));
  return lines.map((line, i) => ({ text: cut((i === 0 ? mark : " ".repeat(mark.length)) + line, cols), tone }));
}

/** Words are wrapped, but code is cut at the terminal's edge. */
function messageRows(text: string, cols: number): Row[] {
  let isCode = false;
  const room = Math.max(1, cols - INDENT.length);
  return harmless(text)
    .trim()
    .split("\n")
    .flatMap((line): Row[] => {
      const isFence = /^\s*(?:```|~~~)/u.test(line);
      if (isFence) isCode = !isCode;
      const rows = isCode && !isFence ? wrapped(line, room) : wordWrapped(line, room);
      const tone = isFence ? "dim" : isCode ? "code" : /^#{1,6} /u.test(line) ? "strong" : "plain";
      return rows.map((row) => ({ text: row === "" ? "" : cut(INDENT + row, cols), tone }));
    });
}

const BOXES: Readonly<Record<Plan[number]["status"], { mark: string; tone: Tone }>> = {
  completed: { mark: "[x] ", tone: "dim" },
  in_progress: { mark: "[>] ", tone: "strong" },
  pending: { mark: "[ ] ", tone: "plain" },
};

export function planRows(plan: Plan, cols: number): Row[] {
  return plan.flatMap(({ text, status }) => {
    const { mark, tone } = BOXES[status];
    return marked(`${INDENT}${mark}`, harmlessLine(text), cols, tone);
  });
}

export function stepRow({ tool, title }: Event<"step">, seen: Event<"observation"> | null, cols: number): Row {
  const mark = seen === null ? "→" : seen.ok ? "✓" : "✗";
  const [name, what] = [harmlessLine(tool), harmlessLine(title)];
  const text = what === "" || what === name.replaceAll("_", " ") ? name : `${name}  ${what}`;
  return { text: cut(`${INDENT}${mark} ${text}`, cols), tone: seen && !seen.ok ? "bad" : "dim" };
}

/** The first and the last lines of a step's result. */
export function seenRows({ ok, text, suggests }: Event<"observation">, cols: number): Row[] {
  const lines = harmless(text)
    .split("\n")
    .filter((line) => line.trim() !== "");
  // A screen in the result is for the agent. People have the terminal.
  const { head, tail } = suggests === "terminal" ? SHOWN.screen : ok ? SHOWN.ok : SHOWN.bad;
  const left = lines.length - head - tail;
  const omitted = tail === 0 ? [] : [`… ${left} lines …`, ...lines.slice(-tail)];
  const shown = left > 1 ? [...lines.slice(0, head), ...omitted] : lines;
  return shown.map((line) => ({ text: cut(`${INDENT}${INDENT}│ ${line}`, cols), tone: "dim" }));
}

function troubleRows({ message, hint, retry_in_ms }: Extract<Entry, { kind: "trouble" }>, cols: number): Row[] {
  const again = retry_in_ms === null ? "" : ` (tried again in ${Math.ceil(retry_in_ms / 1_000)} s)`;
  return [
    ...marked("✗ ", `${harmlessLine(message)}${again}`, cols, "bad"),
    ...(hint === "" ? [] : marked(INDENT, harmlessLine(hint), cols, "plain")),
  ];
}
