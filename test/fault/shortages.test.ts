// A machine that runs out of descriptors: the answer is a clear fault, nothing that runs is lost, and all goes on when there are enough.
import { expect, test } from "vitest";
import { CallError } from "../../src/client/client.ts";
import { depth } from "../fixtures/depth.ts";
import { BIN, run } from "../fixtures/stand/installation.ts";
import { type Stand, stand } from "../fixtures/stand/stand.ts";

/** What a call was refused with. */
async function refusal(call: Promise<unknown>): Promise<string | undefined> {
  return call.then(
    () => undefined,
    (error: unknown) => (error instanceof CallError ? error.code : String(error)),
  );
}

/** A daemon and a holder with a limit of `ulimit` each. */
async function standWith(limit: string): Promise<Stand> {
  const s = await stand({ daemon: "later" });
  const start = `ulimit ${limit}; exec "${process.execPath}" "${BIN}" status`;
  expect((await run("bash", ["-c", start], { env: s.duetty.env })).code).toBe(0);
  return s;
}

test.each([64, 128].slice(0, depth(1, 2)))(
  "%i descriptors: a session too many is refused, and the others go on",
  async (descriptors) => {
    await using s = await standWith(`-n ${descriptors}`);
    const { daemon, holder } = await s.person.status({});
    const opened: string[] = [];
    // Again and again: a refusal costs nothing.
    for (let refused = 0; refused < 5; ) {
      const opening = s.person.pty_open({ command: ["/bin/bash", "--norc", "-i"] });
      const why = await refusal(opening.then(({ session_id }) => opened.push(session_id)));
      expect(why).toBeOneOf(["machine.full", undefined]);
      if (why) refused += 1;
    }
    expect(opened.length).toBeGreaterThan(2);
    const { sessions } = await s.person.pty_list({ all: true });
    expect(sessions.map(({ state }) => state)).toEqual(opened.map(() => "running"));
    const last = opened.at(-1) ?? "";
    expect((await s.person.run_command({ session_id: last, command: "true" })).exit_code).toBe(0);

    for (const session_id of opened.slice(0, 2)) await s.person.pty_close({ session_id });
    expect(await refusal(s.open(["/bin/bash"]))).toBeUndefined();
    const now = await s.person.status({});
    expect([now.daemon.pid, now.holder.pid]).toEqual([daemon.pid, holder.pid]);
  },
);
