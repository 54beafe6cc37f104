// `npm run test:long`, because half a minute is waited for: the daemon of another machine is stopped, and goes on later.
import { expect, test } from "vitest";
import { SmallFleet } from "../../fixtures/fleet/members.ts";
import { natsServer } from "../../fixtures/fleet/nats.ts";

test("a daemon that is stopped is quiet within 30 s of its last card, and here again", async () => {
  await using broker = await natsServer();
  await using fleet = new SmallFleet(broker.url);
  const hub = await fleet.add({ name: "laptop" });
  const box = await fleet.add({ name: "box" });
  await fleet.complete(hub, "box");
  const session_id = `box/${await box.open(["cat"])}`;
  const { pid } = (await box.person.status({})).daemon;
  const waits = hub.person
    .pty_wait({ session_id, any: [{ text: "never" }], timeout_ms: 600_000 })
    .catch((error: unknown) => error);
  process.kill(pid, "SIGSTOP");
  const began = performance.now();
  try {
    expect(await waits).toMatchObject({ code: "host.quiet" });
    expect(performance.now() - began).toBeLessThan(35_000);
    expect((await hub.person.hosts()).hosts[0]).toMatchObject({ reach: "quiet" });
  } finally {
    process.kill(pid, "SIGCONT");
  }
  await fleet.complete(hub, "box");
  expect((await hub.person.pty_screen_status({ session_id })).session_id).toBe(session_id);
}, 200_000);
