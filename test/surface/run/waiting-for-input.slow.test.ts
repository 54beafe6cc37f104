// A program that works or sleeps does not wait for input.
import { expect, it } from "vitest";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const { agent, openShell } = sharedStand();

async function run(command: string) {
  const { session_id } = await openShell();
  return agent().run_command({ session_id, command });
}

it("a working or sleeping program is not waiting", async () => {
  const ran = await run('sh -c \'printf "Password: "; sleep 1.5; echo; printf "ok? "; sleep 1\'');
  expect(ran).toMatchObject({ status: "done", exit_code: 0 });
  expect(ran.duration_ms).toBeGreaterThanOrEqual(2_400);
  const server = "node -e \"console.log('ready'); setTimeout(() => process.exit(4), 2000)\"";
  expect(await run(server)).toMatchObject({ status: "done", exit_code: 4 });
});
