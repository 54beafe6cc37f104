// Other machines over the person's own ssh, with a real sshd on loopback: names, lists, runs, questions, terminals, and what is told
// while a machine is away.
import { describe, expect, test } from "vitest";
import { box, hubOf, pair } from "../../fixtures/fleet/machines.ts";
import { BULK_MS, until } from "../../fixtures/soon.ts";
import type { Stand } from "../../fixtures/stand/stand.ts";

const reachOf = async (hub: Stand, name: string) =>
  (await hub.person.hosts()).hosts.find(({ host }) => host === name)?.reach;

describe("a machine over ssh", () => {
  test("is started when it is added, and its sessions are listed, run in and closed by host/ID", async () => {
    await using s = await pair();
    const { hub } = s;
    expect(await reachOf(hub, "box")).toBe("here");
    const opened = await hub.person.pty_open({ host: "box", name: "far", command: ["/bin/bash", "--norc", "-i"] });
    expect(opened.session_id).toMatch(/^box\/s_/);
    expect(opened.actor).toBe("person");
    const { session_id } = opened;
    await hub.person.pty_wait({ session_id, any: [{ prompt: true }] });
    const ran = await hub.person.run_command({ session_id, command: "echo $((40 + 2))" });
    expect(ran).toMatchObject({ status: "done", exit_code: 0, output: { head: "42" } });
    expect(ran.block_id).toMatch(/^box\/b_/);
    const { block } = await hub.person.block({ block_id: ran.block_id ?? "" });
    expect(block.block_id).toBe(ran.block_id);
    await until(
      async () => (await hub.person.pty_list({ hosts: "all" })).sessions.some((one) => one.session_id === session_id),
      "the list",
    );
    const { sessions, missing } = await hub.person.pty_list({ hosts: "all" });
    expect(missing).toEqual([]);
    expect(sessions.find((one) => one.session_id === session_id)).toMatchObject({
      host: "box",
      name: "far",
      actor: "person",
    });
    // Here nothing was opened.
    expect((await hub.person.pty_list()).sessions).toEqual([]);
    // Over there they come from the laptop.
    expect((await s.far.there.person.pty_list()).sessions[0]?.actor).toBe("person@laptop");
    expect((await hub.person.pty_close({ session_id })).state).toBe("done");
  });

  test("agents carry their machine, are asked there, and a person here answers", async () => {
    await using s = await pair();
    const { hub, far } = s;
    const { session_id } = await hub.person.pty_open({ host: "box", command: ["/bin/bash", "--norc", "-i"] });
    await hub.person.pty_wait({ session_id, any: [{ prompt: true }] });
    const run = hub
      .agent("bot")
      .run_command({ session_id, command: "shutdown -h now" })
      .catch((error: unknown) => error);
    await until(async () => (await hub.person.approvals({ hosts: "all" })).approvals.length === 1, "the question");
    const [question] = (await hub.person.approvals({ hosts: "all" })).approvals;
    expect(question).toMatchObject({ session_id, actor: "agent:bot", text: "shutdown -h now" });
    expect(question?.approval_id).toMatch(/^box\/a_/);
    expect((await far.there.person.approvals()).approvals[0]?.actor).toBe("agent:bot@laptop");
    const approval_id = question?.approval_id ?? "";
    await expect(hub.person.approve({ approval_id, shown: "0".repeat(64) })).rejects.toMatchObject({
      code: "approval.changed",
    });
    const denied = await hub.person.deny({ approval_id, reason: "no" });
    expect(denied).toMatchObject({ state: "denied", by: "person" });
    expect(await run).toMatchObject({ status: "denied" });
    // An agent can no more approve there than here.
    await expect(hub.agent("bot").approve({ approval_id })).rejects.toMatchObject({ code: "auth.forbidden" });
  });

  test("that goes away is told as gone with its last list, and blocks nothing; it comes back by itself", async () => {
    await using s = await pair();
    const { hub, far } = s;
    const { session_id } = await hub.person.pty_open({ host: "box", name: "kept" });
    await until(async () => (await hub.person.pty_list({ hosts: "all" })).sessions.length === 1, "the list");
    far.sshd.kill();
    await until(async () => (await reachOf(hub, "box")) !== "here", "gone", BULK_MS);
    const { sessions } = await hub.person.pty_list({ hosts: "all" });
    expect(sessions[0]).toMatchObject({ session_id, name: "kept", host: "box" });
    await until(async () => (await reachOf(hub, "box")) === "here", "here");
    expect((await hub.person.pty_screen_status({ session_id })).session_id).toBe(session_id);
  });

  test("without duetty is refused with what to do; an address that is none is refused", async () => {
    await using far = await box({ installed: false });
    await using hub = await hubOf({ box: far });
    const { hosts } = await hub.person.hosts();
    expect(hosts[0]).toMatchObject({ reach: "refused", why: "duetty is not installed there" });
    await expect(hub.person.pty_open({ host: "box" })).rejects.toMatchObject({ code: "host.refused" });
    await expect(hub.person.pty_open({ host: "nowhere" })).rejects.toMatchObject({ code: "host.unknown" });
    for (const address of ["box", "ssh://-oProxyCommand=x", "ssh://a b", "ssh://host:99999", "http://host"])
      await expect(hub.person.hosts_add({ name: "two", address })).rejects.toMatchObject({ code: "input.invalid" });
    await expect(hub.agent("x").hosts_add({ name: "two", address: "ssh://host" })).rejects.toMatchObject({
      code: "auth.forbidden",
    });
  });
});
