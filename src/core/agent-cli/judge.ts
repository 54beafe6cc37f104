// What an agent CLI is doing, by the first evidence that speaks: its exit, what it says of itself (OSC 7501), its hooks, its
// title, its screen. Nothing that matches means unknown, never idle. Pure. A state never types and never answers.
import type { AgentState, BlockedKind } from "../../protocol/words/agent-state.ts";
import { clipped } from "../base/head-tail.ts";
import { marked } from "../base/invisible.ts";
import type { ExitStatus } from "../pty/pty.ts";
import type { Pattern, Preset, Rule } from "./preset.ts";
import type { StatusRecord } from "./program-status.ts";

/** A spinner turns several times a second. One that stands longer was left behind. */
const SPINNER_FRESH_MS = 3_000;
/** The first picture came after 45 seconds on a busy machine. */
export const STARTING_MS = 60_000;
/** Dialogs, prompts and status lines are at the lower end; above them is what the agent wrote. */
const ROWS_READ = 12;
const EVIDENCE_CHARS_MAX = 120;

export interface AgentEvidence {
  readonly exit: ExitStatus | null;
  readonly status: StatusRecord | undefined;
  /** A person pressed Escape or Ctrl+C after it said that it works, and agents do not always take that back. */
  readonly isDoubted: boolean;
  /** Somebody has entered something since it is in front. */
  readonly isEntered: boolean;
  /** What its hooks told last, and whether somebody has typed since in a way that may end it. */
  readonly hook?: { readonly record: StatusRecord; readonly isDoubted: boolean } | undefined;
  /** Empty: the program has set none. */
  readonly title: string;
  readonly titleAgeMs: number;
  readonly rows: readonly string[];
  /** How long it is in front. Null: it was read before. */
  readonly newMs: number | null;
}

export interface Judgement {
  readonly state: AgentState;
  readonly kind?: BlockedKind | undefined;
  readonly rule: string;
  /** The whole line that it was read from, or that says what is asked. */
  readonly evidence: string;
  /** Its row on the screen, if it is one. */
  readonly row?: number | undefined;
  readonly source: "exit" | "status" | "hook" | "title" | "screen" | "none";
}

export function judgeAgent(preset: Preset, seen: AgentEvidence): Judgement {
  const { exit, status, isDoubted, hook } = seen;
  if (exit) return ended(exit);
  const said = status && reported(status);
  // A first prompt may have come by a flag: then the screen shows that it works.
  const isLoading = preset.loads === true && !seen.isEntered;
  const isOld = (isDoubted || isLoading) && said?.state === "working";
  const rows = lastRows(seen.rows);
  const asking = (found: Judgement) =>
    found.state === "blocked" ? { ...found, ...asked(preset, rows, found) } : found;
  if (said && !isOld) return status.msg ? said : asking(said);
  const hooked = hook && hookTold(preset, hook.record);
  if (hooked && !hook.isDoubted) return hooked;
  const inTitle = isOld && isLoading ? [] : preset.rules.filter(({ screen }) => !screen?.length);
  const shown = inTitle.concat(preset.rules.filter((r) => r.screen?.length));
  for (const rule of shown) {
    const found = match(rule, seen, rows);
    if (found) return asking(found);
  }
  const old = said ?? hooked;
  if (old) return old;
  const isStarting = seen.newMs !== null && seen.newMs < STARTING_MS;
  const state = isStarting ? "starting" : "unknown";
  return { state, rule: `${preset.name}/none`, ...told(rows.at(-1)), source: "none" };
}

function ended({ code, signal }: ExitStatus): Judgement {
  return {
    state: code === 0 ? "done" : "error",
    rule: "exit",
    evidence: signal === null ? `exit code ${code}` : `ended by ${signal}`,
    source: "exit",
  };
}

function reported({ state, kind, app, msg }: StatusRecord): Judgement {
  const evidence = lineOf(msg ?? `${app ?? "the program"} says ${state}`);
  return { state, kind, rule: "osc-7501", evidence, source: "status" };
}

function hookTold({ name }: Preset, { state, kind, msg = "" }: StatusRecord): Judgement {
  return { state, kind, rule: `${name}/hook`, evidence: lineOf(msg), source: "hook" };
}

interface Row {
  readonly text: string;
  readonly row: number;
}

/** What dialogs and prompts are read from. */
function lastRows(rows: readonly string[]): readonly Row[] {
  return rows
    .map((text, row) => ({ text, row }))
    .filter(({ text }) => text.trim() !== "")
    .slice(-ROWS_READ);
}

/** Undefined: the dialog says nothing more. */
function asked({ asked = [] }: Preset, rows: readonly Row[], { row }: Judgement) {
  // Of a row in a frame that is empty, only the frame is left.
  const lines = rows.filter(({ text }) => lineOf(text) !== "");
  for (const one of asked) {
    const isMeant = ({ text }: Row) => ("row" in one ? one.row : one.under).test(text);
    const found = lines.findLast((each, at) => {
      const above = lines[at - 1];
      return "row" in one ? isMeant(each) : each.row !== row && !isMeant(each) && above && isMeant(above);
    });
    if (found) return told(found);
  }
  return undefined;
}

function told(found: Row | undefined): Pick<Judgement, "evidence" | "row"> {
  return { evidence: lineOf(found?.text ?? ""), row: found?.row };
}

function match(rule: Rule, seen: AgentEvidence, rows: readonly Row[]): Judgement | undefined {
  const { state, kind, id, screen = [] } = rule;
  const title = seen.title.trim();
  if (rule.title && !rule.title.test(title)) return undefined;
  if (rule.spins && seen.titleAgeMs >= SPINNER_FRESH_MS) return undefined;
  const found = screen.map((pattern) => rowWith(rows, pattern));
  if (found.includes(undefined)) return undefined;
  const [first] = found;
  if (first === undefined && !rule.title) return undefined;
  const source = first === undefined ? "title" : "screen";
  return { state, kind, rule: id, ...(first ? told(first) : { evidence: lineOf(title) }), source };
}

/** The lowest: what stands above it is older. */
function rowWith(rows: readonly Row[], pattern: Pattern): Row | undefined {
  return rows.findLast(({ text }) => pattern.test(text));
}

function lineOf(text: string): string {
  return marked(
    text
      .replace(/[│┃║╭╮╰╯─━]+/g, " ")
      .replace(/\s+/g, " ")
      .trim(),
  );
}

/**
 * The line as it is told. Half a secret is not known as one, so it is cut after secrets are out of it, and a row is taken from the
 * screen without them: a program may have wrapped one. `hidden`: its rows.
 */
export function toldEvidence(
  { evidence, row }: Judgement,
  hide: (text: string) => string,
  hidden?: () => readonly string[],
): string {
  const line = row === undefined || !hidden ? hide(evidence) : lineOf(hidden()[row] ?? "");
  return clipped(line, EVIDENCE_CHARS_MAX);
}
