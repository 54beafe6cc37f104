// `cargo test`: one result per test program, added up. A program that announced its tests and gave no result has crashed.
import { Failures, type Parsed, type Parser, type Place, sections } from "./parser.ts";
import { allMatches } from "./reading.ts";

export const cargo: Parser = { runner: "cargo", marks: ["test result: ", "\nrunning "], parse };

const RESULT =
  /^test result: (?:ok|FAILED)\. (\d{1,9}) passed; (\d{1,9}) failed; (\d{1,9}) ignored;.*?(?:finished in ([\d.]+)s)?$/;

function parse(lines: readonly string[]): Parsed | undefined {
  const results = allMatches(lines, RESULT);
  const announced = allMatches(lines, /^running \d{1,9} tests?$/).length;
  if (results.length === 0 && announced === 0) return undefined;
  const sum = (group: number) => results.reduce((all, match) => all + Number(match[group] ?? 0), 0);
  return {
    passed: sum(1),
    failed: sum(2),
    skipped: sum(3),
    failures: failuresIn(lines).list,
    duration_ms: results.some((match) => match[4] !== undefined) ? Math.round(sum(4) * 1_000) : null,
    complete: results.length > 0 && results.length >= announced,
    broke: lines.some((line) => line.startsWith("error: could not compile")),
  };
}

function failuresIn(lines: readonly string[]): Failures {
  const failures = new Failures();
  const ends = (line: string) => line === "failures:" || line.startsWith("test result: ");
  for (const { head, body } of sections(lines, (line) => /^---- (\S.*) stdout ----$/.exec(line)?.[1], ends)) {
    const doc = /^(\S.*) - .*\(line (\d{1,7})\)$/.exec(head);
    const at = panicIn(body) ?? (doc === null ? undefined : { file: doc[1] ?? "", line: Number(doc[2]), from: 0 });
    failures.add(
      head,
      doc === null ? at : { file: doc[1] ?? "", line: Number(doc[2]) },
      aboveBacktrace(body.slice(at?.from ?? 0)),
    );
  }
  // With --nocapture there are no sections, only the names.
  for (const match of allMatches(lines, /^test (\S.*) \.\.\. FAILED$/)) {
    const name = match[1] ?? "";
    if (!failures.list.some((one) => one.name === name)) failures.add(name, undefined, []);
  }
  return failures;
}

/** "panicked at src/lib.rs:16:9:" with the message below; before 1.73 the message came first, in quotes, on any number of lines. */
export function panicIn(body: readonly string[]): (Place & { from: number }) | undefined {
  for (const [i, line] of body.entries()) {
    const at = line.indexOf("panicked at ");
    if (at < 0) continue;
    const text = line.slice(at + 12);
    const place =
      placeAtEnd(text) ?? (text.startsWith("'") ? endOfMessage(aboveBacktrace(body.slice(i + 1))) : undefined);
    if (place) return { ...place, from: line.endsWith(":") ? i + 1 : i };
  }
  return undefined;
}

function placeAtEnd(text: string): Place | undefined {
  const match = /(?:^|, )([^\s,':][^,':]{0,400}):(\d{1,7}):\d{1,7}:?$/.exec(text);
  return match === null ? undefined : { file: match[1] ?? "", line: Number(match[2]) };
}

function endOfMessage(lines: readonly string[]): Place | undefined {
  const end = lines.find((line) => line.includes("', ") && placeAtEnd(line) !== undefined);
  return end === undefined ? undefined : placeAtEnd(end);
}

export function aboveBacktrace(body: readonly string[]): readonly string[] {
  const end = body.findIndex((line) => /^\s*(?:stack backtrace:|note: run with `RUST_BACKTRACE)/.test(line));
  return end < 0 ? body : body.slice(0, end);
}
