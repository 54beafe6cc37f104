// A hosted agent that keeps its sessions goes on with the one it had; one that does not is told what was said.
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { HostedWorld } from "../fixtures/hosted-world.ts";
import { SOON_MS } from "../fixtures/soon.ts";

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

test.each(["dies", "hangs"])("one that %s over it is not asked for it twice", async (how) => {
  const env: Record<string, string> = { SCRIPTED_KEEPS: "load" };
  await using world = await new HostedWorld(env).begin();
  await world.ask("say first");
  env.SCRIPTED_FORGETS = how;
  world.open_ms = how === "hangs" ? 1_000 : undefined;
  await world.restart();
  expect(await world.ask("say second")).toBe("failed");
  expect(world.of("trouble")[0]?.message).toContain(how === "hangs" ? "no answer within 1 s" : "exit code 4");
  world.open_ms = undefined;
  await world.restart();
  expect(await world.ask("whole")).toBe("done");
  expect(world.said).toContain("Person: say first");
  expect(world.said).toContain("Person: say second");
});

test("one that is stopped while it hangs is not asked for it twice, either", async () => {
  const env: Record<string, string> = { SCRIPTED_KEEPS: "load" };
  await using world = await new HostedWorld(env).begin();
  await world.ask("say first");
  env.SCRIPTED_FORGETS = "hangs";
  await world.restart();
  const turn = world.ask("say second");
  await expect.poll(() => fs.existsSync(join(world.folder, "hangs")), { timeout: SOON_MS }).toBe(true);
  world.agent.stop();
  // At once: the conversation may have done with it before it ends.
  expect(world.thread).toBeNull();
  expect(await turn).toBe("stopped");
  expect(await world.ask("whole")).toBe("done");
  expect(world.said).toContain("Person: say second");
});

test.each(["crash", "nonsense"])("what it failed at is told in words, not taken for known: %s", async (task) => {
  await using world = await new HostedWorld({ SCRIPTED_KEEPS: "resume" }).begin();
  await world.ask("say first");
  expect(await world.ask(task)).toBe("failed");
  expect(await world.ask("whole")).toBe("done");
  expect(world.said).toContain(`Person: ${task}`);
  await world.ask("whole");
  expect(world.said).toBe("whole");
});

test("a stop that it answers, and a shutdown, leave what it kept", async () => {
  await using world = await new HostedWorld({ SCRIPTED_KEEPS: "resume" }).begin();
  await world.ask("say first");
  const { thread } = world;
  const stopped = world.ask("hang");
  await world.until(() => world.told.find((talk) => talk.type === "chunk" && talk.text === "hanging"));
  world.agent.stop();
  expect(await stopped).toBe("stopped");
  expect(world.thread).toBe(thread);
  const left = world.ask("hang");
  await world.restart();
  expect(await left).toBe("stopped");
  expect(world.thread).toBe(thread);
  await world.ask("memory");
  expect(JSON.parse(world.said)).toMatchObject({ begun: "resume" });
});

test("one that cannot keep sessions is told what was said", async () => {
  await using world = await new HostedWorld().begin();
  await world.ask("say first");
  await world.restart();
  await world.ask("whole");
  expect(world.said).toContain("Person: say first");
});
