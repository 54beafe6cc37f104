// Every hint speaks the words of the surface that shows it: tools, the CLI or the page. What was hard to understand stays away.
import { expect, test } from "vitest";
import { wordsIn } from "../../../scripts/words/read.mjs";
import { ADVICE, type AdviceName, advice, worded } from "../../../src/core/base/advice.ts";
import { ops } from "../../../src/protocol/ops.ts";
import { CONDITION_FLAGS } from "../../../src/protocol/plain/conditions.ts";
import { LOCAL_VERBS } from "../../../src/protocol/plain/local-verbs.ts";

const NAMES = Object.keys(ADVICE) as AdviceName[];
const VERBS = [...ops.flatMap(({ cli }) => (cli ? [cli.verb.replace(/ .*/, "")] : [])), ...Object.keys(LOCAL_VERBS)];
const OPERATIONS: readonly string[] = ops.map(({ name }) => name);
const CONDITIONS = CONDITION_FLAGS.map(({ key }) => key);

/** Reading the sources takes seconds, so it is done once. */
const TEXTS = wordsIn(["tsconfig.json", "tsconfig.web.json"]);

/** Words with an underscore are names of tools, fields and conditions. */
const TOOL_WORD = /\b[a-z]+(?:_[a-z]+)+\b/g;
const CLI_WORD = /\bduetty [a-z]|(?:^|\s)--[a-z]/;

test.each(NAMES)("advice %s: each surface has its own words", (name) => {
  const { tool, cli, page } = ADVICE[name];
  expect(tool).not.toMatch(CLI_WORD);
  for (const word of tool.match(TOOL_WORD) ?? [])
    expect([...OPERATIONS, ...CONDITIONS, "session_id"], word).toContain(word);
  expect(cli.replace(/--kind take_over/, "")).not.toMatch(TOOL_WORD);
  for (const [, verb] of cli.matchAll(/\bduetty ([a-z-]+)/g)) expect(VERBS).toContain(verb);
  expect(page).not.toMatch(TOOL_WORD);
  expect(page).not.toMatch(CLI_WORD);
});

test("a flag that a hint names exists", () => {
  for (const name of NAMES) {
    const { cli } = ADVICE[name];
    const fields = ops.flatMap(({ input }) => Object.keys(input.shape));
    const flags = [...fields.map((field) => field.replace(/_id$/, "").replaceAll("_", "-")), "see", "stdin", "all"];
    const known = [...flags, ...CONDITION_FLAGS.flatMap(({ flag }) => [flag, `wait-${flag}`])];
    for (const [, flag = ""] of cli.matchAll(/--([a-z-]+)/g)) expect(known, cli).toContain(flag.replace(/^no-/, ""));
  }
});

/** What people stumbled over, and what they read instead. */
const BETTER: readonly (readonly [stumble: RegExp, better: string])[] = [
  [/half a line typed in/, "there is unfinished text at the shell prompt"],
  [
    /take this line as a whole/,
    "this command is not complete: a quote, bracket, `done` or here-document is still open",
  ],
  [/Ctrl R past|Past commands/, "Ctrl R"],
  [/Letters in the terminal/, "Terminal font size"],
  [/Larger letters/, "Larger terminal font"],
  [/As the system/, "Match system"],
  [/Page elements: always right/, "most compatible"],
  [/page elements, because/, "DOM (no hardware acceleration found)"],
  [/Commands nobody knows/, "Unrecognised commands run when the agent is confident; risky ones always ask."],
  [/once for each program/, "asks once per program, then allows"],
  [/only what safe mode holds back/, "asks only for what safe mode blocks"],
  [/keys decide, not the line/, "interactive program: what matters is what gets typed into it"],
  [/a parenthesis too many/, "could not be parsed as a shell command: one parenthesis too many"],
  [/End it and every program in it/, "End this session and everything running in it? Its output is kept."],
  [/program is over: ended by/, "This session was ended"],
  [/with its output, its end and who/, "with its output, exit code and who ran it."],
  [/The program goes on\.$/, "Your programs keep running."],
  [/typing goes to/, "Keys go to"],
  [/Go to the terminal|^Type it$/, "Type the password"],
  [/why not, for the agent/, "Reason, shown to the agent (optional)"],
  [/count once you trust it/, "apply once you trust the folder"],
  [/Masks comes later|Shared links comes later/, "Appearance"],
  [/Short pauses/, "Skip pauses"],
  [/one picture back/, "one frame back or ahead"],
  [/so many tenths/, "jump to 0–90 %"],
  [/Only you work here/, "Agents must ask for everything"],
  [/Colours do not disturb/, "Ignores colours."],
];

test("words that people stumbled over do not come back", () => {
  const texts = TEXTS.map(({ text }) => text);
  for (const [stumble, better] of BETTER) {
    expect(texts.filter((text) => stumble.test(text))).toEqual([]);
    expect(
      texts.some((text) => text.includes(better)),
      better,
    ).toBe(true);
  }
});

test("no other hint names a tool or a verb", () => {
  const hints = TEXTS.filter(
    ({ file }) =>
      /^src\/(?:core|serve|host)\//.test(file) &&
      // Only models read the tools of our own agent and the words to hosted ones; what doctor says is to be typed.
      !/base\/(?:words\/fleet-)?advice|serve\/(?:agent|acp|mcp)\/|core\/agent\/|handlers\/doctor/.test(file),
  );
  expect(hints.length).toBeGreaterThan(500);
  const verb = new RegExp(`\\bduetty (?:${VERBS.join("|")})\\b`);
  const tool = /\b(?:pty_[a-z]|run_command|run_tests|ask_person|block_end|settled_ms|session_id)/;
  const foreign = hints.filter(({ text }) => verb.test(text) || tool.test(text.replace(/\{[^}]*\}/g, "")));
  expect(foreign.map(({ file, line, text }) => `${file}:${line} ${text}`)).toEqual([]);
});

test("only marks of advice are replaced, and what they are about is taken literally", () => {
  expect(worded(`Look. ${advice("resume", "r_1")}`, "cli")).toBe("Look. Go on with: duetty run --resume r_1");
  expect(worded(advice("read_ended", "$&"), "cli")).toContain("duetty see $&.");
  expect(worded(advice("read_ended"), "cli")).toContain("duetty see SESSION.");
  expect(worded("{a: 1} {nothing} {}", "cli")).toBe("{a: 1} {nothing} {}");
});
