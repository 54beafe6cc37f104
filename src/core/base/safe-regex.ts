// A regular expression from outside, or a fault when matching it could take too long. Pure. We parse it into a small
// tree. Every place where the matcher could continue in more than one way multiplies the ways, and too many ways are
// refused. It is careful rather than exact: it may refuse a harmless pattern, and the hint says what to write instead.
import { type Fault, fault, isFault } from "./fault.ts";
import { type CharSet, type Node, overlaps, parseRegex } from "./regex-tree.ts";

/** Longer patterns are more likely mistakes than searches. */
const PATTERN_CHARS_MAX = 500;
/** What one free repetition can match: callers give rows of about this length. */
export const REGEX_ROW_CHARS_MAX = 1_000;
/** Two free repetitions (`a.*b.*c`) are tried in a tenth of a second on the worst row; three would take minutes. */
const WAYS_MAX = REGEX_ROW_CHARS_MAX ** 2;
/** The matcher unfolds counted repetitions. */
const COUNT_MAX = 1_000;

export function safeRegex(source: string, flags = "u"): RegExp | Fault {
  if (source.length > PATTERN_CHARS_MAX) return refused(`it has more than ${PATTERN_CHARS_MAX} characters`);
  const regex = compile(source, flags);
  if (isFault(regex)) return regex;
  const tree = parseRegex(source, flags);
  if (typeof tree === "string") return refused(tree);
  const ways = waysOf(tree, 0n);
  return typeof ways === "string" ? refused(ways) : ways > WAYS_MAX ? refused("it repeats too freely") : regex;
}

function compile(source: string, flags: string): RegExp | Fault {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    return fault("input.invalid", `not a regular expression: ${String(error)}`, "Search for literal text instead.");
  }
}

function refused(why: string): Fault {
  const hint = "Avoid repetitions inside repetitions and several .* in a row, or search for literal text.";
  return fault("input.invalid", `this regular expression could take too long: ${why}`, hint);
}

/** The most ways to match one text from one place. A string says why there is no bound. */
function waysOf(node: Node, follow: CharSet): number | string {
  switch (node.kind) {
    case "chars":
    case "assert":
      return 1;
    case "look":
      return waysOf(node.body, node.body.first);
    case "any_of":
      return waysOfAny(node, follow);
    case "sequence":
      return waysOfSequence(node.parts, follow);
    case "repeat":
      return waysOfRepeat(node, follow);
  }
}

function waysOfAny({ parts }: Extract<Node, { kind: "any_of" }>, follow: CharSet): number | string {
  const ways: number[] = [];
  for (const part of parts) {
    const one = waysOf(part, follow);
    if (typeof one === "string") return one;
    ways.push(one);
  }
  const seen = { first: 0n, clash: false };
  for (const { first, nullable } of parts) {
    seen.clash ||= nullable || overlaps(seen.first, first);
    seen.first |= first;
  }
  return seen.clash ? ways.reduce((sum, one) => sum + one, 0) : Math.max(...ways);
}

function waysOfSequence(parts: readonly Node[], after: CharSet): number | string {
  let follow = after;
  let ways = 1;
  for (const part of [...parts].reverse()) {
    const one = waysOf(part, follow);
    if (typeof one === "string") return one;
    ways *= one;
    follow = part.nullable ? follow | part.first : part.first;
  }
  return ways;
}

function waysOfRepeat(node: Extract<Node, { kind: "repeat" }>, follow: CharSet): number | string {
  const { body, min, max } = node;
  if (max !== Number.POSITIVE_INFINITY && max > COUNT_MAX) return `it counts beyond ${COUNT_MAX}`;
  if (max <= 1) return overlaps(body.first, follow) ? plus(waysOf(body, follow), max - min) : waysOf(body, follow);
  // Whether one round can end where the next begins decides if a text can be cut into rounds in different ways.
  const inside = waysOf(body, body.first);
  if (typeof inside === "string") return inside;
  if (body.nullable && max > 1) return "it repeats something that may be empty";
  if (inside > 1 && max === Number.POSITIVE_INFINITY) return "it repeats what can match in several ways";
  const rounds = max === Number.POSITIVE_INFINITY ? REGEX_ROW_CHARS_MAX : max - min + 1;
  // What follows cannot be read as one more round, so there is only one place to stop.
  const stops = overlaps(body.first, follow) ? rounds : 1;
  return inside ** Math.min(max, REGEX_ROW_CHARS_MAX) * stops;
}

function plus(ways: number | string, more: number): number | string {
  return typeof ways === "string" ? ways : ways + more;
}
