// Lines that agents type to a shell without marks, from outside: what may run in a box runs there without a question, and nothing
// of it is read outside. All that is not a whole line at an empty prompt of a shell of this machine is asked about as keys.
import fs from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SOON_MS } from "../../fixtures/soon.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const { person, agent, folder, openGatedShell, open, pendingOf, foregroundOf } = sharedStand({ agent: "one" });

const inSh = async (line = "dash") => {
  const cwd = folder({ a: "1\n", "sub/b": "2\n" });
  const { session_id } = await openGatedShell("bash", { cwd });
  await person.pty_send({ session_id, text: `PS1='here$ ' ${line}\n`, then: { any: [{ text: "here$" }] } });
  await person.release({ session_id });
  return { session_id, cwd, has: (name: string) => fs.existsSync(join(cwd, name)) };
};
/** A line for a program that does not read yet is refused. */
const reads = (session_id: string) => person.pty_wait({ session_id, any: [{ input: true }], timeout_ms: SOON_MS });
const type = async (session_id: string, text: string, awaited: string) => {
  await reads(session_id);
  return agent().pty_send({ session_id, text, then: { any: [{ text: awaited }], timeout_ms: SOON_MS } });
};
/** It is asked about as keys, and the person says no. */
const isAsked = async (session_id: string, text: string, how: "text" | "paste" = "text") => {
  await reads(session_id);
  const sent = agent().pty_send({ session_id, [how]: text });
  const refused = expect(sent).rejects.toMatchObject({ code: "gate.denied" });
  const { kind, approval_id } = await pendingOf(session_id);
  await person.deny({ approval_id });
  await refused;
  return kind;
};

it("a whole line at its prompt runs in a box, also one that is not known", async () => {
  const { session_id, cwd, has } = await inSh();
  const { screen, hint } = await type(session_id, "ls; echo to''ld\n", "told");
  expect(hint).toContain("cd and variables end with the line");
  expect(screen?.rows.join("\n")).toMatch(/duetty-box 'ls; echo to'\\'''\\''ld'\n.*a .*sub\ntold/);
  const line = "echo x > new; python3 -c 'open(\"../out\", \"w\")'; echo do''ne\n";
  expect((await type(session_id, line, "done")).hint ?? "").not.toContain("variables");
  expect([has("new"), has("../out")]).toEqual([true, false]);
  expect((await person.points({ session_id })).points.length).toBeGreaterThan(0);
  // What the box keeps free goes with it.
  await expect.poll(() => fs.readdirSync(cwd).sort().join()).toBe("a,new,sub");
  // A person has typed there since.
  await person.pty_send({ session_id, text: "cd sub\n" });
  await person.release({ session_id });
  expect(await isAsked(session_id, "ls\n")).toBe("keys");
});

it("is asked about unless the shell certainly stands at its empty prompt", async () => {
  // Its folder is what the kernel says, whatever the person's own shell is at.
  const { session_id, has } = await inSh("sh -c 'cd sub; exec dash'");
  expect(await isAsked(session_id, "ls\n", "paste")).toBe("keys");
  await type(session_id, "ls; echo th''ere\n", "there");
  expect((await agent().pty_read_screen({ session_id })).rows.join("\n")).toMatch(/\n(?:.* )?b(?: .*)?\nthere/);
  // A half command, a question that looks like the prompt, a text.
  for (const text of ["touch ../fired \\\n", "printf 'here$ '; read x && touch ../fired\n", "cat > ../fired <<E\n"]) {
    await person.pty_send({ session_id, text });
    await person.release({ session_id });
    expect([text, await isAsked(session_id, "ls\n")]).toEqual([text, "keys"]);
    await person.pty_send({ session_id, keys: ["Ctrl+C"] });
  }
  expect(has("fired")).toBe(false);
  // Typed ahead of a new shell, and a part of a shell that is none of its own.
  for (const line of ["dash\ncat > fired <<E", "true; (printf 'here$ '; read x && touch fired)"]) {
    const other = await inSh(line);
    expect([line, await isAsked(other.session_id, "ls\n")]).toEqual([line, "keys"]);
    expect(other.has("fired")).toBe(false);
  }
});

it("what destroys, leaves the box or is no whole line is asked about as keys", async () => {
  const { session_id, has } = await inSh("bash --norc");
  for (const text of [
    "rm a\n",
    "curl example.com\n",
    "sudo id\n",
    "ls",
    "ls\nls\n",
    "ls\x03\n",
    "\x1b[200~ls\x1b[201~\n",
  ])
    expect([text, await isAsked(session_id, text)]).toEqual([text, "keys"]);
  expect(has("a")).toBe(true);
  // A person's half line is not entered.
  await person.pty_send({ session_id, text: "rm " });
  await person.release({ session_id });
  expect(await isAsked(session_id, "a\n")).toBe("keys");
  expect(has("a")).toBe(true);
});

it("a script that reads, a program of the same name and a shell elsewhere are none", async () => {
  const cwd = folder({
    "r.sh": "echo re''ady; read x; eval $x\n",
    "sub/sh": "#!/bin/bash\necho re''ady; read x; eval $x\n",
  });
  fs.chmodSync(join(cwd, "sub/sh"), 0o755);
  for (const command of [["/bin/sh", "r.sh"], [join(cwd, "sub/sh")], ["/bin/sh", "-c", ". ./r.sh"]]) {
    const session_id = await open(command, { cwd });
    await person.pty_wait({ session_id, any: [{ text: "ready" }], since: 0 });
    expect(await isAsked(session_id, "touch x\n")).toBe("keys");
  }
  expect(fs.existsSync(join(cwd, "x"))).toBe(false);
});

it("Ctrl+C is free to what the agent's own line runs, and not to a person's program", async () => {
  const { session_id } = await inSh();
  await type(session_id, "echo beg''un; sleep 1000\n", "begun");
  await agent().pty_send({ session_id, keys: ["Ctrl+C"] });
  await expect.poll(() => foregroundOf(session_id)).toBe("dash");
  await person.pty_send({ session_id, text: "sleep 2000\n" });
  await expect.poll(() => foregroundOf(session_id)).toBe("sleep");
  await expect(agent().pty_send({ session_id, keys: ["Ctrl+C"] })).rejects.toMatchObject({ code: "gate.held" });
  await person.release({ session_id });
  const sent = agent().pty_send({ session_id, keys: ["Ctrl+C"] });
  const refused = expect(sent).rejects.toMatchObject({ code: "gate.denied" });
  await person.deny({ approval_id: (await pendingOf(session_id)).approval_id });
  await refused;
  expect(await foregroundOf(session_id)).toBe("sleep");
});
