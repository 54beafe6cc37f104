// `ctest`: a line per test, then how many of them passed.
import { Failures, type Parsed, type Parser, sections } from "./parser.ts";
import { allMatches, durationMs, lastMatch } from "./reading.ts";

export const ctest: Parser = { runner: "ctest", marks: ["% tests passed, "], parse };

const RESULT = /^ *\d{1,6}\/\d{1,6} Test +#\d{1,6}: (\S.*?) \.+ *(Passed|\*{3}.*?) +[\d.]+ sec$/;

function parse(lines: readonly string[]): Parsed | undefined {
  const closing = lastMatch(lines, /^\d{1,3}% tests passed, (\d{1,9}) tests? failed out of (\d{1,9})$/);
  if (closing === undefined) return undefined;
  const skipped = allMatches(lines, RESULT).filter((match) => isSkip(match[2] ?? "")).length;
  const failures = new Failures();
  const ends = (line: string) => /^ *(?:Start +\d+: |\d+% tests passed)/.test(line);
  for (const { head, body } of sections(lines, (line) => RESULT.exec(line) ?? undefined, ends)) {
    const outcome = (head[2] ?? "").replace(/^\*+/, "");
    if (outcome !== "Passed" && !isSkip(head[2] ?? "")) failures.add(head[1] ?? "", undefined, [outcome, ...body]);
  }
  const failed = Number(closing[1]);
  const took = lastMatch(lines, /^Total Test time \(real\) = +([\d.]+ sec)/);
  return {
    passed: Math.max(0, Number(closing[2]) - failed - skipped),
    failed,
    skipped,
    failures: failures.list,
    duration_ms: durationMs(took?.[1] ?? ""),
    complete: true,
    broke: false,
  };
}

function isSkip(outcome: string): boolean {
  return /^\*+(?:Skipped|Not Run \(Disabled\))/.test(outcome);
}
