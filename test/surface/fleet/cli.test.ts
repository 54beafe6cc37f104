// The verbs for sessions and the gate with a session on another machine, through the real CLI and a real sshd: each works there, or
// says clearly why not; and whatever is printed can be given back to it.
import { describe, expect, test } from "vitest";
import { sharedPair } from "../../fixtures/fleet/machines.ts";
import { until } from "../../fixtures/soon.ts";
import type { Ran } from "../../fixtures/stand/installation.ts";
import { TestTerminal } from "../../fixtures/stand/terminal.ts";

const s = sharedPair();
const cli = (...words: string[]) => s.hub.duetty.cli(...words);
const BASH = ["/bin/bash", "--norc", "-i"];

/** What a verb printed, when it succeeded. */
async function said(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await cli(...words);
  expect({ code, words, stderr, stdout }).toMatchObject({ code: 0 });
  return stdout.trimEnd();
}

async function opened(...words: string[]): Promise<string> {
  const id = await said("open", "--host", "box", ...words, "--", ...BASH);
  expect(id).toMatch(/^box\/s_[0-9a-z]{8}$/);
  await said("wait", id, "--prompt");
  return id;
}

/** The question that an agent asks on the other machine, by the name that it has here. */
async function asked(session_id: string, command: string): Promise<{ name: string; run: Promise<Ran> }> {
  const run = s.hub.duetty.agentCli("run", session_id, "--as", "agent:bot", "--", command);
  let name = "";
  await until(async () => {
    const open = (await s.hub.person.approvals({ host: "box", session_id })).approvals;
    name = open.find(({ text }) => text === command)?.approval_id ?? "";
    return (
      name !== "" && (await s.hub.person.approvals({ hosts: "all" })).approvals.some((one) => one.approval_id === name)
    );
  }, "the question");
  return { name, run };
}

describe("sessions", () => {
  test("open, see, send, wait, resize, rename, status, signal, close, rm, in names that can be given back", async () => {
    const id = await opened("--name", "web");
    expect(
      await said("send", id, "--text", "echo one$((1+1))", "--keys", "Enter", "--wait-text", "one2", "--see"),
    ).toMatch("one2");
    expect(await said("see", "box/web")).toMatch("one2");
    await said("resize", id, "100x30");
    await said("rename", id, "site");
    expect(await said("status", "box/site")).toMatch(`session_id  ${id}`);
    await said("send", id, "--text", "sleep 1000\r");
    await until(async () => (await said("status", id)).includes("sleep"), "the command");
    expect(await said("signal", id, "INT")).toMatch(`"session_id":"${id}"`);
    await said("wait", id, "--prompt");
    expect(await said("close", id)).toBe(`${id} closed`);
    expect(await said("rm", id)).toBe(`${id} is gone, with everything that it printed`);
    expect(await cli("see", id)).toMatchObject({ code: 3 });
  });

  test("neither this machine's folder nor its variables go there; a folder that is named is one over there", async () => {
    const env = { ONLY_HERE: "secret-of-the-laptop" };
    const folder = s.hub.folder();
    const { stdout } = await s.hub.duetty.cliWith(env, "open", "--host", "box", "--", ...BASH);
    const id = stdout.trim();
    await said("wait", id, "--prompt");
    expect(await said("run", id, "--", 'echo "[$ONLY_HERE]" $PWD')).toBe(`[] ${s.far.home}`);
    const there = s.far.there.folder();
    expect(await said("run", "--host", "box", "--cwd", there, "--mode", "pipe", "--", "pwd")).toBe(there);
    // Whoever calls without the CLI may send them.
    const opened = await s.hub.person.pty_open({
      host: "box",
      base_env: { ...env, PATH: "/bin" },
      command: ["/usr/bin/env"],
    });
    await s.hub.person.pty_wait({ session_id: opened.session_id, any: [{ exit: true }] });
    expect(await said("replay", opened.session_id)).not.toMatch("ONLY_HERE");
    expect(folder).not.toBe("");
  });

  test("ls --all names the machine of each, in 80 columns, and which are missing", async () => {
    const id = await opened("--name", "a-name-that-is-as-long-as-people-make-them");
    await until(async () => (await said("ls", "--all")).includes(id), "the list");
    expect(await said("ls")).not.toMatch(id);
    const terminal = TestTerminal.open(s.hub.duetty, ["ls", "--all"], { cols: 80, rows: 40 });
    await terminal.ended();
    expect(terminal.text()).toMatch(id);
    const hosts = TestTerminal.open(s.hub.duetty, ["hosts"], { cols: 80, rows: 20 });
    await hosts.ended();
    expect(hosts.text()).toMatch(/^HOST +STATE +RUNNING/m);
    expect(hosts.text()).toMatch(/^box +here/m);
    expect(hosts.text()).toMatch("this machine is laptop");
    // Nothing is broken over two rows.
    for (const text of [terminal.text(), hosts.text()]) expect(text.match(/^ +\S/m)).toBeNull();
  });
});

