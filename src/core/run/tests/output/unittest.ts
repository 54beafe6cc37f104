// Python's unittest, and runners that print like it (Django). A test that ran without another outcome has passed.
import { Failures, type Parsed, type Parser, type Place, sections } from "./parser.ts";
import { durationOver, fieldsIn, lastMatch, tally } from "./reading.ts";

export const unittest: Parser = { runner: "unittest", marks: ["Ran "], parse };

const RAN = /^Ran \d{1,9} tests? in ([\d.]{1,15}s)$/;

function parse(lines: readonly string[]): Parsed | undefined {
  const ran = tally(lines, /^Ran (\d{1,9} tests?) in [\d.]{1,15}s$/);
  if (ran.runs === 0) return undefined;
  const first = lines.findIndex((line) => RAN.test(line));
  const closing = tally(lines.slice(first), /^(?:OK|FAILED|NO TESTS RAN)(?: \(([^)]{1,200})\))?$/, fieldsIn);
  const failed = closing.count("failures", "errors", "unexpected successes");
  const skipped = closing.count("skipped", "expected failures");
  const complete = closing.runs >= ran.runs;
  const failures = new Failures();
  const head = (line: string) => /^(?:FAIL|ERROR|UNEXPECTED SUCCESS): (\S.*)$/.exec(line)?.[1];
  for (const { head: title, body } of sections(lines, head, (line) => /^={70}$|^Ran \d/.test(line))) {
    const at = placeIn(body);
    failures.add(nameOf(title), at, messageIn(body));
  }
  return {
    // "Ran 3 tests" alone does not say how they ended.
    passed: complete ? Math.max(0, ran.count("test") - failed - skipped) : 0,
    failed,
    skipped,
    failures: failures.list,
    duration_ms: durationOver(lines, RAN),
    complete,
    broke: false,
  };
}

/** "test_x (test_sum.Sum.test_x)" since 3.11, "test_x (test_sum.Sum)" before. */
function nameOf(title: string): string {
  const match = /^(\S+) \(([^()\s]+)\)(?: (.+))?$/.exec(title);
  if (match === null) return title;
  const [, test = "", path = "", more] = match;
  const full = path.endsWith(`.${test}`) ? path : `${path}.${test}`;
  return more === undefined ? full : `${full} ${more}`;
}

function placeIn(body: readonly string[]): Place | undefined {
  const frame = lastMatch(
    body.filter((line) => !/\/unittest\/\w+\.py"/.test(line)),
    /^ {2}File "([^"]{1,500})", line (\d{1,7})/,
  );
  return frame === undefined ? undefined : { file: frame[1] ?? "", line: Number(frame[2]) };
}

/** The message starts at the exception's line, after the last frame. */
function messageIn(body: readonly string[]): readonly string[] {
  const text = body.filter((line) => !/^-{70}$/.test(line));
  const last = text.findLastIndex((line) => line.startsWith('  File "'));
  const rest = text.slice(last + 1);
  const from = rest.findIndex((line) => line !== "" && !line.startsWith("    "));
  return from < 0 ? rest : rest.slice(from);
}
