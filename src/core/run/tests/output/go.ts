// `go test`, with and without -v. Without it go does not name passed tests, so an ok package counts as one. Parents
// of subtests do not count, because their outcome is that of their subtests.
import { Failures, type Parsed, type Parser } from "./parser.ts";

export const go: Parser = {
  runner: "go",
  marks: ["ok  ", "FAIL", "--- PASS: "],
  parse,
};

const RESULT = /^( *)--- (PASS|FAIL|SKIP): (\S+) \([\d.]+s\)$/;
/** Tabs may have become spaces on the way through a terminal. */
const PACKAGE =
  /^(ok {2}|FAIL)\s+(\S+)(?=\s+[\d([])(?:\s+([\d.]{1,12})s|\s+\(cached\))?(?:\s+(\[[^\]]{1,60}\]))?(?:\s+coverage: .*)?$/;
/** Lines kept for one test that is still running. */
const LOG_LINES_MAX = 100;

interface Result {
  readonly name: string;
  readonly outcome: string;
  readonly log: string[];
}

function parse(lines: readonly string[]): Parsed | undefined {
  const run = new Run();
  for (const line of lines) run.take(line);
  return run.parsed();
}

class Run {
  #failures = new Failures();
  #counts = { PASS: 0, FAIL: 0, SKIP: 0 };
  #packages = 0;
  #seconds = 0;
  #broke = false;
  #results: Result[] = [];
  #logs = new Map<string, string[]>();
  /** The test, or the package's compiler, that the next lines belong to. */
  #log: string[] = [];

  take(line: string): void {
    const speaks = /^=== (?:RUN|CONT|NAME|PAUSE) +(\S+)$/.exec(line);
    const result = speaks === null && line.includes("--- ") ? RESULT.exec(line) : null;
    const done = result === null ? PACKAGE.exec(line) : null;
    if (speaks !== null) this.#log = this.#logOf(speaks[1] ?? "");
    else if (result !== null) {
      const name = result[3] ?? "";
      this.#log = this.#logOf(name);
      this.#results.push({ name, outcome: result[2] ?? "", log: this.#log });
    } else if (line.startsWith("# ")) this.#log = this.#logOf(line.slice(2).split(" ")[0] ?? "");
    else if (done !== null) this.#end(done);
    else {
      this.#broke ||= line.startsWith("panic: ") || line.startsWith("fatal error: ");
      if (this.#log.length < LOG_LINES_MAX && !/^(?:PASS|FAIL|coverage: .*)$/.test(line)) this.#log.push(line);
    }
  }

  parsed(): Parsed | undefined {
    this.#flush();
    if (this.#packages === 0 && this.#counts.FAIL + this.#counts.PASS === 0) return undefined;
    const { PASS: passed, FAIL: failed, SKIP: skipped } = this.#counts;
    const duration_ms = Math.round(this.#seconds * 1_000);
    const failures = this.#failures.list;
    return { passed, failed, skipped, failures, duration_ms, complete: this.#packages > 0, broke: this.#broke };
  }

  #logOf(name: string): string[] {
    const log = this.#logs.get(name) ?? [];
    this.#logs.set(name, log);
    return log;
  }

  #end([, how = "", name = "", seconds, note]: RegExpExecArray): void {
    this.#packages += 1;
    this.#seconds += Number(seconds ?? 0);
    const named = this.#flush();
    const quiet = named.PASS + named.FAIL + named.SKIP === 0;
    if (how === "FAIL" && named.FAIL === 0) {
      this.#counts.FAIL += 1;
      const [test, log] = [...this.#logs].at(-1) ?? ["", this.#log];
      const spoke = test.startsWith("Test") && note === undefined;
      this.#failures.add(spoke ? test : `${name} ${note ?? ""}`.trim(), placeIn(log), [...log, note ?? ""]);
    } else if (how === "ok  " && quiet && note !== "[no tests to run]") this.#counts.PASS += 1;
    this.#logs.clear();
    this.#log = [];
  }

  #flush(): { PASS: number; FAIL: number; SKIP: number } {
    const parents = new Set<string>();
    for (const { name } of this.#results) {
      const cut = name.lastIndexOf("/");
      if (cut > 0) parents.add(name.slice(0, cut));
    }
    const named = { PASS: 0, FAIL: 0, SKIP: 0 };
    for (const { name, outcome, log } of this.#results) {
      if (parents.has(name) || (outcome !== "PASS" && outcome !== "FAIL" && outcome !== "SKIP")) continue;
      named[outcome] += 1;
      this.#counts[outcome] += 1;
      if (outcome === "FAIL") this.#failures.add(name, placeIn(log), log);
    }
    this.#results = [];
    return named;
  }
}

/** The place where a test logged, a compiler stopped or a panic happened. */
const PLACES = [
  /^\s+([^\s:]{1,400}\.go):(\d{1,7}): /,
  /^(?:\.\/)?([^\s:]{1,400}\.go):(\d{1,7}):/,
  /^\s+([^\s:]{1,400}_test\.go):(\d{1,7})(?: \+0x|$)/,
];

function placeIn(log: readonly string[]): { file: string; line: number } | undefined {
  for (const line of log) {
    const match = PLACES.map((pattern) => pattern.exec(line)).find((one) => one !== null);
    if (match) return { file: match[1] ?? "", line: Number(match[2]) };
  }
  return undefined;
}
