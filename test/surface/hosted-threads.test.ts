// A hosted agent that keeps its sessions goes on with the one it had; one that does not is told what was said.
import { expect, test } from "vitest";
import { HostedWorld } from "../fixtures/hosted-world.ts";

test.each(["load", "resume"])("after a restart it goes on where it was: %s", async (how) => {
  await using world = await new HostedWorld({ SCRIPTED_KEEPS: how }).begin();
  await world.ask("say first");
  const { thread } = world;
  expect(thread).not.toBeNull();
  await world.restart();
  expect(await world.ask("memory")).toBe("done");
  expect(JSON.parse(world.said)).toEqual({ begun: how, asked: ["say first", "memory"] });
  // What it said again while it loaded was told before.
  expect(world.of("message")).toHaveLength(1);
  expect(world.thread).toBe(thread);
  await world.ask("whole");
  expect(world.said).toBe("whole");
});

test("one that has lost it begins anew, with all that was said", async () => {
  const env: Record<string, string> = { SCRIPTED_KEEPS: "load" };
  await using world = await new HostedWorld(env).begin();
  await world.ask("say first");
  const { thread } = world;
  env.SCRIPTED_FORGETS = "yes";
  await world.restart();
  expect(await world.ask("whole")).toBe("done");
  expect(world.said).toContain("Person: say first");
  expect(world.of("trouble")).toEqual([]);
  expect(world.thread).not.toBe(thread);
});

test("one that dies of it is not asked for it twice", async () => {
  const env: Record<string, string> = { SCRIPTED_KEEPS: "load" };
  await using world = await new HostedWorld(env).begin();
  await world.ask("say first");
  env.SCRIPTED_FORGETS = "dies";
  await world.restart();
  expect(await world.ask("say second")).toBe("failed");
  expect(world.of("trouble")[0]?.message).toContain("exit code 4");
  expect(await world.ask("say third")).toBe("done");
});

test("one that cannot keep sessions is told what was said", async () => {
  await using world = await new HostedWorld().begin();
  await world.ask("say first");
  await world.restart();
  await world.ask("whole");
  expect(world.said).toContain("Person: say first");
});
