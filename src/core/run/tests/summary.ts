// Summarises a finished test run. Pure. Owns: which parser reads which runner, and the judgement: nothing is
// called a success that the output does not prove and the exit code does not confirm. Refuses: to guess a count.

import type { Failure, TestSummary as WireSummary } from "../../../protocol/ops/run.ts";
import type { DeepReadonly } from "../../base/deep-readonly.ts";
import { cargo } from "./output/cargo.ts";
import { ctest } from "./output/ctest.ts";
import { dotnet } from "./output/dotnet.ts";
import { exunit } from "./output/exunit.ts";
import { go } from "./output/go.ts";
import { ava } from "./output/javascript/ava.ts";
import { bun } from "./output/javascript/bun.ts";
import { deno } from "./output/javascript/deno.ts";
import { jest } from "./output/javascript/jest.ts";
import { mocha } from "./output/javascript/mocha.ts";
import { nodeTest } from "./output/javascript/node-test.ts";
import { playwright } from "./output/javascript/playwright.ts";
import { vitest } from "./output/javascript/vitest.ts";
import { gradle, maven } from "./output/jvm.ts";
import { nextest } from "./output/nextest.ts";
import { FAILURES_MAX, linesOf, MESSAGE_CHARS_MAX, messageOf, type Parsed, type Parser } from "./output/parser.ts";
import { phpunit } from "./output/phpunit.ts";
import { pytest } from "./output/pytest.ts";
import { minitest, rspec } from "./output/ruby.ts";
import { swift } from "./output/swift.ts";
import { tap } from "./output/tap.ts";
import { unittest } from "./output/unittest.ts";

interface TestRun {
  readonly runner: string;
  /** The whole output as clean text, lines ended by LF; blank lines may be missing. */
  readonly text: string;
  /** Null when a signal ended it, or when it is unknown. */
  readonly exit_code: number | null;
}

/** `runner`: the recognised one; several are joined by " + ". `crashed`: the run did not end normally, so the count is incomplete. */
export type TestSummary = DeepReadonly<WireSummary>;

const PARSERS: readonly Parser[] = [
  vitest,
  jest,
  mocha,
  nodeTest,
  tap,
  playwright,
  ava,
  bun,
  deno,
  pytest,
  unittest,
  cargo,
  nextest,
  go,
  maven,
  gradle,
  dotnet,
  rspec,
  minitest,
  phpunit,
  ctest,
  exunit,
  swift,
];

/** The lines that a person would read first when a run crashed. */
const LAST_LINES = 25;
/** Tools that run many packages at once name them in front of every line: "packages/web test: ", "@shop/web:test: ". */
const PREFIX = /^(?:│ ?|@?[\w./-]{1,200}[ :][\w:.-]{0,60}test[\w.-]{0,60}: ?)/;
/** A repeatedly redrawn progress bar says nothing, and neither do the frames of Node's own loader. */
const NOISE = /^ {0,8}(?:(?:Building|Downloading|Compiling) |at .{0,200}\bnode:internal\/)/;

/** pytest ends with 5 when nothing was selected; jest and vitest end with 1, as for everything, and say so. */
const NONE: Readonly<Record<number, RegExp>> = {
  5: /^(?:=+ )?(?:no tests ran|\d{1,9} deselected)\b.* in [\d.]/,
  1: /^No tests? (?:files? )?found, exiting with code 1/,
};
const NO_TESTS: Failure = {
  name: "(no tests)",
  file: null,
  line: null,
  message: "Nothing was run: no test has that name, or there are none.",
};

export function summarize(run: TestRun): TestSummary | null {
  const lines = linesOf(run.text);
  const read = (parser: Parser, from: readonly string[]) =>
    parser.marks.some((mark) => run.text.includes(mark)) ? parser.parse(from) : undefined;
  const own = PARSERS.find((parser) => parser.runner === run.runner);
  const ownResult = own && read(own, lines);
  // This explains the exit code. Anything else in the output came from the tests.
  const explains =
    ownResult !== undefined && (run.exit_code === 0 || ownResult.failed > 0 || ownResult.failures.length > 0);
  if (own && explains) return judge(own.runner, [ownResult], run, lines);
  // For a script, a Makefile or a second runner, the output itself says what it is.
  const recognise = (from: readonly string[]) =>
    PARSERS.flatMap((parser) => {
      const parsed = read(parser, from);
      return parsed === undefined ? [] : [{ runner: parser.runner, parsed }];
    });
  const plain = recognise(lines);
  const prefixed = plain.length === 0 && lines.some((line) => PREFIX.test(line));
  const found = prefixed ? recognise(lines.map((line) => line.replace(PREFIX, ""))) : plain;
  const name = found.map(({ runner }) => runner).join(" + ");
  return judge(
    name || run.runner,
    found.map(({ parsed }) => parsed),
    run,
    lines,
  );
}

function judge(runner: string, parts: readonly Parsed[], run: TestRun, lines: readonly string[]): TestSummary | null {
  const sum = (count: (part: Parsed) => number) => parts.reduce((all, part) => all + count(part), 0);
  const failures = parts.flatMap((part) => part.failures);
  const complete = parts.length > 0 && parts.every((part) => part.complete);
  // Suites that could not be loaded are failures that no runner counts as tests.
  const failed = Math.max(
    sum((part) => part.failed),
    failures.length,
  );
  if (run.exit_code === 0 && !complete) return null;
  const counted = sum((part) => part.passed + part.skipped) + failed;
  const none = counted === 0 && !parts.some((part) => part.broke) && saysNone(run, lines);
  const crashed = !none && run.exit_code !== 0 && (failed === 0 || !complete || parts.some((part) => part.broke));
  const durations = parts.flatMap((part) => part.duration_ms ?? []);
  return {
    passed: sum((part) => part.passed),
    failed,
    skipped: sum((part) => part.skipped),
    failures: crashed
      ? [...failures.slice(0, FAILURES_MAX - 1), crash(run, lines)]
      : none
        ? [NO_TESTS]
        : failures.slice(0, FAILURES_MAX),
    duration_ms: durations.length === 0 ? null : durations.reduce((all, one) => all + one, 0),
    runner,
    crashed,
  };
}

function saysNone({ exit_code }: TestRun, lines: readonly string[]): boolean {
  const said = exit_code === null ? undefined : NONE[exit_code];
  return said !== undefined && lines.some((line) => said.test(line));
}

function crash(run: TestRun, lines: readonly string[]): Failure {
  const last: string[] = [];
  let room = MESSAGE_CHARS_MAX;
  for (let i = lines.length - 1; i >= 0 && last.length < LAST_LINES; i -= 1) {
    const line = lines[i] ?? "";
    if (!/[\p{L}\p{N}]/u.test(line) || NOISE.test(line)) continue;
    room -= line.length + 1;
    if (room < 0) break;
    last.unshift(line);
  }
  const silent =
    run.exit_code === null ? "It was ended and gave no reason." : `It ended with ${run.exit_code} and gave no reason.`;
  return { name: "(crashed)", file: null, line: null, message: messageOf(last.length > 0 ? last : [silent]) };
}
