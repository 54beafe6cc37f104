// pytest in its usual, quiet and verbose forms. Names come from the short summary when it is there, messages and places
// from the sections above it. Either alone is enough.
import { Failures, type Parsed, type Parser, type Place, type Section, sections } from "./parser.ts";
import { allMatches, countsIn, durationOver, tally } from "./reading.ts";

export const pytest: Parser = {
  runner: "pytest",
  marks: ["passed", "failed", "error", "no tests ran", "skipped"],
  parse,
};

const WORDS =
  "passed|failed|errors?|skipped|xfailed|xpassed|deselected|warnings?|rerun|subtests passed|subtests failed";
const COUNTS = `(?:no tests ran|\\d{1,9} (?:${WORDS}))(?:, \\d{1,9} (?:${WORDS}))*`;
const TIME = "in ([\\d.]{1,12}s)(?: \\([\\d:, a-z]{1,30}\\))?";
/** The closing line, with rules around it or bare when quiet. It always has the time, so no prose matches. */
const CLOSING = new RegExp(`^(?:=+ )?(${COUNTS} ${TIME})(?: =+)?$`);
const CLOSING_TIME = new RegExp(`^(?:=+ )?${COUNTS} ${TIME}(?: =+)?$`);
const TITLE = /^_{3,} (\S.*\S|\S) _{3,}$/;
const SHORT = /^(?:FAILED|ERROR) (\S.*)$/;
const PLACE = /^([^\s:][^:]{0,400}):(\d{1,7}): /;

function parse(lines: readonly string[]): Parsed | undefined {
  const { runs, count } = tally(lines, CLOSING, (text) => countsIn(text.replaceAll("subtests ", "subtest-")));
  if (runs === 0) return undefined;
  return {
    passed: count("passed", "xpassed"),
    failed: count("failed", "error"),
    skipped: count("skipped", "xfailed"),
    failures: failuresIn(lines).list,
    duration_ms: durationOver(lines, CLOSING_TIME),
    complete: runs >= allMatches(lines, /^=+ test session starts =+$/).length,
    broke: lines.some((line) => line.startsWith("INTERNALERROR>")),
  };
}

function failuresIn(lines: readonly string[]): Failures {
  const failures = new Failures();
  const reports = sections(
    lines,
    (line) => TITLE.exec(line)?.[1],
    (line) => line.startsWith("====="),
  );
  const byTitle = new Map<string, Section<string>[]>();
  for (const one of reports) {
    const key = titleKey(one.head);
    byTitle.set(key, [...(byTitle.get(key) ?? []), one]);
  }
  const from = lines.findIndex((line) => /^=+ short test summary info =+$/.test(line));
  const short = from < 0 ? [] : lines.slice(from + 1).flatMap((line) => SHORT.exec(line)?.[1] ?? []);
  for (const entry of short) {
    const [id = "", message = ""] = cutOnce(entry, " - ");
    const [file = "", ...names] = id.split("::");
    const section = byTitle.get(names.length > 0 ? names.join(".") : file)?.shift();
    failures.add(id, { file, line: lineIn(section?.body ?? [], file) }, messageIn(section?.body ?? [], message));
  }
  if (short.length > 0) return failures;
  for (const { head, body } of reports) failures.add(titleKey(head), placesIn(body).at(-1), messageIn(body, head));
  return failures;
}

/** "ERROR at setup of test_x" and "ERROR collecting tests/test_x.py" end with the name of the test. */
function titleKey(title: string): string {
  return title.replace(/^ERROR (?:at (?:setup|teardown) of|collecting) /, "");
}

function cutOnce(text: string, by: string): string[] {
  const at = text.indexOf(by);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + by.length)];
}

function placesIn(body: readonly string[]): Place[] {
  return body.flatMap((line) => {
    const match = PLACE.exec(line);
    return match === null ? [] : [{ file: match[1] ?? "", line: Number(match[2]) }];
  });
}

/** The deepest place inside the test's own file. The message names the helper that failed. */
function lineIn(body: readonly string[], file: string): number | null {
  const places = placesIn(body);
  return places.findLast((at) => at.file === file || at.file.endsWith(`/${file}`))?.line ?? null;
}

function messageIn(body: readonly string[], otherwise: string): string[] {
  const said = body.filter((line) => /^E( |$)/.test(line)).map((line) => line.slice(1));
  return said.length > 0 ? said : [otherwise];
}
