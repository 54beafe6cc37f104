// Operations asked of another machine while something fails: whoever asked hears the truth, and nothing is done twice.
import fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CallError } from "../../../src/client/client.ts";
import { Cancel } from "../../../src/core/base/cancellation.ts";
import { Eavesdropper, NEVER, PERSON, TestDevice } from "../../fixtures/fleet/device.ts";
import { SmallFleet } from "../../fixtures/fleet/members.ts";
import { natsServer } from "../../fixtures/fleet/nats.ts";
import { until } from "../../fixtures/soon.ts";
import type { Stand } from "../../fixtures/stand/stand.ts";

let broker: Awaited<ReturnType<typeof natsServer>>;
let fleet: SmallFleet;
let hub: Stand;
let box: Stand;
let session_id: string;
beforeEach(async () => {
  broker = await natsServer();
  fleet = new SmallFleet(broker.url);
  hub = await fleet.add({ name: "laptop" });
  box = await fleet.add({ name: "box" });
  await fleet.complete(hub, "box");
  session_id = `box/${await box.openBash()}`;
});
afterEach(async () => {
  await fleet[Symbol.asyncDispose]();
  await broker[Symbol.asyncDispose]();
});

const faultOf = (call: Promise<unknown>) =>
  call.then(
    (answer) => expect.fail(`it was answered: ${JSON.stringify(answer).slice(0, 200)}`),
    (error: unknown) => (error instanceof CallError ? error : expect.fail(String(error))),
  );
const pending = async () => (await box.person.approvals()).approvals;

test("whoever leaves is not waited for over there: the call ends at once", async () => {
  await using device = await TestDevice.of(fleet.device("phone"));
  const host = await device.host("box");
  await using nobody = await Eavesdropper.of(broker.url);
  const answers: string[] = [];
  nobody.bus.subscribe(`_INBOX_${device.member.device}.>`, ({ subject }) => answers.push(subject));
  const left = new Cancel();
  const wait = { session_id: session_id.slice("box/".length), any: [{ text: "never" }], timeout_ms: 600_000 };
  const call = host.call("pty_wait", wait, PERSON, left);
  // Asked later, answered now: so the call is there.
  await host.call("pty_list", {}, PERSON, NEVER);
  left.end();
  expect(await call).toMatchObject({ code: "host.quiet" });
  // That of the list, that to the word that nobody waits, and that of the call itself.
  await until(() => answers.length === 3, "the end of the call");
});

test("a broker that is killed: what waits may have been done, is told so, and is not asked again", async () => {
  const file = join(box.folder(), "ran");
  const command = `echo ran >> ${file}; sleep 2`;
  const run = faultOf(hub.person.run_command({ session_id, command }));
  const question = faultOf(
    hub.agent("bot").run_command({ session_id: `box/${await box.openBash()}`, command: "shutdown -h now" }),
  );
  await until(() => fs.existsSync(file), "that it runs");
  await until(async () => (await pending()).length === 1, "the question");
  await broker.kill();
  for (const asked of [run, question]) {
    const { code, hint } = await asked;
    expect([code, hint]).toEqual(["host.quiet", expect.stringContaining("may have been done")]);
    // The list of commands says whether it was.
    expect(hint).toContain("List a session's commands with blocks.");
  }
  // What is asked without a broker is refused before anything is sent.
  expect(await faultOf(hub.person.pty_send({ session_id, text: "x" }))).toMatchObject({
    code: "host.quiet",
    hint: "Nothing was sent. List the machines with hosts.",
  });
  await broker.start();
  await fleet.complete(hub, "box");
  await hub.person.pty_wait({ session_id, any: [{ prompt: true }] });
  expect(fs.readFileSync(file, "utf8")).toBe("ran\n");
  expect(await hub.person.run_command({ session_id, command: "echo on" })).toMatchObject({ exit_code: 0 });
});

test("a request above the broker's message is refused, and nothing of it is done", async () => {
  const before = box.duetty.raw(session_id.slice("box/".length)).length;
  const { code, message, hint } = await faultOf(hub.person.pty_send({ session_id, text: "x".repeat(2 << 20) }));
  expect([code, hint]).toEqual(["bus.too_large", "Nothing was sent. Send less at once."]);
  expect(message).toContain("box");
  await hub.person.run_command({ session_id, command: "true" });
  expect(box.duetty.raw(session_id.slice("box/".length)).length - before).toBeLessThan(1_000);
});

test("parts of a large answer into which somebody throws rubbish: no daemon ends", async () => {
  await using nobody = await Eavesdropper.of(broker.url);
  const { pid } = (await hub.person.status({})).daemon;
  await hub.person.run_command({ session_id, command: "seq 300000", max_output_chars: 1_000 });
  nobody.bus.subscribe("duetty.v1.*.out.>", ({ subject }) => {
    nobody.bus.publish(subject, new Uint8Array(2));
    nobody.bus.publish(subject, new Uint8Array(2_000));
  });
  const asked = hub.person.export({ session_id, format: "cast" }).then(
    ({ content }) => content.length > 1 << 20,
    (error: unknown) => error instanceof CallError && ["host.quiet", "fleet.forged"].includes(error.code),
  );
  expect(await asked).toBe(true);
  expect((await hub.person.status({})).daemon.pid).toBe(pid);
});
