// `duetty redact`: a filter that needs no daemon, with the rules of config.json.
import { spawn } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { buffer, text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { testFolder } from "../../fixtures/folder.ts";
import { BIN } from "../../fixtures/stand/installation.ts";

const TOKEN = `glpat-${"aB3_x".repeat(4)}`;

function redact(home: string, ...flags: string[]) {
  const child = spawn(process.execPath, [BIN, "redact", ...flags], { env: { DUETTY_HOME: home } });
  const ended = Promise.all([
    buffer(child.stdout),
    text(child.stderr),
    new Promise((done) => child.once("close", done)),
  ]);
  return { child, ended };
}

async function filtered(home: string, input: string | Uint8Array, ...flags: string[]) {
  const { child, ended } = redact(home, ...flags);
  child.stdin.end(input);
  const [stdout, stderr, code] = await ended;
  return { stdout, stderr, code };
}

test("secrets leave, everything else comes out byte for byte, and nothing is started or written", async () => {
  const home = join(testFolder(), "none");
  const noise = Uint8Array.from({ length: 200_000 }, (_, i) => (i * 7919) % 251);
  const { stdout, stderr, code } = await filtered(
    home,
    Buffer.concat([noise, Buffer.from(`\nTOKEN=${TOKEN}\nend`), noise]),
  );
  expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
  const shown = stdout.toString("latin1");
  const mark = /\u00e2\u0080\u00b9redacted:gitlab:[0-9a-f]{4}\u00e2\u0080\u00ba/.exec(shown)?.[0] ?? "none";
  const before = Buffer.from(shown.replace(mark, TOKEN), "latin1");
  expect(before.equals(Buffer.concat([noise, Buffer.from(`\nTOKEN=${TOKEN}\nend`), noise]))).toBe(true);
  expect(fs.existsSync(home)).toBe(false);
});

test("a line comes out before the input ends", async () => {
  const { child, ended } = redact(testFolder());
  child.stdin.write(`first ${TOKEN}\nsecond`);
  await new Promise((heard) => child.stdout.once("readable", () => heard(undefined)));
  child.stdin.end();
  expect(String((await ended)[0])).toMatch(/^first ‹redacted:gitlab:[0-9a-f]{4}›\nsecond$/);
});

test("--json tells kinds and places in bytes instead", async () => {
  const { stdout } = await filtered(testFolder(), `é ${TOKEN}\npassword: hunter2!\n`, "--json");
  const { bytes, spans } = JSON.parse(String(stdout));
  expect(bytes).toBe(Buffer.byteLength(`é ${TOKEN}\npassword: hunter2!\n`));
  expect(spans).toMatchObject([
    { kind: "gitlab", from: 3, to: 3 + TOKEN.length },
    { kind: "password", from: 3 + TOKEN.length + 11, to: 3 + TOKEN.length + 19 },
  ]);
});

test("config.json adds rules and switches kinds off; a wrong one is told with a hint", async () => {
  const config = (redact: unknown) => testFolder({ "config.json": JSON.stringify({ redact }) });
  const mine = config({ rules: [{ kind: "badge", pattern: "BADGE-[0-9]+" }], off_kinds: ["password"] });
  expect(String((await filtered(mine, "BADGE-77 password: hunter2!\n")).stdout)).toMatch(
    /^‹redacted:badge:[0-9a-f]{4}› password: hunter2!\n$/,
  );
  const wrong = await filtered(config({ off_kinds: ["cookies"] }), "x");
  expect(wrong.code).not.toBe(0);
  expect(wrong.stderr).toContain('there is no kind "cookies"');
  expect(wrong.stderr).toContain("There are:");
});
