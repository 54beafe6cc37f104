// Machines of one fleet over a real nats-server: the same operations and terminals as over ssh, and what is told while something is away.
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SmallFleet } from "../../fixtures/fleet/members.ts";
import { natsServer } from "../../fixtures/fleet/nats.ts";
import { until } from "../../fixtures/soon.ts";
import { TestViewer } from "../../fixtures/stand/viewer.ts";

const address = (session_id: string) => encodeURIComponent(session_id);

describe("a fleet over NATS", () => {
  test("machines find each other; sessions are opened, run in, watched and answered by host/ID", async () => {
    await using broker = await natsServer();
    await using fleet = new SmallFleet(broker.url);
    const hub = await fleet.add({ name: "laptop" });
    const box = await fleet.add({ name: "box" });
    await fleet.complete(hub, "box");
    const { session_id } = await hub.person.pty_open({ host: "box", command: ["/bin/bash", "--norc", "-i"] });
    expect(session_id).toMatch(/^box\/s_/);
    await hub.person.pty_wait({ session_id, any: [{ prompt: true }] });
    expect(await hub.person.run_command({ session_id, command: "echo $((40 + 2))" })).toMatchObject({
      status: "done",
      exit_code: 0,
      output: { head: "42" },
    });
    expect((await box.person.pty_list()).sessions[0]?.actor).toBe("person@laptop");
    // Far larger than one message of the broker.
    const large = await hub.person.run_command({ session_id, command: "seq 400000", max_output_chars: 100_000 });
    expect(large.exit_code).toBe(0);
    const { content } = await hub.person.export({ session_id, format: "cast" });
    expect(content.length).toBeGreaterThan(1 << 20);
    const run = hub
      .agent("bot")
      .run_command({ session_id, command: "shutdown -h now" })
      .catch((error: unknown) => error);
    await until(async () => (await hub.person.approvals({ hosts: "all" })).approvals.length === 1, "the question");
    const [question] = (await hub.person.approvals({ hosts: "all" })).approvals;
    expect(question).toMatchObject({ session_id, actor: "agent:bot", text: "shutdown -h now" });
    const approval_id = question?.approval_id ?? "";
    await hub.person.deny({ approval_id });
    expect(await run).toMatchObject({ status: "denied" });
  });

  test("a terminal there: keys, vim, a resize, and a device that may only look", async () => {
    await using broker = await natsServer();
    await using fleet = new SmallFleet(broker.url);
    const hub = await fleet.add({ name: "laptop" });
    const box = await fleet.add({ name: "box" });
    const shy = await fleet.add({ name: "shy", others: "watch" });
    await fleet.complete(hub, "box", "shy");
    const file = join(box.folder(), "note.txt");
    const { session_id } = await hub.person.pty_open({ host: "box", command: ["/bin/bash", "--norc", "-i"] });
    const viewer = TestViewer.open(hub.duetty, address(session_id));
    await viewer.until(({ repaint }) => repaint !== undefined);
    expect(viewer.messages.find(({ type }) => type === "hello")).toMatchObject({ session_id });
    viewer.socket.send(Buffer.from(`vim -u NONE ${file}\n`));
    await viewer.until(({ bytes }) => bytes.includes("note.txt"));
    viewer.socket.send(Buffer.from("ihello from the laptop\x1b:wq\r"));
    await until(() => fs.existsSync(file) && fs.readFileSync(file, "utf8") === "hello from the laptop\n", "the file");
    const there = (await shy.person.pty_open({ command: ["/bin/cat"] })).session_id;
    await until(async () => (await hub.person.pty_list({ hosts: "all" })).sessions.length === 2, "the list");
    await expect(hub.person.pty_send({ session_id: `shy/${there}`, text: "x" })).rejects.toMatchObject({
      code: "fleet.not_allowed",
      message: "shy lets laptop only watch",
      hint: "A person allows it at that machine, with fleet_allow: laptop --level drive",
    });
    await expect(hub.agent("bot").run_command({ host: "shy", command: "id" })).rejects.toMatchObject({
      code: "fleet.not_allowed",
      message: "shy lets agents of laptop only watch",
      hint: "A person allows it at that machine, with fleet_allow: laptop --level watch --agents drive",
    });
    expect(await hub.person.pty_screen_status({ session_id: `shy/${there}` })).toMatchObject({
      session_id: `shy/${there}`,
    });
    const onlooker = TestViewer.open(hub.duetty, address(`shy/${there}`));
    await onlooker.until(({ repaint }) => repaint !== undefined);
    onlooker.socket.send(Buffer.from("typed by nobody\n"));
    onlooker.socket.send(JSON.stringify({ type: "take" }));
    await onlooker.until(({ messages }) => messages.some(({ type }) => type === "notice"));
    await shy.person.pty_send({ session_id: there, text: "seen\n" });
    await onlooker.until(({ bytes }) => bytes.includes("seen"));
    const { rows, hold } = await shy.person.pty_read_screen({ session_id: there });
    expect(rows.join("\n")).not.toContain("nobody");
    expect(hold).not.toContain("laptop");
  });
});
