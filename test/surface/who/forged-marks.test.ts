// B6: an agent gets the nonce of the shell's marks by no way of reading, and marks that it forges with the nonce in hand mean
// nothing: whether a session is at a prompt, the kernel says.
import { expect, it } from "vitest";
import { SHELLS } from "../../fixtures/stand/shells.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";
import { TestViewer } from "../../fixtures/stand/viewer.ts";

const { duetty, person, agent, openGatedShell, foregroundOf } = sharedStand({ agent: "sly" });

/** The nonce and the number of the newest prompt, as only the journal has them. */
function newestMark(session_id: string): { nonce: string; cycle: number } {
  const marks = [
    ...duetty
      .raw(session_id)
      .toString("latin1")
      .matchAll(/133;A;duetty=(\w+):(\d+)/g),
  ];
  const [, nonce = "", cycle = ""] = marks.at(-1) ?? [];
  return { nonce, cycle: Number(cycle) };
}

it.each(SHELLS)("no way of reading a session of %s shows the nonce", async (kind) => {
  const { session_id } = await openGatedShell(kind);
  await agent().run_command({ session_id, command: "pwd" });
  const { nonce } = newestMark(session_id);
  expect(nonce).toMatch(/^\w{16}$/);
  const seen: string[] = [];
  const { total } = await agent().pty_read_raw({ session_id });
  for (const length of [7, 1_000]) {
    let text = "";
    for (let from = 0; from < total; from += length) {
      const { base64 } = await agent().pty_read_raw({ session_id, from, length });
      text += Buffer.from(base64, "base64").toString("latin1");
    }
    seen.push(text);
  }
  for (const format of ["cast", "text", "html"] as const) {
    for (const from of [0, 11, 60]) seen.push(JSON.stringify(await agent().export({ session_id, format, from })));
  }
  const { blocks } = await agent().blocks({ session_id });
  for (const { block_id } of blocks)
    for (const offset of [0, 3]) {
      const { base64 = "" } = await agent().block({ block_id, format: "raw", offset });
      seen.push(Buffer.from(base64, "base64").toString("latin1"));
    }
  for (const cursor of [0, 5, undefined]) {
    const options = { token: duetty.token("agent"), role: "watch", ...(cursor === undefined ? {} : { cursor }) };
    const viewer = TestViewer.open(duetty, session_id, options);
    await viewer.hello();
    await viewer.until(({ bytes, repaint }) => cursor === undefined || repaint !== undefined || bytes.length > 0);
    if (cursor === undefined) {
      await agent().run_command({ session_id, command: "pwd" });
      await viewer.until(({ bytes }) => bytes.includes("133;D"));
    }
    seen.push(viewer.bytes.toString("latin1"), viewer.repaint?.toString("latin1") ?? "");
  }
  const ansi = await agent().pty_read_screen({ session_id, format: "ansi", scrollback: 100 });
  seen.push(JSON.stringify(ansi), JSON.stringify(await agent().search({ query: "duetty=" })));
  expect(seen.filter((text) => text.includes(nonce))).toEqual([]);
  expect(seen.join("")).toMatch(/duetty=x{16}/);
});

it("the nonce that a program prints is not shown, wherever the line breaks", async () => {
  const { session_id } = await openGatedShell("bash", { cols: 10 });
  const { nonce } = newestMark(session_id);
  await person.pty_send({ session_id, text: "set | grep __duetty_nonce\n", then: { any: [{ block_end: true }] } });
  const { rows, scrollback } = await agent().pty_read_screen({ session_id, scrollback: 100 });
  expect([...scrollback, ...rows].join("")).not.toContain(nonce);
});

/** Without the line that forges. */
function commandsOf(found: { readonly commands: readonly { readonly cmd: string }[] } | undefined) {
  return found?.commands.flatMap(({ cmd }) => (cmd.startsWith("echo") ? [cmd] : []));
}

it("a line that marks claim is offered in its own session at most; one that a person entered, everywhere", async () => {
  const [forger, other] = [(await openGatedShell()).session_id, (await openGatedShell()).session_id];
  const type = (text: string) =>
    person.pty_send({ session_id: forger, text, then: { any: [{ block_end: true }, { prompt: true }] } });
  const offered = async (session_id: string, text: string) => {
    const [search, recall, suggest] = await Promise.all(
      (["search", "recall", "suggest"] as const).map((use) => person.history({ session_id, text, use })),
    );
    return [search, recall, suggest].map((found) => commandsOf(found));
  };
  await type("echo qqtyped1\x7f2\n");
  await person.run_command({ session_id: forger, command: "echo qqrun" });
  await agent().run_command({ session_id: forger, command: "echo qqagent" });
  const mark = `printf '\\e]633;E;echo qqforged;duetty=%s:%s\\a' "\${__duetty_nonce[0]}" "\${__duetty_n[0]}"`;
  await type(`forge() { ${mark}; }; __duetty_c[0]=\${__duetty_c[0]/__duetty_line;/forge;}\n`);
  await type("ls\n");
  await person.run_command({ session_id: forger, command: "pwd" });
  const { blocks } = await person.blocks({ session_id: forger });
  expect(blocks.slice(-2)).toMatchObject(Array(2).fill({ cmd: "echo qqforged", actor: "person" }));
  const entered = ["echo qqrun", "echo qqtyped2"];
  expect(await offered(other, "echo qq")).toEqual([entered, entered, ["echo qqrun"]]);
  const [, recall, suggest] = await offered(forger, "echo qq");
  expect([recall, suggest]).toEqual([["echo qqforged", ...entered], ["echo qqrun"]]);
  const here = await person.history({ session_id: forger, text: "echo qq", only: ["session"] });
  expect(commandsOf(here)).toEqual(["echo qqforged", ...entered, "echo qqagent"]);
});

it("forged marks end no hold, match no wait, take no line, and make no prompt of a program", async () => {
  const { session_id } = await openGatedShell();
  const { nonce, cycle } = newestMark(session_id);
  const key = `duetty=${nonce}:${cycle + 1}`;
  const forged = `\\033]133;D;0;duetty=${nonce}:${cycle}\\007\\033]133;A;${key}\\007\\033]133;B;${key}\\007`;
  // A person works in a plain shell of their own, below the integrated one.
  await person.pty_send({ session_id, text: "sh\n" });
  await expect.poll(() => foregroundOf(session_id)).toBe("sh");
  await person.pty_send({
    session_id,
    text: `printf '${forged}'; echo forg''ed\n`,
    then: { any: [{ text: "forged" }] },
  });
  await person.pty_wait({ session_id, any: [{ settled_ms: 200 }] });
  expect((await person.pty_list({})).sessions.find((one) => one.session_id === session_id)?.hold).toBe("person");
  expect(await agent().pty_wait({ session_id, any: [{ prompt: true }], timeout_ms: 300 })).toMatchObject({
    outcome: "deadline",
  });
  await person.release({ session_id });
  const paste = { session_id, paste: "echo pas''ted\n", then: { any: [{ change: true as const }], timeout_ms: 300 } };
  await expect(agent().pty_send(paste)).rejects.toMatchObject({ code: "approval.pending" });
  await expect(agent().run_command({ session_id, command: "echo r''an", timeout_ms: 500 })).rejects.toMatchObject({
    code: "session.busy",
  });
  const { rows } = await person.pty_read_screen({ session_id });
  expect(rows.join("\n")).not.toMatch(/pasted|ran|9977/);
});
