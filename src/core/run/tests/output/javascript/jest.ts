// Jest's default and verbose reporters. A long run prints its failures twice; the collector keeps one of each.
import { Failures, type Parsed, type Parser, sections } from "../parser.ts";
import { aboveStack, durationOver, stackPlace, tally } from "../reading.ts";

export const jest: Parser = { runner: "jest", marks: ["Test Suites:", "● "], parse };

const FILE = /^ ?(FAIL|PASS) {1,2}(\S.*)$/;
const TEST = /^ {2}● (\S.*)$/;
/** Notes that look like tests. */
const NOTES = new Set(["Console", "Validation Warning:", "Deprecation Warning:"]);

function parse(lines: readonly string[]): Parsed | undefined {
  const tests = tally(lines, /^Tests: {1,9}(\S.*total)$/);
  const suites = tally(lines, /^Test Suites: {1,9}(\S.*total)$/);
  const failures = failuresIn(lines);
  if (suites.runs === 0 && failures.list.length === 0) return undefined;
  return {
    passed: tests.count("passed"),
    failed: tests.count("failed"),
    skipped: tests.count("skipped", "todo", "pending"),
    failures: failures.list,
    duration_ms: durationOver(lines, /^Time: {1,9}([\d.]+ ?[a-z]+)/),
    complete: suites.runs > 0,
    broke: false,
  };
}

function failuresIn(lines: readonly string[]): Failures {
  const failures = new Failures();
  let file: string | undefined;
  const head = (line: string) => FILE.exec(line) ?? TEST.exec(line) ?? undefined;
  for (const { head: match, body } of sections(lines, head, (line) => line.startsWith("Test Suites:"))) {
    if (match.length === 3) file = match[1] === "FAIL" ? (match[2] ?? "").replace(/ \([\d.]+ ?m?s\)$/, "") : undefined;
    else if (file !== undefined && !NOTES.has(match[1] ?? "")) {
      const at = stackPlace(body);
      const line = at?.file.endsWith(file) ? at.line : null;
      failures.add((match[1] ?? "").replaceAll(" › ", " > "), { file, line }, aboveCode(body));
    }
  }
  return failures;
}

/** The code frame repeats the place. */
function aboveCode(body: readonly string[]): readonly string[] {
  const end = body.findIndex((line) => /^ {4,8}(?:>| ) {1,4}\d{1,6} \|/.test(line));
  return aboveStack(end < 0 ? body : body.slice(0, end));
}
