// terminal/* of ACP, as a hosted agent uses it: real programs in visible sessions.
import { expect, test } from "vitest";
import { fault } from "../../../src/core/base/fault.ts";
import { Redactor } from "../../../src/core/redact/redactor.ts";
import { outputOf } from "../../../src/serve/acp/terminals.ts";
import { HostedWorld } from "../../fixtures/agent/hosted-world.ts";

test("a program runs in a session of its own that people see, and stays readable after its release", async () => {
  await using world = await new HostedWorld().begin();
  expect(await world.ask("terminal echo one; echo two; exit 3")).toBe("done");
  const { exit, seen, after } = JSON.parse(world.said);
  expect(exit).toEqual({ exitCode: 3, signal: null });
  expect(seen).toEqual({ output: "one\ntwo\n", truncated: false, exitStatus: { exitCode: 3, signal: null } });
  expect(after).toContain("no terminal of yours");
  expect(world.of("step")[0]).toMatchObject({ kind: "terminal", title: "echo one; echo two; exit 3" });
  const session = world.sessions.list().find(({ meta }) => meta.command.includes("-c"));
  expect((await session?.see({ scrollback: 0 }))?.rows.slice(0, 2)).toEqual(["one", "two"]);
});

test("an output is cut between characters", async () => {
  await using world = await new HostedWorld().begin();
  // Ten characters of three bytes; eight bytes are two of them and a part of a third.
  await world.ask("terminal-limit 8 printf '%s' €€€€€€€€€€");
  expect(JSON.parse(world.said)).toMatchObject({ output: "€€", truncated: true });
  await world.ask("terminal-limit 30 printf '%s' €€€€€€€€€€");
  expect(JSON.parse(world.said)).toMatchObject({ output: "€€€€€€€€€€", truncated: false });
});

test("a secret has a mark in its place, also where only its end is given", async () => {
  const token = `ghp_${"a1B2c3D4e5".repeat(3)}F6g7H8`;
  await using world = await new HostedWorld().begin();
  await world.ask(`terminal-limit 1000 printf 'key %s.' ${token}`);
  expect(JSON.parse(world.said).output).toBe("key ‹redacted:github:0000›.");
  await world.ask(`terminal-limit 20 printf 'key %s.' ${token}`);
  expect(token).not.toContain(JSON.parse(world.said).output.slice(0, 8));
});

test("every cut of every text keeps whole characters within the limit", () => {
  for (const text of ["aé€😀b", "😀😀😀", "plain", "é\r\né\r\n"])
    for (let limit = 0; limit <= 20; limit += 1) {
      const bytes = Buffer.from(text);
      const display = {
        readRaw: (from: number, length: number) => ({
          bytes: bytes.subarray(from, from + length),
          total: bytes.length,
        }),
      };
      const { output, truncated } = outputOf({ display, over: true }, limit, new Redactor({ label: () => "0000" }));
      const whole = text.replaceAll("\r\n", "\n");
      expect(whole.endsWith(output)).toBe(true);
      expect(Buffer.byteLength(output)).toBeLessThanOrEqual(limit);
      expect(truncated).toBe(output !== whole);
      // Nothing that would have fitted is missing.
      const next = Array.from(whole.slice(0, whole.length - output.length)).at(-1) ?? "";
      if (truncated && !text.includes("\r")) expect(Buffer.byteLength(next + output)).toBeGreaterThan(limit);
    }
});

test("kill ends the program and keeps what it printed", async () => {
  await using world = await new HostedWorld().begin();
  await world.ask("terminal-kill echo up; exec sleep 300");
  const { before, after } = JSON.parse(world.said);
  expect(before.exitStatus).toBeNull();
  expect(after.output).toBe("up\n");
  expect(after.exitStatus.signal).not.toBeNull();
});

test("an unknown terminal and one that the gate refuses are clear errors", async () => {
  await using world = await new HostedWorld().begin();
  await world.ask("terminal-lost");
  expect(world.said).toContain('no terminal of yours is called "s_nobody"');
  world.refuseOpen = fault("gate.denied", "a person did not allow it", "Do it in another way.");
  await world.ask("terminal-refused npm install");
  expect(world.said).toBe("a person did not allow it. Do it in another way.");
});

const running = (world: HostedWorld) => world.sessions.live.filter(({ id }) => id !== world.session.id);

test("an agent's programs end with a stop, with the agent and with the daemon, and survive the end of a turn", async () => {
  await using world = await new HostedWorld().begin();
  const stopped = world.ask("terminal-stays exec sleep 300");
  await world.until(() => world.of("chunk").find(({ text }) => text === "hanging"));
  expect(running(world)).toHaveLength(1);
  world.agent.stop();
  expect(await stopped).toBe("stopped");
  expect(running(world)).toEqual([]);

  expect(await world.ask("terminal-left exec sleep 300")).toBe("done");
  expect(await world.ask("say next")).toBe("done");
  expect(running(world)).toHaveLength(1);
  expect(await world.ask("crash")).toBe("failed");
  expect(running(world)).toEqual([]);

  expect(await world.ask("terminal-left exec sleep 300")).toBe("done");
  expect(running(world)).toHaveLength(1);
  await world.agent.dispose();
  expect(running(world)).toEqual([]);
});
