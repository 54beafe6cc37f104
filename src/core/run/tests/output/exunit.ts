// `mix test`.
import { Failures, type Parsed, type Parser, sections } from "./parser.ts";
import { countsIn, durationMs, lastMatch, placeOf } from "./reading.ts";

export const exunit: Parser = { runner: "mix", marks: ["Finished in "], parse };

function parse(lines: readonly string[]): Parsed | undefined {
  const closing = lastMatch(lines, /^(?:\d+ (?:doctests?|propert(?:y|ies)), )*(\d{1,9} tests?, \d{1,9} failures?.*)$/);
  const took = lastMatch(lines, /^Finished in ([\d.]{1,15} seconds?)(?: \(|$)/);
  if (closing === undefined || took === undefined) return undefined;
  const counts = countsIn(closing[0]);
  const skipped = counts("skipped", "excluded");
  const failed = counts("failure", "invalid");
  const failures = new Failures();
  const head = (line: string) => /^ {2}\d{1,6}\) (?:test |doctest )?(\S.*)$/.exec(line)?.[1];
  for (const { head: name, body } of sections(lines, head, (line) => line.startsWith("Finished in "))) {
    const [defined = "", ...rest] = body.filter((line) => line.trim() !== "");
    const stack = rest.findIndex((line) => line.trim() === "stacktrace:");
    const at = placeOf(defined);
    const frames = stack < 0 ? [] : rest.slice(stack);
    const thrown = frames
      .flatMap((line) => placeOf(line.replace(/: .*$/, "")) ?? [])
      .find((one) => one.file === at?.file);
    failures.add(name, thrown ?? at, stack < 0 ? rest : rest.slice(0, stack));
  }
  return {
    passed: Math.max(0, counts("test", "doctest", "property", "properties") - failed - skipped),
    failed,
    skipped,
    failures: failures.list,
    duration_ms: durationMs(took[1] ?? ""),
    complete: true,
    broke: false,
  };
}
