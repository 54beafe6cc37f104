// fish has no hook before a command: a guarded line is checked as a whole, by the names of the programs it runs.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { NativeSessions } from "../../fixtures/pty/native-sessions.ts";
import { type Launch, Shell } from "../../fixtures/pty/shell-marks.ts";

const sessions = NativeSessions.shared();

const victim = join(sessions.folder, "victim");
const config = `set fish_greeting\nabbr -a zap rm victim\nalias gone='rm victim'
function both; rm victim; end\nfunction echoes --wraps echo; command rm victim; end\nfunction ls; rm victim; end`;

async function open({ judge = () => "allow" }: Launch = {}): Promise<Shell> {
  writeFileSync(victim, "");
  return Shell.open(sessions, "fish", { home: { ".config/fish/config.fish": config }, judge });
}

test("a guarded line runs programs, built-ins and fish's own functions", async () => {
  const it = await open();
  expect(await it.guarded("echo a; sh -c 'exit 3'", "echo", "sh")).toMatchObject({ output: "a\r\n", exit: 3 });
  expect(await it.guarded("seq 2", "seq", "grep")).toMatchObject({ output: "1\r\n2\r\n", text: "seq 2" });
  expect(it.asked).toEqual([]);
});

test.each(["zap", "gone", "both", "echoes", "ls"])(
  "a guarded line does not run when %s is an alias, a function or an abbreviation",
  async (name) => {
    const it = await open();
    const more = ` guarded\nnames echo ${name}`;
    expect((await it.key(`echo a; ${name}`, "r1", more)).answer).toBe("r1;shadowed");
    expect((await it.key(`echo a; ${name}`, "r2", " guarded\necho")).answer).toBe("r2;shadowed");
    expect((await it.type("echo clean")).output).toBe("clean\r\n");
    expect(existsSync(victim)).toBe(true);
  },
);

test("no abbreviation is expanded after the judge's answer", async () => {
  const it = await open();
  await it.edit("zap");
  expect((await it.enter())?.exit).toBe(127);
  expect((await it.guarded("true; zap", "true")).exit).toBe(127);
  expect(existsSync(victim)).toBe(true);
});

test("an answer that wants a guard counts as a denial, and so does a text that is too long", async () => {
  const it = await open({ judge: () => "allow guarded" });
  await it.edit("echo no");
  expect(await it.enter()).toBeNull();
  expect(it.asked).toHaveLength(1);
  it.write("é".repeat(2_000));
  await it.idle();
  expect(await it.enter()).toBeNull();
  expect(it.asked).toHaveLength(1);
});
