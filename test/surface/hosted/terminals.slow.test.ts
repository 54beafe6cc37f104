// A program that is allowed only after its agent was stopped.
import { expect, test } from "vitest";
import { HostedWorld } from "../../fixtures/agent/hosted-world.ts";
import { soon } from "../../fixtures/soon.ts";

const running = (world: HostedWorld) => world.sessions.live.filter(({ id }) => id !== world.session.id);

test("a program that is allowed after a stop does not run", async () => {
  await using world = await new HostedWorld().begin();
  let allow = (): void => undefined;
  let isGone = false;
  const asked = new Promise<void>((begun) => {
    world.answerOpen = (gone) => {
      gone.onCancel(() => {
        isGone = true;
      });
      begun();
      return new Promise((resolve) => {
        allow = resolve;
      });
    };
  });
  const turn = world.ask("terminal-stays exec sleep 300");
  await asked;
  world.agent.stop();
  expect(isGone).toBe(true);
  expect(await turn).toBe("stopped");
  // The next turn does not make it welcome again.
  world.answerOpen = () => Promise.resolve();
  expect(await world.ask("say next")).toBe("done");
  allow();
  await soon(() => expect(world.sessions.list().filter(({ over }) => over)).toHaveLength(1));
  expect(running(world)).toEqual([]);
});