describe("the gate", () => {
  test("take, release, stop, mode, policy, grant, and levels of agents by the names that they have here", async () => {
    const id = await opened();
    expect(await said("take", id)).toBe("hold: person (manual)");
    expect(await said("release", id)).toBe("hold: nobody");
    expect(await said("mode", id)).toBe("agent_terminal");
    expect(await said("policy", id, "--agent", "bot", "--level", "always_ask")).toMatch(/^agent:bot +always_ask$/m);
    expect((await s.far.there.person.policy({ session_id: id.slice(4) })).agent_levels).toEqual({
      "agent:bot@laptop": "always_ask",
    });
    expect(await said("policy", id, "--agent", "bot", "--level", "session")).not.toMatch("agent:bot");
    expect(await said("grant", id, "--raw", "--for", "1m")).toMatch("granted to agents until");
    expect(await said("stop", id)).toMatch("agents stopped in 1 session");
    expect(await said("status", id)).toMatch(/hold +person/);
  });

  test("approvals, needs, approve and deny: of all machines, with the name to answer by", async () => {
    const id = await opened();
    const first = await asked(id, "shutdown -h now");
    expect(await said("approvals", "--hosts", "all")).toMatch(`${first.name}  agent:bot wants to run in ${id}, `);
    expect(await said("approvals")).toBe("no open questions");
    expect(await said("needs", "--all")).toMatch(first.name);
    expect(await said("deny", first.name, "--reason", "not now")).toMatch("denied");
    expect(await first.run).toMatchObject({ code: 5, stderr: expect.stringContaining("not now") });
    const second = await asked(id, "kill -0 99999999");
    expect(await said("approve", second.name)).toMatch("approved");
    expect((await second.run).code).toBe(1);
    // As on this machine: what was answered, and what never was.
    for (const verb of ["approve", "deny"]) {
      expect(await cli(verb, second.name)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/it was approved already\n {2}Earlier answers are in: duetty approvals --all/),
      });
      expect(await cli(verb, "box/a_00000000")).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('no approval is called "box/a_00000000"'),
      });
    }
    const third = await asked(id, "kill -0 99999998");
    await expect(s.far.there.person.approve({ approval_id: third.name.slice(4) })).resolves.toBeDefined();
    await third.run;
    expect((await cli("deny", third.name)).stderr).toMatch("it was approved already");
  });

  test("share is refused from another machine, and so is what names two machines", async () => {
    const id = await opened();
    expect(await cli("share", id)).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(
        /share is for a person at the machine itself\n {2}Do it in a terminal of the machine/,
      ),
    });
    expect(await said("shares", id)).toMatch("nothing is shared");
    for (const words of [
      ["restore", "--yes", "s_12345678", id],
      ["run", id, "--host", "laptop", "--", "true"],
      ["search", "x", "--session", id, "--host", "laptop"],
    ])
      expect(await cli(...words)).toMatchObject({ code: 2, stderr: expect.stringContaining("are two machines") });
    for (const words of [
      ["see", "nowhere/s_12345678"],
      ["run", "--host", "nowhere", "--", "true"],
      ["ls", "--host", "nowhere"],
      ["hosts", "remove", "nowhere"],
    ])
      expect(await cli(...words), words.join(" ")).toMatchObject({
        code: 3,
        stderr: expect.stringContaining("List the machines with: duetty hosts"),
      });
    for (const [verb, ...words] of [
      ["open", "--host", ""],
      ["ls", "--host="],
      ["ls", "--all", "--host", "box"],
    ])
      expect(await cli(verb ?? "", ...words), words.join(" ")).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/must be a machine's name|all machines, or box alone/),
      });
    expect(await cli("run", "--host", "nowhere", "--", "true")).toMatchObject({
      stderr: expect.stringMatching(/no machine is called nowhere\n {2}List the machines with: duetty hosts/),
    });
  });
});
