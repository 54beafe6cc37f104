// Vitest's default, verbose and dot reporters. The live display repeats the counts with single spaces. We trust only the closing
// counts, which are aligned with two spaces.
import { Failures, type Parsed, type Parser, type Place, sections } from "../parser.ts";
import { allMatches, durationOver, placeOf, tally } from "../reading.ts";

export const vitest: Parser = { runner: "vitest", marks: ["Test Files  ", " FAIL  "], parse };

const HEAD = /^ ?FAIL {2}(?:\|[^|]{1,60}\| )?(\S.*)$/;

function parse(lines: readonly string[]): Parsed | undefined {
  const closed = allMatches(lines, /^ {0,4}Test Files {2}(\S.*)$/).length;
  const started = allMatches(lines, /^ ?(?:RUN|DEV) {1,2}v\d/).length;
  const failures = failuresIn(lines);
  if (closed === 0 && (started === 0 || failures.list.length === 0)) return undefined;
  const { count } = tally(lines, /^ {0,9}Tests {2}(\S.*)$/);
  return {
    // "1 expected fail" is a test that failed as expected.
    passed: count("passed", "expected"),
    failed: count("failed"),
    skipped: count("skipped", "todo"),
    failures: failures.list,
    duration_ms: durationOver(lines, /^ {0,6}Duration {2}(\S+)/),
    complete: closed > 0 && closed >= started,
    broke: lines.some((line) => /^ {0,8}Errors {2}\d{1,9} errors?$/.test(line)),
  };
}

function failuresIn(lines: readonly string[]): Failures {
  const failures = new Failures();
  const found = sections(
    lines,
    (line) => HEAD.exec(line)?.[1],
    (line) => line.startsWith("⎯⎯"),
  );
  for (const [i, { head, body }] of found.entries()) {
    // An error shared by several tests is printed once, below the last of their headings.
    const details = body.length > 0 ? body : (found.slice(i).find((later) => later.body.length > 0)?.body ?? []);
    const [file = head, ...names] = head.replace(/ \[ .* \]$/, "").split(" > ");
    const end = details.findIndex((line) => line.startsWith(" ❯ "));
    const name = names.length > 0 ? names.join(" > ") : file;
    failures.add(name, placeAmong(details, file), end < 0 ? details : details.slice(0, end));
  }
  return failures;
}

function placeAmong(body: readonly string[], file: string): Place {
  const places = body.flatMap((line) => {
    const at = line.startsWith(" ❯ ") ? placeOf(line.slice(line.lastIndexOf(" ") + 1)) : undefined;
    return at === undefined ? [] : [at];
  });
  return places.find((at) => at.file === file) ?? { file, line: null };
}
