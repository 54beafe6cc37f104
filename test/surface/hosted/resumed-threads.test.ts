// A hosted agent that keeps its sessions resumes the one it had. One that does not gets the conversation as text.
import { expect, test } from "vitest";
import { HostedWorld } from "../../fixtures/agent/hosted-world.ts";

test.each(["load", "resume"])("a restarted agent resumes its thread: %s", async (how) => {
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

test("an agent that lost its thread begins a new one with the whole conversation", async () => {
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

test.each(["crash", "nonsense"])("a failed task is repeated in words for the next turn: %s", async (task) => {
  await using world = await new HostedWorld({ SCRIPTED_KEEPS: "resume" }).begin();
  await world.ask("say first");
  expect(await world.ask(task)).toBe("failed");
  expect(await world.ask("whole")).toBe("done");
  expect(world.said).toContain(`Person: ${task}`);
  await world.ask("whole");
  expect(world.said).toBe("whole");
});

test("an answered stop and a shutdown keep the thread", async () => {
  await using world = await new HostedWorld({ SCRIPTED_KEEPS: "resume" }).begin();
  await world.ask("say first");
  const { thread } = world;
  const stopped = world.ask("hang");
  await world.until(() => world.events.find((talk) => talk.type === "chunk" && talk.text === "hanging"));
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

test("an agent without sessions is told the conversation", async () => {
  await using world = await new HostedWorld().begin();
  await world.ask("say first");
  await world.restart();
  await world.ask("whole");
  expect(world.said).toContain("Person: say first");
});
