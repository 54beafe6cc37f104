// `bun test`: a test's error comes above the line that names it.
import { Failures, type Parsed, type Parser } from "../parser.ts";
import { aboveStack, durationMs, lastMatch, stackPlace } from "../reading.ts";

export const bun: Parser = { runner: "bun", marks: ["Ran "], parse };

const RESULT = /^(✓|✗|»|✎|\(pass\)|\(fail\)|\(skip\)|\(todo\)) (\S.*?)(?: \[[\d.]+[mµ]?s\])?$/;
/** An error above its test: a code frame, the message and a stack. */
const ABOVE_LINES_MAX = 60;

function parse(lines: readonly string[]): Parsed | undefined {
  const ran = lastMatch(lines, /^Ran \d{1,9} tests? across \d{1,9} files?\.(?: \d+ snapshots?\.)? ?\[([^\]]{1,20})\]/);
  const count = (word: string) => Number(lastMatch(lines, new RegExp(`^ (\\d{1,9}) ${word}$`))?.[1] ?? 0);
  if (ran === undefined) return undefined;
  const failures = new Failures();
  let file: string | null = null;
  let since = 0;
  for (const [i, line] of lines.entries()) {
    const heading = /^(\S.*\.[cm]?[jt]sx?):$/.exec(line);
    const result = RESULT.exec(line);
    if (heading !== null) file = heading[1] ?? null;
    if (result?.[1] === "✗" || result?.[1] === "(fail)") {
      const above = lines.slice(Math.max(since, i - ABOVE_LINES_MAX), i);
      const message = above.findIndex((one) => /^(?:error|\w*Error):/.test(one));
      const at = stackPlace(above);
      const name = result[2] ?? "";
      failures.add(
        name,
        file === null ? at : { file, line: at?.line ?? null },
        aboveStack(above.slice(Math.max(0, message))),
      );
    }
    if (heading !== null || result !== null) since = i + 1;
  }
  return {
    passed: count("pass"),
    failed: count("fail"),
    skipped: count("skip") + count("todo"),
    failures: failures.list,
    duration_ms: durationMs(ran[1] ?? ""),
    complete: true,
    broke: false,
  };
}
