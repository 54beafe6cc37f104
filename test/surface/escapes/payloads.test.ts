// Escape sequences as attacks: what a terminal must not answer types nothing into the program that reads it, and what it may answer
// repeats nothing that was asked, with people attached by `attach` in both its forms. Nothing but drawing reaches their terminals, and
// no payload acts on the terminal of a person who uses the CLI.
import fs from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { soon } from "../../fixtures/soon.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";
import { TestTerminal } from "../../fixtures/stand/terminal.ts";
import { PAYLOADS, PayloadSession } from "../../fixtures/terminal/escape-payloads.ts";

const stand = sharedStand();
const { duetty, person } = stand;
const ways = { composed: [], raw: ["--raw"] };
type Way = keyof typeof ways;
const reached: Record<Way, Record<string, string>> = { composed: {}, raw: {} };
let typed: Record<string, string> = {};
let id = "";

beforeAll(async () => {
  const session = await PayloadSession.open(stand, { cols: 80, rows: 18 });
  id = session.id;
  await person.pty_wait({ session_id: id, any: [{ text: "ready" }], since: 0 });
  const terminals = Object.entries(ways).map(
    ([way, flags]) => [way as Way, new TestTerminal(duetty, ["attach", id, ...flags])] as const,
  );
  for (const [, terminal] of terminals) await terminal.shows("ready");
  for (const [name] of PAYLOADS) {
    const before = terminals.map(([, { output }]) => output.length);
    await session.next();
    for (const [i, [way, terminal]] of terminals.entries()) {
      await terminal.shows(`shown ${name}.`);
      reached[way][name] = terminal.output.slice(before[i]);
    }
  }
  await session.next();
  typed = await session.typed();
  for (const [, terminal] of terminals) terminal.pty.close();
});

describe("the program that printed it is typed nothing but what a terminal says of itself:", () => {
  it.each(PAYLOADS)("%s", (name, _, allowed) => {
    expect(typed[name]).toMatch(allowed);
  });
});

/** Sequences that draw: text, SGR, cursor, erasing, modes of the screen and the keyboard; a title of plain text; the end of a link. */
const DRAWING =
  /\x1b\[[\d;:]*[@A-HJ-MPSTXb-gmr]|\x1b\[\?[\d;]*[hlJK]|\x1b\[[<>=][\d;]*u|\x1b[()78=>]B?|\x1b\][012];[^\x00-\x1f\x7f-\x9f]{0,256}\x1b\\|\x1b\]8;;\x1b\\/g;
const ODD = /[\x00-\x06\x0b-\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]/;

describe.each(Object.keys(ways) as Way[])(
  "what reaches the terminal of a person who attached (%s) only draws:",
  (way) => {
    it.each(PAYLOADS)("%s", (name) => {
      // Latin-1: a character of UTF-8 is several here.
      const rest = (reached[way][name] ?? "").replaceAll("\x0f", "").replace(DRAWING, "");
      expect(ODD.exec(rest)?.[0]).toBe(undefined);
      expect(rest).toContain("shown");
    });
  },
);

it("no payload acts on the terminal of who looks at the session by the command line", async () => {
  for (const words of [
    ["see", id],
    ["ls", "--all"],
    ["status", id],
    ["deltas", id],
    ["search", "rm"],
  ]) {
    const { stdout, stderr } = await duetty.cli(...words);
    expect([words[0], ACTS.test(stdout + stderr)]).toEqual([words[0], false]);
  }
});

const ACTS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

it("no payload in a command, its output or a question acts on the terminal of who reads them there", async () => {
  const { session_id } = await stand.openGatedShell();
  const printed = join(stand.folder(), "payloads");
  fs.writeFileSync(printed, PAYLOADS.map(([, bytes]) => bytes).join("\n"), "latin1");
  const { block_id } = await person.run_command({ session_id, command: `cat ${printed}` });
  // A line with controls is refused before anybody is asked; these are letters to a shell.
  const deceives = "\u202esafe\u202c\u2066x\u2069\u{e0072}\u200b";
  const asked = stand.agent("helper").run_command({ session_id, command: `rm -rf ~/${deceives}` });
  const { approval_id } = await stand.pendingOf(session_id);
  for (const words of [
    ["blocks", session_id],
    ["block", block_id ?? ""],
    ["approvals"],
    ["report", session_id],
    ["search", "shown"],
    ["ls"],
    ["see", session_id],
    ["explain", "--", `rm ${deceives}`],
  ]) {
    const { stdout, stderr } = await duetty.cli(...words);
    expect([words[0], ACTS.exec(stdout + stderr)?.[0]]).toEqual([words[0], undefined]);
  }
  await person.deny({ approval_id });
  await asked.catch(() => undefined);
});

it("raw bytes that a terminal gets only draw there; a pipe gets them as they are", async () => {
  const terminal = TestTerminal.open(duetty, ["raw", id]);
  await soon(() => expect(terminal.output).toContain(`shown ${PAYLOADS.at(-1)?.[0]}.`));
  expect(terminal.output).not.toMatch(/\x1b\]52|\x1b[P_^X]|\x1b\[5n/);
  expect((await duetty.cli("raw", id)).stdout).toContain("\x1b]52;c;?\x07");
});
