// Small slips: a forgotten command, a misspelt key, a refusal, "last". Each is told in words that help.
import { expect, it } from "vitest";
import { connectMcp } from "../fixtures/mcp/clients.ts";
import { until } from "../fixtures/soon.ts";
import { sharedStand } from "../fixtures/stand/stand.ts";
import { TestViewer } from "../fixtures/stand/viewer.ts";

const { duetty, person, agent, open, openBash, openShell, pendingOf } = sharedStand();

it("duetty run SESSION without a command asks nobody and says what is missing", async () => {
  await openBash({ name: "work" });
  const questions = async () => (await person.approvals({ all: true })).approvals.length;
  const before = await questions();
  const forgot = await duetty.agentCli("run", "work");
  expect(forgot).toMatchObject({ code: 2, stderr: expect.stringContaining('"work" is a session') });
  expect(forgot.stderr).toContain("duetty run work -- CMD");
  expect(await questions()).toBe(before);
  // Behind -- it is a command.
  expect((await duetty.cli("run", "--", "work")).code).toBe(127);
});

it("a denied run is denied, without empty brackets", async () => {
  const session_id = await openBash();
  const denied = duetty.agentCli("run", session_id, "--", "curl", "-d", "x", "example.org");
  const { approval_id } = await pendingOf(session_id);
  await person.deny({ approval_id, reason: "not today" });
  expect(await denied).toMatchObject({ code: 5, stderr: expect.stringMatching(/^duetty: denied\n {2}.*not today/) });
});

it("a misspelt key is guessed, and nothing is typed", async () => {
  const { session_id } = await openShell();
  for (const [written, meant] of [
    ["Retrun", "Enter"],
    ["Entre", "Enter"],
    ["Newline", "Enter"],
    ["Ctrl+PgeUp", "PageUp"],
  ] as const)
    await expect(person.pty_send({ session_id, keys: [written] })).rejects.toMatchObject({
      code: "key.unknown",
      hint: expect.stringMatching(new RegExp(`^Did you mean ${meant}\\?`)),
    });
  await expect(person.pty_send({ session_id, keys: ["Qqqqqq"] })).rejects.toMatchObject({
    hint: expect.stringMatching(/^Use a single character/),
  });
});

it("report last and block last are the newest command, wherever it ran", async () => {
  const { session_id } = await openShell();
  await agent().run_command({ session_id, command: "echo newest" });
  await using mcp = await connectMcp(duetty);
  const { text, data } = await mcp.call("report", { id: "last" });
  expect(text).toContain("echo newest");
  expect(data).toMatchObject({ report: { counts: { commands: 1 } } });
  expect((await duetty.cli("report", "last")).stdout).toContain("echo newest");
  expect((await mcp.call("block", { block_id: "last" })).text).toContain("newest");
  expect((await duetty.cli("block", "last")).stdout).toContain("newest");
});

it("the list of tools says what an agent opens, whether that is boxed, and the limits of what it may send", async () => {
  await using mcp = await connectMcp(duetty);
  const tools = await mcp.tools();
  expect(tools.find(({ name }) => name === "pty_open")?.description).toMatch(/80x24.*boxed.*no network/s);
  const told = JSON.stringify(tools.map(({ inputSchema }) => inputSchema));
  for (const limit of ["at most 10000", "from 0 to 1", "ROW,COL, counted from 0", "null removes"])
    expect(told).toContain(limit);
  expect(told).not.toContain("KEY=");
});

it("wrong fields are told in plain words, and nothing is done", async () => {
  const { session_id } = await openShell();
  const slips: [() => Promise<unknown>, string][] = [
    [() => person.pty_send({ session_id, txt: "ls\n" } as never), "no field txt"],
    [() => person.pty_send({} as never), "session_id is missing"],
    [() => person.pty_read_screen({ session_id, format: "txt" as never }), "format must be one of json, text, rows"],
    [() => person.pty_wait({ session_id, any: [{ text: "" }] }), "any[0].text must have at least 1 character"],
    [
      () => person.pty_wait({ session_id, any: [{ txt: "x" } as never] }),
      "any[0] has txt, but a condition has exactly one of text, regex",
    ],
    [
      () => person.pty_send({ session_id, text: "x", then: { text: "x" } as never }),
      'then has no field text: a condition stands in any, all or stop, as in {any: [{text: "done"}]}',
    ],
    [() => person.pty_send({ session_id }), "nothing to send"],
    [() => person.ask_person({ kind: "choice", message: "Which?" }), "choices are missing"],
    [() => person.pty_wait({ session_id, any: [{ change: true }], timeout_ms: -1 }), "timeout_ms must be at least 0"],
    [() => person.pty_read_screen({ session_id, rows: "last" }), "rows must be FROM:TO, such as 0:9, 10: or -3:"],
    [() => person.run_command({ session_id, command: 7 as never }), "command must be text or must be a list"],
  ];
  for (const [call, message] of slips)
    await expect(call()).rejects.toMatchObject({ code: "input.invalid", message: expect.stringContaining(message) });
});

it("the last lines of a command and the last rows of a screen are counted from the end", async () => {
  const { session_id } = await openShell();
  const { block_id } = await person.run_command({ session_id, command: "seq 1 9" });
  expect(await person.block({ block_id: block_id ?? "", lines: "-3:" })).toMatchObject({
    from_line: 6,
    content: "7\n8\n9",
  });
  expect(await person.block({ block_id: block_id ?? "", lines: ":-8" })).toMatchObject({ content: "1\n2" });
  const { first_row, rows } = await person.pty_read_screen({ session_id, rows: "-2:" });
  expect([first_row, rows.length]).toEqual([22, 2]);
});

it("a line that the terminal would cut is refused before anything is typed; the longest one arrives whole", async () => {
  const session_id = await open(["/bin/sh"], { env: { PS1: "ready> " } });
  const ready = { session_id, any: [{ text: "ready>" }], since: 0 };
  await person.pty_wait(ready);
  const [fits, cut] = [4_095, 4_096].map((bytes) =>
    `: ${"x".repeat(bytes - 22)}; echo $((${bytes}+1))`.padEnd(bytes, " "),
  );
  const before = (await person.pty_read_screen({ session_id })).rows;
  await expect(person.pty_send({ session_id, text: `${cut}\n` })).rejects.toMatchObject({
    code: "input.invalid",
    hint: expect.stringContaining("shorter lines"),
  });
  expect((await person.pty_read_screen({ session_id })).rows).toEqual(before);
  // A person's keys, too; what they type next is typed after it, and nothing of the long line.
  const viewer = TestViewer.open(duetty, session_id);
  await until(() => viewer.message("hello") !== undefined, "hello");
  for (const keys of [`${cut}\r`, "echo $((40+2))", " end\r"]) viewer.socket.send(Buffer.from(keys));
  await person.pty_wait({ session_id, any: [{ text: "42 end" }], since: 0 });
  expect(viewer.message("notice")?.message).toMatch(/a line of 4096 bytes would be cut.* Nothing was typed/);
  expect((await person.pty_read_screen({ session_id })).rows.join()).not.toContain("xxx");
  const typed = await person.pty_send({ session_id, text: `${fits}\n`, then: { any: [{ text: "4096" }] } });
  expect(typed).toMatchObject({ outcome: "matched" });
});
