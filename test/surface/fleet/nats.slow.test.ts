// Machines of one fleet that know each other exchange nothing while nothing happens on them.
import { describe, expect, test } from "vitest";
import { SmallFleet } from "../../fixtures/fleet/members.ts";
import { natsServer } from "../../fixtures/fleet/nats.ts";

describe("a fleet over NATS", () => {
  test("machines that know each other are quiet while nothing happens on them", async () => {
    await using broker = await natsServer();
    await using fleet = new SmallFleet(broker.url);
    const [hub, box] = [await fleet.add({ name: "laptop" }), await fleet.add({ name: "box" })];
    await fleet.complete(hub, "box");
    await fleet.complete(box, "laptop");
    const asked = async () => {
      const { text } = await box.person.metrics();
      return Number(/duetty_call_seconds_count\{op="pty_list"\} (\d+)/.exec(text)?.[1] ?? 0);
    };
    expect(await asked()).toBeGreaterThan(0);
    // What one hears of the other is no news of its own: that would go round for ever, some times a second.
    const before = await asked();
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect((await asked()) - before).toBeLessThan(4);
  });
});
