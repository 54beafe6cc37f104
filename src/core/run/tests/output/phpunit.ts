// PHPUnit's default printer.
import { Failures, type Parsed, type Parser, sections } from "./parser.ts";
import { durationMs, fieldsIn, lastMatch, placeOf } from "./reading.ts";

export const phpunit: Parser = { runner: "phpunit", marks: ["OK (", "Assertions: "], parse };

function parse(lines: readonly string[]): Parsed | undefined {
  const fine = lastMatch(lines, /^OK \((\d{1,9}) tests?, \d{1,9} assertions?\)$/);
  const counted = lastMatch(lines, /^(Tests: \d{1,9}, Assertions: \d{1,9}.*)\.$/);
  if (fine === undefined && counted === undefined) return undefined;
  const fields = fieldsIn(counted?.[1] ?? "");
  const failed = fields("failures", "errors");
  const skipped = fields("skipped", "incomplete");
  const failures = new Failures();
  const head = (line: string) => /^\d{1,6}\) (\S+::\S.*)$/.exec(line)?.[1];
  const ends = (line: string) => /^(?:--|FAILURES!|ERRORS!|Tests: \d|There (?:was|were) \d|OK[ ,])/.test(line);
  for (const { head: name, body } of sections(lines, head, ends)) {
    const places = body.flatMap((line) => placeOf(line) ?? []);
    const at = places.find((place) => !place.file.includes("/vendor/"));
    failures.add(
      name,
      at,
      body.filter((line) => placeOf(line) === undefined),
    );
  }
  return {
    passed: fine === undefined ? Math.max(0, fields("tests") - failed - skipped) : Number(fine[1]),
    failed,
    skipped,
    failures: failures.list,
    duration_ms: durationMs(lastMatch(lines, /^Time: ([\d:.]{1,20}(?: ?[a-z]+)?)/)?.[1] ?? ""),
    complete: true,
    broke: false,
  };
}
