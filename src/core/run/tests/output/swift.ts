// `swift test`: XCTest and Swift Testing may both report in one run. We add up what they ran.
import { Failures, type Parsed, type Parser } from "./parser.ts";
import { allMatches, lastMatch } from "./reading.ts";

export const swift: Parser = { runner: "swift", marks: ["Executed ", "Test run with "], parse };

function parse(lines: readonly string[]): Parsed | undefined {
  const old = lastMatch(
    lines,
    /^\s*Executed (\d{1,9}) tests?, with (?:(\d{1,9}) tests? skipped and )?(\d{1,9}) failures? .* in ([\d.]+)/,
  );
  const young = lastMatch(lines, /^\S{1,2} +Test run with (\d{1,9}) tests?.* (passed|failed) after ([\d.]+) seconds/);
  if (old === undefined && young === undefined) return undefined;
  const failures = new Failures();
  for (const match of allMatches(lines, /^(\/[^:]{1,400}):(\d{1,7}): error: (?:-\[)?([^\]:]{1,300})\]? : (.*)$/)) {
    const at = { file: match[1] ?? "", line: Number(match[2]) };
    failures.add((match[3] ?? "").replace(" ", ".").trim(), at, [match[4] ?? ""]);
  }
  const oldFailed = new Set(allMatches(lines, /^Test Case '(.{1,300})' failed \(/).map((match) => match[1])).size;
  const issues = allMatches(lines, /^\S{1,2} +Test (\S.*) recorded an issue at ([^:\s]{1,300}):(\d{1,7}):\d+: (.*)$/);
  for (const match of issues) {
    failures.add((match[1] ?? "").replaceAll('"', ""), { file: match[2] ?? "", line: Number(match[3]) }, [
      match[4] ?? "",
    ]);
  }
  const youngFailed = new Set(issues.map((match) => match[1])).size;
  const skipped = Number(old?.[2] ?? 0);
  const seconds = Number(old?.[4] ?? 0) + Number(young?.[3] ?? 0);
  return {
    passed: Math.max(0, Number(old?.[1] ?? 0) + Number(young?.[1] ?? 0) - oldFailed - youngFailed - skipped),
    failed: oldFailed + youngFailed,
    skipped,
    failures: failures.list,
    duration_ms: Math.round(seconds * 1_000),
    complete: true,
    broke: young?.[2] === "failed" && youngFailed === 0,
  };
}
