// Sessions that end together share the work of finding their processes. One that ends alone costs a few looks at all processes of
// the machine; a thousand must not cost a thousand times as much.
import { expect, test } from "vitest";
import { NativeSessions } from "../fixtures/pty/native-sessions.ts";
import { soon } from "../fixtures/soon.ts";

const sessions = NativeSessions.shared();
const MANY = 40;

/** CPU time in ms of ending so many programs at once. */
async function endingMs(count: number): Promise<number> {
  const opened = Array.from({ length: count }, () => sessions.run("cat"));
  for (const { pty } of opened) await soon(() => expect(pty.foreground()?.name).toBe("cat"));
  const before = process.cpuUsage();
  await Promise.all(opened.map(({ pty }) => pty.close()));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

test(`${MANY} programs that end together cost far less than ${MANY} that end alone`, async () => {
  await endingMs(2);
  const alone: number[] = [];
  for (let i = 0; i < 5; i += 1) alone.push(await endingMs(1));
  const [, , median = 0] = alone.sort((a, b) => a - b);
  expect((await endingMs(MANY)) / median).toBeLessThan(MANY / 3);
});
