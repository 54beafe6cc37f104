// Waits for any program, over HTTP, MCP and CLI: input, prompts without marks, all, echoes, blanks, and why nothing came.
import { describe, expect, it } from "vitest";
import type { Call } from "../../../src/protocol/ops.ts";
import { connectMcp } from "../../fixtures/mcp/clients.ts";
import { soon } from "../../fixtures/soon.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const { duetty, person, open, openBash } = sharedStand({ env: { PS1: "$ ", PYTHONSTARTUP: "" } });
type Then = NonNullable<Call<"pty_send">["then"]>;
const enter = (session_id: string, line: string, then: Then) =>
  person.pty_send({ session_id, text: `${line}\n`, then });
/** No machine is so busy that a program which prints pauses for so long. */
const PAUSE_MS = 2_000;

const wait = (session_id: string, then: Then) => person.pty_wait({ session_id, ...then });

/** The row with the cursor. */
const asked = ({ screen }: Awaited<ReturnType<typeof wait>>) => screen.rows[screen.cursor.row];

describe.concurrent("input", () => {
  it("python, a nested shell and a wizard: the answer comes when the program reads again", async () => {
    const python = await open(["python3", "-q"]);
    expect(await wait(python, { any: [{ input: true }] })).toMatchObject({ outcome: "matched", matched: "input" });
    const slept = await enter(python, "import time; time.sleep(0.8); print(6 * 7)", { any: [{ input: true }] });
    expect(slept.screen.rows.join("\n")).toContain("\n42\n");
    expect(asked(slept)).toBe(">>>");

    const bash = await openBash();
    await person.run_command({ session_id: bash, command: "sh" });
    const nested = await enter(bash, "sleep 0.8; echo ne''sted", { any: [{ input: true }] });
    expect(nested.screen.rows).toContain("nested");

    const wizard = await open([
      "sh",
      "-c",
      "printf 'Name: '; read n; sleep 0.5; printf \"Age of $n: \"; read a; exec cat",
    ]);
    await wait(wizard, { any: [{ input: true }] });
    expect(asked(await enter(wizard, "Bob", { any: [{ input: true }] }))).toBe("Age of Bob:");
  });

  it("a program that works, and a password prompt, are no input", async () => {
    await using mcp = await connectMcp(duetty);
    const id = await openBash();
    const slow = await enter(id, "sleep 600", { any: [{ input: true }], timeout_ms: 700 });
    expect(slow).toMatchObject({ outcome: "deadline", hint: expect.stringContaining("sleep works and does not read") });
    const secret = await open(["bash", "-c", "read -s -p 'Password: ' x"]);
    const hint = expect.stringMatching(/^bash asks for a password\. Only a person may type it.*signal INT/);
    for (const any of [[{ input: true }], [{ prompt: true }]] satisfies Then["any"][])
      expect(await wait(secret, { any })).toMatchObject({ outcome: "echo_off", matched: null, hint });
    const late = { any: [{ text: "no" }], timeout_ms: 1 };
    await soon(async () => expect(await wait(secret, late)).toMatchObject({ outcome: "deadline", hint }));
    const named = await mcp.call("pty_wait", { session_id: secret, any: [{ echo_off: true }] });
    expect(named.text).toMatch(/^echo_off\n/);
  });

  it("over MCP and CLI, too", async () => {
    const session_id = await open(["python3", "-q"]);
    await using mcp = await connectMcp(duetty);
    expect((await mcp.call("pty_wait", { session_id, any: [{ input: true }] })).text).toMatch(/^matched input\n/);
    const cli = await duetty.cli("wait", session_id, "--input");
    expect(cli).toMatchObject({ code: 0, stdout: "matched: input\n" });
    const sent = await duetty.cli("send", session_id, "--text", "1 + 1", "--keys", "Enter", "--wait-input", "--see");
    expect(sent.stdout).toMatch(/^matched: input\n.*\n2\n>>>/s);
  });
});

