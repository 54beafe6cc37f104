// Node's own runner with its spec reporter, the default on a terminal. Elsewhere it prints TAP (tap.ts).
import { Failures, type Parsed, type Parser, sections } from "../parser.ts";
import { aboveStack, allMatches, fieldsIn, placeOf, stackPlace, tally } from "../reading.ts";

export const nodeTest: Parser = { runner: "node", marks: ["ℹ pass ", "✖ failing tests:"], parse };

function parse(lines: readonly string[]): Parsed | undefined {
  const totals = tally(lines, /^ℹ ((?:tests|pass|fail|cancelled|skipped|todo) \d{1,9})$/, (text) =>
    fieldsIn(text.replace(" ", ":")),
  );
  if (totals.runs === 0) return undefined;
  const failures = new Failures();
  const at = lines.indexOf("✖ failing tests:");
  for (const { head, body } of sections(at < 0 ? [] : lines.slice(at), (line) => /^test at (\S.*)$/.exec(line)?.[1])) {
    const [title = "", ...rest] = body;
    const defined = placeOf(head);
    const thrown = stackPlace(rest);
    const line = defined && thrown?.file.endsWith(defined.file) ? thrown.line : (defined?.line ?? null);
    failures.add(nameOf(title), defined && { file: defined.file, line }, aboveStack(rest));
  }
  return {
    passed: totals.count("pass"),
    failed: totals.count("fail", "cancelled"),
    skipped: totals.count("skipped", "todo"),
    failures: failures.list,
    duration_ms: durationIn(lines),
    complete: true,
    broke: false,
  };
}

function durationIn(lines: readonly string[]): number | null {
  const each = allMatches(lines, /^ℹ duration_ms (\d{1,9}(?:\.\d{1,9})?)$/).map((match) => Number(match[1]));
  return each.length === 0 ? null : Math.round(each.reduce((sum, one) => sum + one, 0));
}

function nameOf(title: string): string {
  return title.replace(/^✖ /, "").replace(/ \(\d[\d.]*ms\)$/, "");
}
