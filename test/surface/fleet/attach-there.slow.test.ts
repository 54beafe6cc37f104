// `duetty attach box/ID`: a terminal of another machine in this one. Keys are not kept while that machine is away, and that is said.
import { expect, test } from "vitest";
import { box, hubOf } from "../../fixtures/fleet/machines.ts";
import { until } from "../../fixtures/soon.ts";
import { TestTerminal } from "../../fixtures/stand/terminal.ts";

test("draws it, types there, says when keys are not sent, and goes on when it is back", async () => {
  await using far = await box();
  await using hub = await hubOf({ box: far });
  const { person } = hub;
  const { session_id } = await person.pty_open({ host: "box", command: ["/bin/bash", "--norc", "-i"] });
  await person.pty_wait({ session_id, any: [{ prompt: true }] });
  const terminal = TestTerminal.open(hub.duetty, ["attach", session_id]);
  await terminal.shows(/bash-[\s\S]*Shared .*Ctrl\+\\ detach/);
  terminal.type("echo $((40 + 2))\r");
  await terminal.shows(/^42/m);
  await far.sshd.halt();
  await terminal.shows("Keys are not sent.");
  terminal.type("lost");
  await terminal.shows("box is not reached. Keys are not sent.");
  await far.sshd.start();
  await until(async () => (await person.hosts()).hosts[0]?.reach === "here", "the machine");
  await until(async () => !terminal.statusLine.includes("Keys are not sent"), "the connection");
  terminal.type("echo back\r");
  await terminal.shows(/^back/m);
  expect((await person.pty_read_screen({ session_id })).rows.join("\n")).not.toContain("lost");
});
