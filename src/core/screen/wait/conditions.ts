// Wait conditions as the wire has them, and how we check them. Pure.
import type { Condition, Wait } from "../../../protocol/ops/drive.ts";
import type { DeepReadonly } from "../../base/deep-readonly.ts";
import { type Fault, fault, isFault } from "../../base/fault.ts";
import { placesIn } from "../../base/finder.ts";
import { patternFinder } from "../../base/pattern.ts";
import type { Pattern } from "./seen.ts";

export interface WaitSpec extends DeepReadonly<Wait> {
  /** The actor who waits. An agent's waits end when a person takes the keyboard from it. */
  readonly by?: string | undefined;
}

/** A list of conditions, sorted by kind. */
export interface Aims {
  readonly patterns: readonly Pattern[];
  readonly gone: readonly string[];
  readonly settledMs: number | undefined;
  readonly idleMs: number | undefined;
  readonly change: boolean;
  readonly exit: boolean;
  readonly prompt: boolean;
  readonly blockEnd: boolean;
  readonly echoOff: boolean;
}

export function aimsOf(conditions: readonly Condition[]): Aims | Fault {
  const patterns: Pattern[] = [];
  for (const condition of conditions) {
    const pattern = patternOf(condition);
    if (isFault(pattern)) return pattern;
    if (pattern) patterns.push(pattern);
  }
  const has = (key: string) => conditions.some((condition) => key in condition);
  return {
    patterns,
    gone: conditions.flatMap((condition) => ("gone" in condition ? [condition.gone] : [])),
    settledMs: shortest(conditions.flatMap((condition) => ("settled_ms" in condition ? [condition.settled_ms] : []))),
    idleMs: shortest(conditions.flatMap((condition) => ("idle_ms" in condition ? [condition.idle_ms] : []))),
    change: has("change"),
    exit: has("exit"),
    prompt: has("prompt"),
    blockEnd: has("block_end"),
    echoOff: has("echo_off"),
  };
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

function shortest(all: readonly number[]): number | undefined {
  return all.length > 0 ? Math.min(...all) : undefined;
}

function patternOf(condition: Condition): Pattern | Fault | undefined {
  if ("text" in condition) {
    const row = "row" in condition ? condition.row : undefined;
    const { text: literal } = condition;
    return { key: `text:${row}:${literal}`, row, literal, findAll: (line) => occurrences(line, condition.text) };
  }
  if (!("regex" in condition)) return undefined;
  const find = patternFinder(condition.regex);
  if (isFault(find)) return find;
  if (find("")) {
    return fault("input.invalid", `/${condition.regex}/ matches nothing at all`, "Use --change or --settled instead.");
  }
  const findAll = (line: string) =>
    placesIn(line, find).map(({ at, length }) => ({ index: at, text: line.slice(at, at + length) }));
  return { key: `regex:${condition.regex}`, findAll };
}

function occurrences(line: string, text: string): { index: number; text: string }[] {
  const found = [];
  for (let index = line.indexOf(text); index >= 0; index = line.indexOf(text, index + text.length))
    found.push({ index, text });
  return found;
}