describe.concurrent("prompt without marks", () => {
  it("falls back to input and says so: a plain sh, a nested one, a REPL", async () => {
    const says = { outcome: "matched", matched: "prompt", hint: expect.stringMatching(/marks no prompts.*input/) };
    const sh = await open(["sh"]);
    expect(await wait(sh, { any: [{ prompt: true }] })).toMatchObject(says);
    expect(await enter(sh, "sleep 0.6; echo do''ne", { any: [{ prompt: true }] })).toMatchObject({
      ...says,
      screen: { rows: expect.arrayContaining(["done"]) },
    });
    const bash = await openBash();
    await person.run_command({ session_id: bash, command: "python3 -q" });
    expect(await enter(bash, "2 + 2", { any: [{ prompt: true }] })).toMatchObject(says);
    const cli = await duetty.cli("wait", bash, "--prompt");
    expect(cli).toMatchObject({ code: 0, stderr: expect.stringContaining("marks no prompts") });
  });

  it("does not take an editor for a prompt", async () => {
    const id = await openBash();
    await person.run_command({ session_id: id, command: "less /etc/services" });
    const none = await wait(id, { any: [{ prompt: true }], timeout_ms: 1_200 });
    expect(none).toMatchObject({ outcome: "deadline", hint: expect.stringContaining("whole screen") });
    expect(await wait(id, { any: [{ input: true }] })).toMatchObject({ outcome: "matched" });
    const back = await person.pty_send({ session_id: id, text: "q", then: { any: [{ prompt: true }] } });
    expect(back.hint).toBeUndefined();
  });
});

describe.concurrent("all", () => {
  it("a text and then a settled screen, as all, inside any, and beside any", async () => {
    const id = await open(["sh", "-c", "read x; for i in 1 2 3 4 5 6; do echo tick $i; sleep 0.15; done; exec cat"]);
    const all = [{ text: "tick 1" }, { settled_ms: PAUSE_MS }];
    const done = await enter(id, "", { all });
    expect(done).toMatchObject({ outcome: "matched", matched: "tick 1 and settled" });
    expect(done.screen.rows).toContain("tick 6");
    const again = await enter(id, "more", {
      any: [{ text: "never" }, { all: [{ text: "more" }, { settled_ms: 100 }] }],
    });
    expect(again.matched).toBe("more and settled");
    const both = await enter(id, "both", { any: [{ text: "both" }, { text: "x" }], all: [{ settled_ms: 100 }] });
    expect(both.matched).toBe("both and settled");
    const half = await enter(id, "half", { all: [{ text: "half" }, { text: "other" }], timeout_ms: 300 });
    expect(half).toMatchObject({ outcome: "deadline", hint: '"other" did not appear.' });
  });

  it("over MCP and CLI, too", async () => {
    const session_id = await open(["cat"]);
    await using mcp = await connectMcp(duetty);
    const then = { all: [{ text: "one" }, { settled_ms: 100 }] };
    await person.policy({ session_id, level: "always_allow", safe_mode: "off" });
    const told = await mcp.call("pty_send", { session_id, text: "one\n", then });
    expect(told.text).toMatch(/^matched/);
    const sent = await duetty.cli(
      ...["send", session_id, "--text", "two", "--keys", "Enter"],
      ...["--wait-text", "two", "--wait-settled", "100", "--wait-all"],
    );
    expect(sent.stdout).toBe("matched: two and settled\n");
    const nothing = await duetty.cli("wait", session_id);
    expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining("wait needs a condition") });
    const wrong = await mcp.call("pty_wait", { session_id, any: [{ txt: "x" }] });
    expect(wrong.text).toMatch(/a condition has exactly one of text, regex, .*input: true.*all/s);
    expect((await mcp.call("pty_wait", { session_id })).text).toContain("there is nothing to wait for");
  });
});

