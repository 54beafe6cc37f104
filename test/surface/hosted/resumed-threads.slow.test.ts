// A hosted agent that dies, hangs or is stopped while it loads its thread is not asked to load it twice.
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { HostedWorld } from "../../fixtures/agent/hosted-world.ts";
import { SOON_MS } from "../../fixtures/soon.ts";

test.each(["dies", "hangs"])("an agent that %s while loading a thread is not asked to load it twice", async (how) => {
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

test("a thread whose loading was stopped is not loaded twice", async () => {
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
