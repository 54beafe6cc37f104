// RSpec and Minitest (also as Rails and rake run it, and test-unit's closing line).
import { Failures, type Parsed, type Parser, type Place, sections } from "./parser.ts";
import { durationOver, tally } from "./reading.ts";

export const rspec: Parser = { runner: "rspec", marks: [" examples, ", " example, "], parse: parseRspec };
export const minitest: Parser = { runner: "minitest", marks: [" assertions, "], parse: parseMinitest };

function parseRspec(lines: readonly string[]): Parsed | undefined {
  const { runs, count: counts } = tally(lines, /^(\d{1,9} examples?, \d{1,9} failures?.*)$/);
  if (runs === 0) return undefined;
  const failures = new Failures();
  const at = lines.indexOf("Failures:");
  const head = (line: string) => /^ {2}\d{1,6}\) (\S.*)$/.exec(line)?.[1];
  const ends = (line: string) => /^(?:Finished in |Failed examples:|Pending:)/.test(line);
  for (const { head: name, body } of sections(at < 0 ? [] : lines.slice(at), head, ends)) {
    const frame = body.findIndex((line) => /^ +# \S/.test(line));
    failures.add(name, rubyPlace(body), frame < 0 ? body : body.slice(0, frame));
  }
  const failed = counts("failure", "error");
  return {
    passed: Math.max(0, counts("example") - counts("failure") - counts("pending")),
    failed,
    skipped: counts("pending"),
    failures: failures.list,
    duration_ms: durationOver(lines, /^Finished in ([\d.a-z ]{1,40}) \(/),
    complete: true,
    broke: false,
  };
}

function parseMinitest(lines: readonly string[]): Parsed | undefined {
  const { runs, count: counts } = tally(
    lines,
    /^(\d{1,9} (?:runs|tests), \d{1,9} assertions, \d{1,9} failures, \d{1,9} errors.*)$/,
  );
  if (runs === 0) return undefined;
  const skipped = counts("skip", "pending", "omission");
  const failures = new Failures();
  const head = (line: string) => /^(?: *\d{1,6}\) )?(Failure|Error):$/.exec(line)?.[1];
  const ends = (line: string) => /^(?:\d+ (?:runs|tests), |(?:bin\/)?rails test |Finished in |rake test )/.test(line);
  for (const { head: kind, body } of sections(lines, head, ends)) {
    const filled = body.filter((line) => line !== "");
    const match = /^(\S.*?)(?: \[([^\]]{1,400}):(\d{1,7})\])?:$/.exec(filled[0] ?? "");
    if (match === null) continue;
    const at = match[2] === undefined ? rubyPlace(filled) : { file: match[2], line: Number(match[3]) };
    const frame = filled.findIndex((line) => kind === "Error" && /^ {4}\S+:\d+:in /.test(line));
    failures.add(match[1] ?? "", at, filled.slice(1, frame < 0 ? undefined : frame));
  }
  const failed = counts("failure", "error");
  return {
    passed: Math.max(0, counts("run", "test") - failed - skipped),
    failed,
    skipped,
    failures: failures.list,
    duration_ms: durationOver(lines, /^Finished in ([\d.]{1,20} ?s)/),
    complete: true,
    broke: false,
  };
}

function rubyPlace(body: readonly string[]): Place | undefined {
  for (const line of body) {
    const match = /^ +(?:# )?(?:\.\/)?([^\s:]{1,400}):(\d{1,7})(?::in |$)/.exec(line);
    if (match !== null && !(match[1] ?? "").includes("/gems/")) return { file: match[1] ?? "", line: Number(match[2]) };
  }
  return undefined;
}
