// `deno test`: errors in their own section, then one closing line.
import { Failures, type Parsed, type Parser, sections } from "../parser.ts";
import { aboveStack, countsIn, durationMs, lastMatch, placeOf, stackPlace } from "../reading.ts";

export const deno: Parser = { runner: "deno", marks: ["ok | ", "FAILED | "], parse };

function parse(lines: readonly string[]): Parsed | undefined {
  const closing = lastMatch(lines, /^(?:ok|FAILED) \| (\d.*) \(([^()]{1,20})\)$/);
  if (closing === undefined) return undefined;
  const counts = countsIn(closing[1] ?? "");
  const failures = new Failures();
  const at = lines.findIndex((line) => line.trim() === "ERRORS");
  const head = (line: string) => /^(\S.*) => (\S+:\d{1,7}(?::\d{1,7})?)$/.exec(line) ?? undefined;
  const ends = (line: string) => line.trim() === "FAILURES";
  for (const { head: match, body } of sections(at < 0 ? [] : lines.slice(at), head, ends)) {
    const defined = placeOf((match[2] ?? "").replace(/^\.\//, ""));
    const thrown = stackPlace(body);
    const line = defined && thrown?.file.endsWith(defined.file) ? thrown.line : (defined?.line ?? null);
    failures.add(
      (match[1] ?? "").replaceAll(" ... ", " > "),
      defined && { file: defined.file, line },
      aboveStack(body),
    );
  }
  return {
    passed: counts("passed"),
    failed: counts("failed"),
    skipped: counts("ignored"),
    failures: failures.list,
    duration_ms: durationMs(closing[2] ?? ""),
    complete: true,
    broke: false,
  };
}
