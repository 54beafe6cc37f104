// A question on one machine, answered on two others at once: one answer counts, and the other is told. A yes is for the text that was
// shown, and for no other.
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CallError } from "../../../src/client/client.ts";
import { NEVER, PERSON, TestDevice } from "../../fixtures/fleet/device.ts";
import { SmallFleet } from "../../fixtures/fleet/members.ts";
import { natsServer } from "../../fixtures/fleet/nats.ts";
import { until } from "../../fixtures/soon.ts";
import type { Stand } from "../../fixtures/stand/stand.ts";

const settled = (call: Promise<{ readonly state: string }>) =>
  call.then(
    ({ state }) => state,
    (error: unknown) => (error instanceof CallError ? error.code : String(error)),
  );

test("the first of two answers wins, and a yes names its text", async () => {
  await using broker = await natsServer();
  await using fleet = new SmallFleet(broker.url);
  const [a, b, c] = [await fleet.add({ name: "a" }), await fleet.add({ name: "b" }), await fleet.add({ name: "c" })];
  await fleet.complete(b, "a");
  await fleet.complete(c, "a");
  await using device = await TestDevice.of(fleet.device("phone"));
  const host = await device.host("a");
  const session_id = await a.openBash();
  const questionOf = async (machine: Stand) => {
    const open = async () => (await machine.person.approvals({ hosts: "all" })).approvals;
    await until(async () => (await open()).length === 1, "the question");
    return (await open())[0]?.approval_id ?? "";
  };
  for (const command of ["shutdown -h now", "shutdown -r now"]) {
    const run = a
      .agent("bot")
      .run_command({ session_id, command })
      .catch((error: unknown) => error);
    const approval_id = await questionOf(a);
    expect([await questionOf(b), await questionOf(c)]).toEqual([`a/${approval_id}`, `a/${approval_id}`]);
    // From afar a yes says which text it is for: the machine that was asked looks.
    expect(await host.call("approve", { approval_id }, PERSON, NEVER)).toMatchObject({ code: "approval.changed" });
    const other = { approval_id, shown: "0".repeat(64) };
    expect(await host.call("approve", other, PERSON, NEVER)).toMatchObject({ code: "approval.changed" });
    const answers = await Promise.all([
      settled(b.person.deny({ approval_id: `a/${approval_id}` })),
      settled(c.person.deny({ approval_id: `a/${approval_id}` })),
    ]);
    expect(answers.sort()).toEqual(["approval.settled", "denied"]);
    expect(await run).toMatchObject({ status: "denied" });
    // Whoever looks all the time is no entry in the log of what was done.
    const log = join(a.duetty.home.dir, "events.jsonl");
    expect(fs.existsSync(log) ? fs.readFileSync(log, "utf8") : "").not.toContain('"needs"');
    for (const machine of [b, c])
      await until(async () => (await machine.person.approvals({ hosts: "all" })).approvals.length === 0, "no question");
  }
});
