// A machine over ssh that is added again while an earlier attempt to reach it hangs.
import { once } from "node:events";
import net from "node:net";
import { describe, expect, test } from "vitest";
import { pair } from "../../fixtures/fleet/machines.ts";
import { until } from "../../fixtures/soon.ts";
import type { Stand } from "../../fixtures/stand/stand.ts";

const reachOf = async (hub: Stand, name: string) =>
  (await hub.person.hosts()).hosts.find(({ host }) => host === name)?.reach;

describe("a machine over ssh", () => {
  test("that is added again is tried anew: a try that began before tells nothing of how it stands now", async () => {
    await using s = await pair();
    const { hub, far } = s;
    await far.sshd.halt();
    await until(async () => (await reachOf(hub, "box")) === "gone", "gone");
    const found = await hub.duetty.cli("search", "anything", "--all");
    expect(found.stdout).toBe("nothing found\nresults from these are missing: box (duetty hosts)\n");
    // Somebody takes the calls of ssh, and says nothing.
    const [, port = ""] = /:(\d+)$/.exec(far.sshd.address) ?? [];
    const silent = net.createServer().listen(Number(port), "127.0.0.1");
    const [taken] = (await once(silent, "connection")) as [net.Socket];
    silent.close();
    await far.sshd.start();
    const added = await hub.person.hosts_add({ name: "box", address: far.sshd.address });
    expect(added).toMatchObject({ reach: "here", why: null });
    taken.destroy();
  });
});
