// Wait conditions as the wire has them, and how we check them. Pure.
import type { Condition, Wait } from "../../../protocol/ops/drive.ts";
import type { AgentState } from "../../../protocol/words/agent-state.ts";
import { advice } from "../../base/advice.ts";
import type { DeepReadonly } from "../../base/deep-readonly.ts";
import { type Fault, fault, isFault } from "../../base/fault.ts";
import { placesIn } from "../../base/finder.ts";
import { patternFinder } from "../../base/pattern.ts";
import type { Redactor } from "../../redact/redactor.ts";
import type { Pattern } from "./seen.ts";

export interface WaitSpec extends DeepReadonly<Wait> {
  /** The actor who waits. An agent's waits end when a person takes the keyboard from it. */
  readonly by?: string | undefined;
  /** What an agent looks through. Its wait matches what it may see, not what is there. */
  readonly eyes?: Redactor | undefined;
}

/** One thing that can come true. Patterns, change, exit, prompt and block_end stay true; the others can end again. */
export type Leaf =
  | { readonly kind: "pattern"; readonly pattern: Pattern }
  | { readonly kind: "gone"; readonly text: string }
  | { readonly kind: "settled" | "idle"; readonly ms: number }
  | { readonly kind: "state"; readonly state: AgentState }
  | { readonly kind: "change" | "exit" | "prompt" | "input" | "block_end" | "echo_off" };

/** What must be true at one time. */
export type Goal = readonly Leaf[];

/** The goals of a wait: any one of them ends it. */
export function goalsOf({ any = [], all = [] }: Pick<WaitSpec, "any" | "all">): Goal[] | Fault {
  const common = leavesOf(all);
  if (isFault(common)) return common;
  const goals: Goal[] = [];
  for (const condition of any) {
    const leaves = "all" in condition ? leavesOf(condition.all) : leavesOf([condition]);
    if (isFault(leaves)) return leaves;
    goals.push([...leaves, ...common]);
  }
  return any.length === 0 && common.length > 0 ? [common] : goals;
}

type Simple = Exclude<DeepReadonly<Condition>, { readonly all: unknown }>;

function leavesOf(conditions: readonly Simple[]): Leaf[] | Fault {
  const leaves: Leaf[] = [];
  for (const condition of conditions) {
    const leaf = leafOf(condition);
    if (isFault(leaf)) return leaf;
    leaves.push(leaf);
  }
  return leaves;
}

function leafOf(condition: Simple): Leaf | Fault {
  if ("text" in condition || "regex" in condition) {
    const pattern = patternOf(condition);
    return isFault(pattern) ? pattern : { kind: "pattern", pattern };
  }
  if ("gone" in condition) return { kind: "gone", text: condition.gone };
  if ("settled_ms" in condition) return { kind: "settled", ms: condition.settled_ms };
  if ("idle_ms" in condition) return { kind: "idle", ms: condition.idle_ms };
  if ("state" in condition) return { kind: "state", state: condition.state };
  if ("change" in condition) return { kind: "change" };
  if ("exit" in condition) return { kind: "exit" };
  if ("prompt" in condition) return { kind: "prompt" };
  if ("input" in condition) return { kind: "input" };
  return "block_end" in condition ? { kind: "block_end" } : { kind: "echo_off" };
}

export function rowFilter({
  ignore_rows = [],
  region,
}: Pick<WaitSpec, "ignore_rows" | "region">): (row: number) => boolean {
  const ranges = ignore_rows.map((entry): readonly [number, number] =>
    typeof entry === "number" ? [entry, entry] : entry,
  );
  return (row) => {
    if (region && (row < region.top || row > region.bottom)) return false;
    return !ranges.some(([from, to]) => row >= from && row <= to);
  };
}

function patternOf(condition: Extract<Simple, { text: string } | { regex: string }>): Pattern | Fault {
  if ("text" in condition) {
    const row = "row" in condition ? condition.row : undefined;
    const { text: literal } = condition;
    const findAll = (line: string) => occurrences(line, literal);
    return { key: `text:${row}:${literal}`, shown: JSON.stringify(literal), row, literal, findAll };
  }
  const { regex } = condition;
  const find = patternFinder(regex);
  if (isFault(find)) return find;
  if (find("")) return fault("input.invalid", `/${regex}/ matches even where there is no text`, advice("any_change"));
  const findAll = (line: string) =>
    placesIn(line, find).map(({ at, length }) => ({ index: at, text: line.slice(at, at + length) }));
  return { key: `regex:${regex}`, shown: `/${regex}/`, findAll };
}

function occurrences(line: string, text: string): { index: number; text: string }[] {
  const found = [];
  for (let index = line.indexOf(text); index >= 0; index = line.indexOf(text, index + text.length))
    found.push({ index, text });
  return found;
}
