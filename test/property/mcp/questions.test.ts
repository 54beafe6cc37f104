// What a model learns from the list of tools alone: each question that an agent has must find its answer there. The list is small,
// so each word in it was chosen, and a shorter one must still answer all of these.
import { expect, test } from "vitest";
import { toolsOf } from "../../../src/mcp/tools.ts";
import type { McpTier } from "../../../src/protocol/op.ts";

/** A question, the tool that answers it, and the words that do; each word is a pattern. */
const QUESTIONS: readonly (readonly [string, string, readonly string[]])[] = [
  ["How do I run one command and get its exit code?", "run_command", ["exit code and output", "first choice"]],
  ["It asked something: how do I answer?", "run_command", ["waits for input \\(then pty_send\\)"]],
  ["It takes long: is it killed?", "run_command", ["it goes on", "resume"]],
  ["How do I work over ssh or in a container?", "run_command", ["ssh, docker exec", "refuses: use pty_send"]],
  ["What does approval_pending mean?", "run_command", ["wait for a person: approval_pending"]],
  ["How do I leave the box?", "run_command", ["false: ask a person"]],
  ["Do I need a session at all?", "pty_open", ["run_command needs none"]],
  ["What may a session of mine touch?", "pty_open", ["work tree and its own /tmp", "no network but its own localhost"]],
  ["How do I name a session later?", "pty_open", ["session_id", "prefix or name"]],
  ["How do I press Enter or Ctrl+C?", "pty_send", ["a line break is Enter", "Ctrl\\+C"]],
  ["In which order are text and keys typed?", "pty_send", ["Order: text, paste, keys"]],
  ["What comes back?", "pty_send", ["rows that changed", "ROW\\| text", "at ROW,COL"]],
  ["Which entry of a menu is selected?", "pty_send", ["ROW» text", "if selected"]],
  ["How do I get the whole screen, or nothing?", "pty_send", ['"changes","screen","match","none"']],
  ["How do I wait for the result of what I type?", "pty_send", ["wait for `then`", "as in pty_wait"]],
  ["Do clicks count from 0?", "pty_send", ["ROW,COL, counted from 0"]],
  ["How do I say how sure I am?", "pty_send", ["from 0 to 1"]],
  ["Which conditions are there?", "pty_wait", ["{text} {regex} {gone}", "{exit: true} {prompt: true} {input: true}"]],
  ["When is a REPL ready again?", "pty_wait", ["input: the program in front reads again"]],
  ["What if it came before I asked?", "pty_wait", ["What came since your last call counts", "0: also old text"]],
  [
    "Why does `>>> $` match, and my own line not?",
    "pty_wait",
    ["before the cursor", "what you typed and entered never"],
  ],
  ["Text, and then quiet?", "pty_wait", ["all at a time"]],
  ["What is a deadline?", "pty_wait", ["A deadline says why"]],
  ["When is the agent CLI ready?", "pty_wait", ["idle, working, blocked, done"]],
  ["How far up may I read?", "pty_read_screen", ["at most 10000"]],
  ["Did it change since I looked?", "pty_read_screen", ["since_hash", "one line if nothing changed"]],
  ["What did it look like before?", "pty_read_screen", ["an earlier moment", "-5s"]],
  ["Where is that line in 50 MB?", "search", ["instead of running it again"]],
  ["How do I stop a server?", "signal", ["stops a server", "Nobody is asked"]],
  ["It wants a password", "ask_person", ["password \\(they type it; you never see it\\)"]],
  ["What ran here before me?", "blocks", ["by people too"]],
  ["What was the output of an older command?", "block", ["long after it scrolled away", "SESSION:last"]],
  ["How do I give a task to another agent?", "pty_prompt", ["agent CLI", "began: its turn began"]],
  ["How do I keep all of it?", "export", ["asciicast", "secrets hidden", "go on with `next`"]],
];

test.each(QUESTIONS)("%s (%s)", (_, name, words) => {
  const tool = toolsOf("all").find(({ op }) => op.name === name);
  const told = JSON.stringify([tool?.form.description, tool?.input]);
  for (const word of words) expect(told.replaceAll('\\"', '"')).toMatch(new RegExp(word));
});

/** Names, titles and hints come on top: some 100 bytes a tool. The whole lists are weighed in test/surface/mcp. */
test.each([
  ["readonly", 4_000],
  ["drive", 11_000],
  ["all", 13_500],
] as const)("%s has few words", (tier: McpTier, most) => {
  const list = toolsOf(tier).map(({ op, form, input }) => [op.name, form.description, input]);
  expect(Buffer.byteLength(JSON.stringify(list))).toBeLessThanOrEqual(most);
});
