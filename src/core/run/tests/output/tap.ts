// The Test Anything Protocol: tape, tap, ava --tap, Node's runner without a terminal. We trust closing comments
// over our own count. Without them the plan must match our count, or the run counts as cut short.
import { Failures, type Parsed, type Parser, sections } from "./parser.ts";
import { lastMatch, placeOf, stackPlace } from "./reading.ts";

export const tap: Parser = { runner: "tap", marks: ["TAP version", "ok 1"], parse };

const POINT = /^( *)(not ok|ok)(?: (\d{1,9}))?(?: -)?(?: (.*))?$/;

function parse(lines: readonly string[]): Parsed | undefined {
  const plan = lastMatch(lines, /^1\.\.(\d{1,9})/);
  const points = { ok: 0, failed: 0, skipped: 0 };
  for (const line of lines) {
    const point = /^(?:not )?ok\b/.test(line) ? POINT.exec(line) : null;
    if (point === null) continue;
    if (/# (?:skip|todo)/i.test(point[4] ?? "")) points.skipped += 1;
    else if (point[2] === "ok") points.ok += 1;
    else points.failed += 1;
  }
  const counted = points.ok + points.failed + points.skipped;
  if (counted === 0 || (plan === undefined && !lines.some((line) => line.startsWith("TAP version ")))) return undefined;
  const said = (word: string) => lastMatch(lines, new RegExp(`^# ${word} {1,9}(\\d{1,9}(?:\\.\\d+)?)$`))?.[1];
  const passed = said("pass");
  return {
    passed: passed === undefined ? points.ok : Number(passed),
    failed: passed === undefined ? points.failed : Number(said("fail") ?? 0) + Number(said("cancelled") ?? 0),
    skipped: said("skipped") === undefined ? points.skipped : Number(said("skipped")) + Number(said("todo") ?? 0),
    failures: failuresIn(lines).list,
    duration_ms: Math.round(Number(said("duration_ms"))) || null,
    complete: plan !== undefined && Number(plan[1]) === counted,
    broke: lines.some((line) => line.startsWith("Bail out!")),
  };
}

function failuresIn(lines: readonly string[]): Failures {
  const failures = new Failures();
  const head = (line: string) => (/^ *not ok\b/.test(line) ? (POINT.exec(line) ?? undefined) : undefined);
  for (const { head: point, body } of sections(lines, head, (line) => /^ *(?:ok\b|# |\.\.\.$)/.test(line))) {
    const title = point[4] ?? `test ${point[3] ?? ""}`;
    if (/# (?:skip|todo)/i.test(title)) continue;
    const field = (name: string) => yamlValue(body, name);
    // A suite fails because of its tests, and we report the tests.
    if (field("failureType")?.[0] === "subtestsFailed") continue;
    const said = field("location")?.[0] ?? field("at")?.[0] ?? "";
    const open = said.lastIndexOf("(");
    const defined = placeOf(open < 0 ? said : said.slice(open + 1).replace(/\)$/, ""));
    const thrown = stackPlace((field("stack") ?? []).map((line) => `at ${line.trim().replace(/^at /, "")}`));
    const at = defined === undefined || defined.file === thrown?.file ? thrown : defined;
    failures.add(title, at, field("error") ?? field("message") ?? plain(body));
  }
  return failures;
}

/** No field has a message, so we take all fields except the place and the stack. */
function plain(body: readonly string[]): readonly string[] {
  const end = body.findIndex((line) => /^ *(?:at|stack):/.test(line));
  return (end < 0 ? body : body.slice(0, end)).filter((line) => !/^ *---$/.test(line));
}

/** The value of a YAML field, as lines. */
function yamlValue(body: readonly string[], name: string): string[] | undefined {
  const at = body.findIndex((line) => line.trimStart().startsWith(`${name}:`));
  const line = body[at];
  if (line === undefined) return undefined;
  const value = line.slice(line.indexOf(":") + 1).trim();
  if (!/^[|>]-?$/.test(value)) return [value.replace(/^(['"])(.*)\1$/, "$2")];
  const indent = line.length - line.trimStart().length;
  const rest = body.slice(at + 1);
  const end = rest.findIndex((other) => other.trim() !== "" && other.length - other.trimStart().length <= indent);
  return end < 0 ? rest : rest.slice(0, end);
}