describe.concurrent("what was typed", () => {
  it.each([
    ["a nested sh", ["sh"]],
    ["bash", ["bash", "--norc"]],
    ["zsh", ["zsh", "-f"]],
    ["fish", ["fish", "--no-config"]],
    ["python", ["python3", "-q"]],
  ])("the echo of an entered line never matches: %s", async (_, command) => {
    const id = await open(command);
    await wait(id, { any: [{ input: true }] });
    const isPython = command[0] === "python3";
    const line = isPython ? "import time; time.sleep(0.7); print('FINISHED')" : "sleep 0.7; echo FINISHED";
    const matched = await enter(id, line, { any: [{ text: "FINISHED" }] });
    expect(matched).toMatchObject({ outcome: "matched", matched: "FINISHED" });
    expect(matched.screen.rows).toContain("FINISHED");
    // Keys apart, a pattern, and a wait of its own.
    const text = line.replace("FINISHED", "AGAIN");
    await person.pty_send({ session_id: id, text, keys: ["Enter"] });
    expect((await wait(id, { any: [{ regex: "AG\\w+" }] })).screen.rows).toContain("AGAIN");
  });

  it.each([
    ["as it is typed", ""],
    ["drawn again at a marked prompt", "printf 'say FINISHED now\\r\\n\\033]133;A\\007> \\033]133;B\\007';"],
  ])("an echo that comes in pieces never matches: %s", async (_, before) => {
    const draws = `${before} printf 'say FINISHED'; sleep 0.3; printf ' now\\r\\n\\033]133;C\\007FINISHED\\r\\n'`;
    const id = await open(["sh", "-c", `stty raw -echo; printf '> '; head -c 17 >/dev/null; ${draws}; exec cat`]);
    await wait(id, { any: [{ input: true }] });
    const matched = await enter(id, "say FINISHED now", { any: [{ text: "FINISHED" }] });
    expect(matched.screen.rows.filter((row) => row !== "").slice(-2)).toEqual(["> say FINISHED now", "FINISHED"]);
  });

  it("half a line, which nobody entered, does match", async () => {
    const id = await openBash();
    const half = await person.pty_send({ session_id: id, text: "echo half", then: { any: [{ text: "half" }] } });
    expect(half).toMatchObject({ outcome: "matched", matched: "half" });
  });
});

it.concurrent("blanks before the cursor count, and a pattern may leave them out", async () => {
  const id = await open(["python3", "-q"]);
  await wait(id, { any: [{ input: true }] });
  for (const regex of [">>> $", "^>>> $", "^>>>$", ">>>\\s*$"]) {
    const matched = await enter(id, `'${regex.length}'`, { any: [{ regex }] });
    expect(matched.outcome, regex).toBe("matched");
    expect(asked(matched)).toBe(">>>");
  }
  const literal = await enter(id, "import time; time.sleep(0.5); 'x'", { any: [{ text: ">>> " }] });
  expect(literal.screen.rows).toContain("'x'");
  const wide = await open(["sh", "-c", "printf '名前: '; exec cat"]);
  expect((await wait(wide, { any: [{ regex: "^名前: $" }], since: 0 })).outcome).toBe("matched");
});

it.concurrent("a deadline says why nothing matched, over HTTP, MCP and CLI", async () => {
  const id = await open(["sh", "-c", "echo Server READY; exec cat"]);
  await wait(id, { any: [{ text: "READY" }], since: 0 });
  const why = async (then: Then) => (await wait(id, { timeout_ms: 150, ...then })).hint;
  expect(await why({ any: [{ text: "READY" }] })).toMatch(/is on the screen, but only as old text.*since/);
  expect(await why({ any: [{ text: "ready" }] })).toBe('The screen has "READY": upper and lower case differ.');
  expect(await why({ any: [{ text: "READY" }], ignore_rows: [0] })).toContain("in rows that do not count");
  expect(await why({ any: [{ regex: "nope \\d" }] })).toBe("/nope \\d/ did not appear.");
  expect(await why({ any: [{ gone: "Server" }] })).toBe('"Server" is still on the screen.');
  expect(await why({ any: [{ change: true }] })).toBe("Nothing on the screen changed.");
  expect(await why({ any: [{ exit: true }] })).toMatch(/still runs/);
  await using mcp = await connectMcp(duetty);
  const told = await mcp.call("pty_wait", { session_id: id, any: [{ text: "never" }], timeout_ms: 50 });
  expect(told.text).toMatch(/^deadline.*"never" did not appear\.$/s);
  const cli = await duetty.cli("wait", id, "--text", "never", "--timeout", "50");
  expect(cli).toMatchObject({ code: 11, stderr: 'duetty: "never" did not appear.\n' });
});
