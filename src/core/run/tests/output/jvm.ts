// Maven (Surefire, Failsafe) and Gradle. Gradle prints counts only when something failed. A silent success has no numbers, and
// we invent none.
import { Failures, type Parsed, type Parser, sections } from "./parser.ts";
import { allMatches, countsIn, durationMs, fieldsIn, lastMatch } from "./reading.ts";

export const maven: Parser = { runner: "maven", marks: ["Tests run: "], parse: parseMaven };
export const gradle: Parser = { runner: "gradle", marks: ["BUILD FAILED", "BUILD SUCCESSFUL"], parse: parseGradle };

const LEVEL = /^\[(?:INFO|ERROR|WARNING)\] ?/;

function parseMaven(lines: readonly string[]): Parsed | undefined {
  // Without "Time elapsed" it is a module's total, not a class's.
  const totals = allMatches(lines, /^(?:\[[A-Z]+\] )?(Tests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+)$/);
  if (totals.length === 0) return undefined;
  const fields = totals.map((match) => fieldsIn(match[1] ?? ""));
  const sum = (...words: string[]) => fields.reduce((all, field) => all + field(...words), 0);
  const failed = sum("failures", "errors");
  const took = lastMatch(lines, /^\[INFO\] Total time: {1,3}([\d.:]+ ?\w*)/)?.[1] ?? "";
  return {
    passed: Math.max(0, sum("tests run") - failed - sum("skipped")),
    failed,
    skipped: sum("skipped"),
    failures: mavenFailures(lines).list,
    duration_ms: durationMs(/^[\d:]+ min/.test(took) ? took.replace(" min", "") : took),
    complete: true,
    broke: false,
  };
}

function mavenFailures(lines: readonly string[]): Failures {
  const failures = new Failures();
  const sources = new Map(
    allMatches(lines, /\((([\w$]{1,200})\.(?:java|kt|groovy|scala)):\d{1,7}\)$/).map((match) => [match[2], match[1]]),
  );
  const head = (line: string) => /^\[ERROR\] (?:Failures|Errors):$/.exec(line)?.[0];
  for (const { body } of sections(lines, head, (line) => /^\[[A-Z]+\] Tests run: /.test(line))) {
    for (const { head: entry, body: rest } of sections(body, (line) => /^\[ERROR\] {3}(\S.*)$/.exec(line)?.[1])) {
      const placed = /^(\S.{0,300}?):(\d{1,7})(?:->\S+)? ?(.*)$/.exec(entry);
      const [, name = "", line, message = ""] = placed ?? /^(\S+)()? ?(.*)$/.exec(entry) ?? [];
      // "Child>Parent.method" is in the parent's file, "Outer$Inner" in the outer class's file.
      const type = name
        .replace(/\.[^.]*$/, "")
        .split(/[.>]/)
        .at(-1)
        ?.split("$")[0];
      const file = sources.get(type);
      const at = file === undefined ? undefined : { file, line: line ? Number(line) : null };
      failures.add(name, at, [message, ...rest.map((one) => one.replace(LEVEL, ""))]);
    }
  }
  return failures;
}

function parseGradle(lines: readonly string[]): Parsed | undefined {
  const built = lastMatch(lines, /^BUILD (SUCCESSFUL|FAILED) in (.{1,30})$/);
  const completed = allMatches(lines, /^(\d{1,9} tests? completed.*)$/).map((match) => countsIn(match[1] ?? ""));
  const results = allMatches(lines, /^(\S.* > \S.*) (PASSED|FAILED|SKIPPED)$/);
  if (built === undefined || (completed.length === 0 && results.length === 0)) return undefined;
  const failures = new Failures();
  const head = (line: string) => /^(\S.* > \S.*) (PASSED|FAILED|SKIPPED)$/.exec(line) ?? undefined;
  for (const { head: match, body } of sections(lines, head, (line) => /^\S/.test(line))) {
    if (match[2] !== "FAILED") continue;
    const at = lastMatch(body, /(?: at |\()([\w$]{1,200}\.(?:java|kt|groovy|scala)):(\d{1,7})\)?$/);
    failures.add(match[1] ?? "", at && { file: at[1] ?? "", line: Number(at[2]) }, body);
  }
  const counted = (outcome: string) => results.filter((match) => match[2] === outcome).length;
  const said = (...words: string[]) => completed.reduce((sum, counts) => sum + counts(...words), 0);
  const [failed, skipped] = [said("failed"), said("skipped")];
  const total = completed.reduce((sum, counts) => sum + counts("test"), 0);
  return {
    passed: completed.length > 0 ? Math.max(0, total - failed - skipped) : counted("PASSED"),
    failed: Math.max(failed, counted("FAILED")),
    skipped: Math.max(skipped, counted("SKIPPED")),
    failures: failures.list,
    duration_ms: durationMs(built[2] ?? ""),
    complete: true,
    broke: false,
  };
}
