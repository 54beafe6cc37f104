// Mocha's spec, dot, min, list and progress reporters: all of them close with the same epilogue.
import { Failures, type Parsed, type Parser, sections } from "../parser.ts";
import { aboveStack, durationOver, stackPlace, tally } from "../reading.ts";

export const mocha: Parser = { runner: "mocha", marks: [" passing ("], parse };

const PASSING = /^ {2}\d{1,9} passing \(([^)]{1,20})\)$/;

function parse(lines: readonly string[]): Parsed | undefined {
  const at = lines.findIndex((line) => PASSING.test(line));
  if (at < 0) return undefined;
  const { count } = tally(lines, /^ {2}(\d{1,9} (?:passing \([^)]{1,20}\)|pending|failing))$/);
  const failures = new Failures();
  for (const { head, body } of sections(lines.slice(at), (line) => /^ {2}\d{1,6}\) (\S.*)$/.exec(line)?.[1])) {
    const title = titleOf(head, body);
    if (title !== undefined) failures.add(title.name, stackPlace(title.rest), aboveStack(title.rest));
  }
  return {
    passed: count("passing"),
    failed: count("failing"),
    skipped: count("pending"),
    failures: failures.list,
    duration_ms: durationOver(lines, PASSING),
    complete: true,
    broke: false,
  };
}

/** The title continues with one suite per line, each deeper, until a line ends in a colon. Without it, this is no epilogue. */
function titleOf(head: string, body: readonly string[]): { name: string; rest: readonly string[] } | undefined {
  if (head.endsWith(":")) return { name: head.slice(0, -1), rest: body };
  const filled = body.filter((line) => line !== "");
  const end = filled.slice(0, 20).findIndex((line) => line.startsWith("       ") && line.endsWith(":"));
  if (end < 0) return undefined;
  const titles = filled.slice(0, end + 1).map((line) => line.trim());
  return { name: [head, ...titles].join(" > ").replace(/:$/, ""), rest: filled.slice(end + 1) };
}
