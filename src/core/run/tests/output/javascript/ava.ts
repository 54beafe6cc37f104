// AVA's default reporter: failures between rules, counts in sentences.
import { Failures, type Parsed, type Parser } from "../parser.ts";
import { lastMatch, placeOf } from "../reading.ts";

export const ava: Parser = { runner: "ava", marks: [" passed", " failed"], parse };

const FAILED = /^ {2}[✘✖×] \[fail\]: (\S.*)$/;

function parse(lines: readonly string[]): Parsed | undefined {
  const count = (what: string) =>
    lastMatch(lines, new RegExp(`^ {2}(\\d{1,9}) (?:tests?|hooks?|uncaught) ${what}$`))?.[1];
  const passed = count("passed");
  const failed = count("(?:failed|exceptions?)");
  if (passed === undefined && failed === undefined) return undefined;
  const failures = new Failures();
  const titles = new Map(lines.map((line, i) => [line, i]));
  for (const line of lines) {
    const name = FAILED.exec(line)?.[1];
    if (name === undefined) continue;
    const title = name.replace(/ › /g, " > ").replace(/ \([\d.]+m?s\)$/, "");
    // The details follow below, under the title alone.
    const at = titles.get(`  ${name}`);
    const below = at === undefined ? [] : lines.slice(at + 1, at + 40);
    const end = below.findIndex((one) => one.trim() === "─");
    const body = (end < 0 ? below : below.slice(0, end)).filter((one) => one.trim() !== "");
    failures.add(title, placeOf(body[0] ?? ""), body.slice(1));
  }
  return {
    passed: Number(passed ?? 0),
    failed: Number(failed ?? 0),
    skipped: Number(count("skipped") ?? 0) + Number(count("todo") ?? 0),
    failures: failures.list,
    duration_ms: null,
    complete: true,
    broke: false,
  };
}
