// Playwright's list, line and dot reporters: numbered failures, then one line per outcome.
import { Failures, type Parsed, type Parser, sections } from "../parser.ts";
import { aboveStack, durationMs, lastMatch, placeOf, stackPlace } from "../reading.ts";

export const playwright: Parser = { runner: "playwright", marks: [" › "], parse };

const HEAD = /^ {2}\d{1,6}\) (?:\[[^\]]{1,60}\] › )?(\S.* › .*)$/;
const OUTCOME = /^ {2}(\d{1,9}) (passed|failed|flaky|skipped|did not run|interrupted)(?: \(([^)]{1,20})\))?$/;

function parse(lines: readonly string[]): Parsed | undefined {
  const outcomes = new Map<string, number>();
  let took = "";
  for (const line of lines) {
    const match = OUTCOME.exec(line);
    if (match === null) continue;
    outcomes.set(match[2] ?? "", Number(match[1]));
    took = match[3] ?? took;
  }
  const failures = failuresIn(lines);
  if (lastMatch(lines, /^Running \d{1,9} tests? using \d{1,4} workers?/) === undefined) return undefined;
  const count = (word: string) => outcomes.get(word) ?? 0;
  return {
    passed: count("passed") + count("flaky"),
    failed: count("failed") + count("interrupted"),
    skipped: count("skipped") + count("did not run"),
    failures: failures.list,
    duration_ms: durationMs(took),
    complete: outcomes.size > 0,
    broke: false,
  };
}

function failuresIn(lines: readonly string[]): Failures {
  const failures = new Failures();
  const ends = (line: string) => OUTCOME.test(line);
  for (const { head, body } of sections(lines, (line) => HEAD.exec(line)?.[1], ends)) {
    const [place = "", ...names] = head.replace(/[ ─]+$/, "").split(" › ");
    const defined = placeOf(place);
    const thrown = stackPlace(body);
    const line = defined && thrown?.file.endsWith(defined.file) ? thrown.line : (defined?.line ?? null);
    const frame = body.findIndex((one) => /^ {4,8}(?:>| ) {1,4}\d{1,6} \|/.test(one));
    failures.add(
      names.join(" > "),
      defined && { file: defined.file, line },
      aboveStack(frame < 0 ? body : body.slice(0, frame)),
    );
  }
  return failures;
}
