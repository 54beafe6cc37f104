// The tool calls of a hosted agent's turn, each put together from several messages. Owns: the table.
// Refuses: to report them.
import { HeadTail, shortened } from "../../core/base/head-tail.ts";
import { shellLine } from "../../core/run/tests/shell-words.ts";
import { oneLine, type ToolContent, type ToolFields, textOfContent, textOfValue } from "./messages.ts";
import { type CallFacts, ownTool, textAt, valueAt } from "./own-tools.ts";

/** Calls of one turn that we remember. An agent with more is in a loop, and its oldest are over. */
const CALLS_MAX = 1_000;
const TITLE_CHARS_MAX = 200;
/** Characters kept of one call, more than we ever show. */
const PRINTED_CHARS_MAX = 12_000;

export interface HostedCall extends CallFacts {
  /** The name of our own tool, or null for the agent's. */
  readonly own: string | null;
  readonly status: string;
  readonly content: readonly ToolContent[];
  readonly output: unknown;
  /** Its output so far, for agents that send it in parts. */
  readonly printed: HeadTail | null;
  /** People have seen it. */
  reported: boolean;
  ended: boolean;
}

export class Calls {
  #all = new Map<string, HostedCall>();

  clear(): void {
    this.#all.clear();
  }

  /** Later messages replace fields of earlier ones. Missing fields stay. */
  note(fields: ToolFields): HostedCall {
    const before = this.#all.get(fields.toolCallId);
    const facts = {
      call_id: fields.toolCallId,
      title: fields.title ?? before?.title ?? "",
      name: fields.name ?? before?.name ?? null,
      kind: fields.kind ?? before?.kind ?? null,
      input: textOfValue(fields.rawInput) === null ? before?.input : fields.rawInput,
      meta: { ...asObject(before?.meta), ...asObject(fields._meta) },
    };
    const call: HostedCall = {
      ...facts,
      own: ownTool(facts),
      status: fields.status ?? before?.status ?? "pending",
      content: fields.content ?? before?.content ?? [],
      output: fields.rawOutput ?? before?.output,
      printed: printedIn(fields._meta, before?.printed ?? null),
      reported: before?.reported ?? false,
      ended: before?.ended ?? false,
    };
    this.#all.set(call.call_id, call);
    const [oldest] = this.#all.keys();
    if (this.#all.size > CALLS_MAX && oldest !== undefined) this.#all.delete(oldest);
    return call;
  }
}

/** The agent's name for the tool. */
export function toolName({ own, name, meta, kind }: HostedCall): string {
  return own ?? name ?? textAt(valueAt(meta, "claudeCode"), "toolName") ?? kind ?? "tool";
}

/** What it does, in one line. */
export function titleOf(call: HostedCall): string {
  if (call.own === null) return oneLine(shellCommand(call) ?? (call.title || toolName(call)), TITLE_CHARS_MAX);
  const args = valueAt(call.input, "arguments") ?? call.input;
  // gemini sends the arguments only as the title.
  const bare = call.title.includes(call.own) ? null : call.title;
  const what = textAt(args, "command") ?? textAt(args, "text") ?? textOfValue(args) ?? bare;
  return oneLine(what ? `${call.own}: ${what}` : call.own, TITLE_CHARS_MAX);
}

/** The line that the agent wants to run in its own shell. */
export function shellCommand({ own, kind, name, input }: HostedCall): string | null {
  if (own !== null || (kind !== "execute" && name !== "Bash")) return null;
  const command = valueAt(input, "command") ?? valueAt(input, "cmd");
  if (typeof command === "string") return command;
  return Array.isArray(command) && command.every((word) => typeof word === "string") ? lineOfWords(command) : null;
}

/** ["bash", "-lc", LINE] is that line. */
function lineOfWords(words: readonly string[]): string {
  const [shell = "", flags = "", line] = words;
  const isWrapped = words.length === 3 && /(?:^|\/)(?:ba|z)?sh$/.test(shell) && /^-l?c$/.test(flags);
  return isWrapped && line !== undefined ? line : shellLine(words);
}

/** Whether enough is known to show it. Some agents announce a call before they know what it is. */
export function isClear(call: HostedCall): boolean {
  if (call.status !== "pending") return true;
  return call.kind === "execute" && call.own === null ? shellCommand(call) !== null : call.input !== undefined;
}

/** Its result as text: the answer, or otherwise its output. */
export function answerOf({ content, output, printed }: HostedCall, charsMax: number): string {
  const said = textOfContent(content.filter(({ type }) => type !== "terminal"));
  if (said !== "") return shortened(said, charsMax);
  const text = printed?.text();
  return shortened(text ?? textAt(output, "output") ?? textOfValue(output) ?? textOfContent(content), charsMax);
}

/** codex and some versions of claude send the output of their own terminals. */
function printedIn(meta: unknown, before: HeadTail | null): HeadTail | null {
  const piece = ["terminal_output_delta", "terminal_output"].map((key) => textAt(valueAt(meta, key), "data"));
  const text = piece[0] ?? piece[1];
  if (!text) return before;
  const printed = before ?? HeadTail.fitting(PRINTED_CHARS_MAX);
  printed.push(text);
  return printed;
}

function asObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}
