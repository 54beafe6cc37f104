// Escape sequences as attacks: what a terminal must not answer types nothing into the program that reads it, and what it may answer
// repeats nothing that was asked. No payload acts on the terminal of a person who uses the CLI.
import fs from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../../fixtures/stand/installation.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const [ESC, BEL, ST] = ["\x1b", "\x07", "\x1b\\"];
const NOTHING = /^$/;
const huge = (text: string) => text.repeat(20_000);

/** Bytes, and what may be typed for them. Latin-1: a C1 control is one byte. */
const PAYLOADS: [string, string, RegExp][] = [
  ["clipboard read (OSC 52 ?)", `${ESC}]52;c;?${BEL}`, NOTHING],
  ["clipboard read of all", `${ESC}]52;cpqs01234567;?${ST}`, NOTHING],
  ["clipboard write", `${ESC}]52;c;cm0gLXJmIH4K${BEL}`, NOTHING],
  ["clipboard write, huge", `${ESC}]52;c;${huge("cm0g")}${BEL}`, NOTHING],
  ["kitty clipboard", `${ESC}]5522;type=read;Lg==${ST}`, NOTHING],
  ["link with a script", `${ESC}]8;;javascript:alert(1)${ST}x${ESC}]8;;${ST}`, NOTHING],
  ["link to a file", `${ESC}]8;;file:///etc/passwd${ST}x${ESC}]8;;${ST}`, NOTHING],
  ["link with a line in it", `${ESC}]8;;http://a/\nrm -rf ~\n${ST}x${ESC}]8;;${ST}`, NOTHING],
  ["title report", `${ESC}]2;rm -rf ~${BEL}${ESC}[21t`, NOTHING],
  ["icon title report", `${ESC}]1;rm -rf ~${BEL}${ESC}[20t`, NOTHING],
  ["title with controls", `${ESC}]0;a\rrm -rf ~\r\x00${BEL}`, NOTHING],
  ["title, huge", `${ESC}]2;${huge("rm -rf ~;")}${BEL}`, NOTHING],
  ["title stack", `${ESC}[22;2t${ESC}]2;id\n${BEL}${ESC}[23;2t${ESC}[21t`, NOTHING],
  ["settings request of an unknown one (DECRQSS)", `${ESC}P$q\nid\n${ST}`, /^(\x1bP0\$r\x1b\\)?$/],
  ["settings request with a script", `${ESC}P$q"$(id)${ST}`, /^(\x1bP0\$r\x1b\\)?$/],
  ["terminfo request", `${ESC}P+q6e616d65${ST}`, /^(\x1bP[01]\+r[0-9A-F=;a-f]*\x1b\\)?$/],
  ["terminfo request of a line", `${ESC}P+q0a69640a${ST}`, /^(\x1bP0\+r[0-9A-F]*\x1b\\)?$/],
  ["tmux passthrough", `${ESC}Ptmux;${ESC}${ESC}]52;c;?${BEL}${ST}`, NOTHING],
  ["screen passthrough", `${ESC}P${ESC}]52;c;?${BEL}${ST}`, NOTHING],
  ["tmux control mode", `${ESC}P1000p%output %1 id\r\n${ST}`, NOTHING],
  ["user-defined keys (DECUDK)", `${ESC}P0;1|17/0d69640d${ST}${ESC}[17~`, NOTHING],
  ["answerback", "\x05", NOTHING],
  ["font report", `${ESC}]50;rm -rf ~${BEL}${ESC}]50;?${BEL}`, NOTHING],
  ["folder report", `${ESC}]7;file://h/$(id)${BEL}${ESC}]7;?${BEL}`, NOTHING],
  ["iTerm2 file", `${ESC}]1337;File=name=eA==;inline=1:${huge("AAAA")}${BEL}`, NOTHING],
  ["iTerm2 variable report", `${ESC}]1337;ReportVariable=cGF0aA==${BEL}`, NOTHING],
  ["iTerm2 cell size", `${ESC}]1337;ReportCellSize${BEL}`, NOTHING],
  ["iTerm2 clipboard", `${ESC}]1337;Copy=:cm0gLXJmIH4K${BEL}`, NOTHING],
  ["notification", `${ESC}]9;rm -rf ~${BEL}${ESC}]777;notify;a;b${BEL}${ESC}]99;;x${ST}`, NOTHING],
  ["sixel image, huge", `${ESC}Pq"1;1;99999;99999${huge("#0!99~-")}${ST}`, NOTHING],
  ["application program command", `${ESC}_id\n${ST}`, NOTHING],
  ["privacy message", `${ESC}^id\n${ST}`, NOTHING],
  ["start of string", `${ESC}Xid\n${ST}`, NOTHING],
  ["C1 device question", "\x9b21t\x9d52;c;?\x9c", NOTHING],
  ["C1 settings request", "\x90$qid\x9c", NOTHING],
  ["C1 application command", "\x9fGi=1,a=q;AAAA\x9c", NOTHING],
  ["bidi override", "\xe2\x80\xaeecho safe\xe2\x80\xac\xe2\x81\xa6x\xe2\x81\xa9", NOTHING],
  ["tags and zero widths", "\xf3\xa0\x81\xb2\xf3\xa0\x81\xad\xe2\x80\x8b\xef\xbb\xbf", NOTHING],
  ["huge parameters", `${ESC}[${huge("9")};${huge("9;")}t${ESC}[2147483647b${ESC}[99999999999999999999A`, NOTHING],
  ["window moves, sizes and states", `${ESC}[3;0;0t${ESC}[8;999;999t${ESC}[9;1t${ESC}[2t${ESC}[10;1t`, NOTHING],
  ["media copy", `${ESC}[5i\nrm -rf ~\n${ESC}[4i${ESC}[?5i`, NOTHING],
  ["checksum of the screen (DECRQCRA)", `${ESC}[1;1;1;1;9;9*y`, NOTHING],
  ["memory and macros", `${ESC}P1;0;0!z6964${ST}${ESC}[1*z${ESC}[?62n`, NOTHING],
  ["many questions at once", `${ESC}[c`.repeat(50), /^(\x1b\[\?62;22c){0,50}$/],
  ["colour question with a line", `${ESC}]4;0;?\nid\n${BEL}`, /^(\x1b\]4;0;rgb:[\da-f/]+(\x07|\x1b\\))?$/],
];

const { duetty, person, open, folder } = sharedStand();
let typed: Record<string, string> = {};
let id = "";

beforeAll(async () => {
  const file = join(folder({ "payloads.json": JSON.stringify(PAYLOADS) }), "payloads.json");
  id = await open([process.execPath, join(ROOT, "test/fixtures/programs/escape-payloads.mjs"), file]);
  await person.pty_wait({ session_id: id, any: [{ exit: true }] });
  typed = JSON.parse(fs.readFileSync(`${file}.typed`, "utf8"));
});

describe("the program that printed it is typed nothing but what a terminal says of itself:", () => {
  it.each(PAYLOADS)("%s", (name, _, allowed) => {
    expect(typed[name]).toMatch(allowed);
  });
});

it("no payload acts on the terminal of who looks at the session by the command line", async () => {
  for (const words of [
    ["see", id],
    ["ls", "--all"],
    ["status", id],
    ["deltas", id],
    ["search", "rm"],
  ]) {
    const { stdout, stderr } = await duetty.cli(...words);
    expect([words[0], /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/.test(stdout + stderr)]).toEqual([
      words[0],
      false,
    ]);
  }
});
