// `cargo nextest run`: a result line per test, the output of failed ones, one closing summary.
import { aboveBacktrace, panicIn } from "./cargo.ts";
import { Failures, type Parsed, type Parser, sections } from "./parser.ts";
import { allMatches, countsIn, durationMs, lastMatch } from "./reading.ts";

export const nextest: Parser = { runner: "nextest", marks: ["     Summary ["], parse };

const RESULT =
  /^ *(?:TRY \d+ )?(PASS|FAIL|SIGABRT|SIGSEGV|TIMEOUT|ABORT|LEAK|FLAKY) \[ *[\d.>]+s\] (?:\( *\d+\/\d+\) )?(\S+) (\S.*)$/;

function parse(lines: readonly string[]): Parsed | undefined {
  const closing = lastMatch(lines, /^ {5}Summary \[ *([\d.]+s)\] (.*\d+ tests? run: .*)$/);
  if (closing === undefined) return undefined;
  const counts = countsIn((closing[2] ?? "").replace(/\([^)]*\)/g, ""));
  const failures = new Failures();
  // After it the failed tests are listed again without details.
  const details = lines.slice(0, lines.lastIndexOf(closing[0]));
  // A test that fails and is tried again until it passes has passed.
  const passed = new Set(
    allMatches(details, RESULT)
      .filter((match) => match[1] === "PASS")
      .map((match) => `${match[2]} ${match[3]}`),
  );
  const head = (line: string) => RESULT.exec(line) ?? undefined;
  for (const { head: match, body } of sections(details, head, (line) => /^(?:─{4}| {5}Summary )/.test(line))) {
    if (passed.has(`${match[2]} ${match[3]}`) || match[1] === "PASS" || match[1] === "LEAK" || match[1] === "FLAKY")
      continue;
    const at = panicIn(body.map((line) => line.trim()));
    failures.add(`${match[2]} ${match[3]}`, at, aboveBacktrace(body.slice(at?.from ?? 0)));
  }
  return {
    passed: counts("passed"),
    failed: counts("failed", "timed", "exec"),
    skipped: counts("skipped"),
    failures: failures.list,
    duration_ms: durationMs(closing[1] ?? ""),
    complete: true,
    broke: false,
  };
}
