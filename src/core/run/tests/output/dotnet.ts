// `dotnet test`: one closing line per test assembly (VSTest), or one for all (the terminal logger).
import { Failures, type Parsed, type Parser, sections } from "./parser.ts";
import { allMatches, durationMs, fieldsIn, lastMatch } from "./reading.ts";

export const dotnet: Parser = { runner: "dotnet", marks: ["Failed: ", "Test summary: ", "Total tests: "], parse };

function parse(lines: readonly string[]): Parsed | undefined {
  const each = allMatches(lines, /^ *(?:Passed|Failed|Skipped)! +- (Failed: .*Total: +\d+, Duration: ([^-]{1,30}))/);
  const whole = lastMatch(lines, /^ *Test summary: (total: .*duration: ([\d.]+ ?m?s))/);
  const closings = whole === undefined ? each : [whole];
  if (closings.length === 0) return undefined;
  const fields = closings.map((match) => fieldsIn(`,${match[1] ?? ""}`));
  const sum = (...words: string[]) => fields.reduce((all, field) => all + field(...words), 0);
  const durations = closings.map((match) => durationMs(match[2] ?? "") ?? 0);
  return {
    passed: sum("passed", "succeeded"),
    failed: sum("failed"),
    skipped: sum("skipped"),
    failures: failuresIn(lines).list,
    duration_ms: durations.reduce((all, one) => all + one, 0),
    complete: true,
    broke: false,
  };
}

function failuresIn(lines: readonly string[]): Failures {
  const failures = new Failures();
  const head = (line: string) => /^ *(?:\[xUnit.*\] +)?Failed (\S.*?) \[[<\d][^\]]{0,20}\]$/.exec(line)?.[1];
  for (const { head: name, body } of sections(lines, head, (line) => /^ {0,2}(?:Passed|Failed!|Skipped) /.test(line))) {
    const at = lastMatch(body, / in (\S.*):line (\d{1,7})$/);
    const stack = body.findIndex((line) => line.trim() === "Stack Trace:");
    const message = (stack < 0 ? body : body.slice(0, stack)).filter((line) => line.trim() !== "Error Message:");
    failures.add(name, at && { file: at[1] ?? "", line: Number(at[2]) }, message);
  }
  for (const match of allMatches(lines, /^ *(\/[^()]{1,400})\((\d{1,7})\): error TESTERROR: (\S.*)$/)) {
    const [name = "", ...rest] = (match[3] ?? "").split(": ");
    failures.add(name.replace(/ \([\d.]+m?s\)$/, ""), { file: match[1] ?? "", line: Number(match[2]) }, [
      rest.join(": "),
    ]);
  }
  return failures;
}
