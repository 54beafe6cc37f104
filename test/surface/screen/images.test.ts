// What agents are told of images in three protocols: their sizes, wherever they read. Nobody but who asks for raw bytes gets
// any of theirs, and the journal has all of them.
import { expect, test } from "vitest";
import { connectMcp } from "../../fixtures/mcp/clients.ts";
import { sharedStand, UNBOXED } from "../../fixtures/stand/stand.ts";
import { iterm, itermParts, kitty, sixel } from "../../fixtures/terminal/pictures.ts";

const s = sharedStand({ config: UNBOXED });

const RED = { width: 640, height: 32, rgb: [255, 0, 0] } as const;
const PRINTED = [
  `one ${sixel(RED)}\n`,
  `two ${kitty({ ...RED, width: 64 })}\n`,
  `three ${iterm({ ...RED, width: 48 })}\n`,
  `four ${itermParts({ ...RED, width: 40 })}\n`,
  'five \x1bPq"1;1;1000000000;1000000000#0~~\x1b\\\n',
  "last\n",
].join("");
const LABELS = ["one [image 640×32]", "two [image 64×32]", "three [image 48×32]", "four [image 40×32]"];
const HUGE = "five [image 999999999×999999999]";
/** Parts of their data. */
const RAW = /iVBOR|AAAA|IHDR|!640|FilePart|\x1b/;

test("agents read sizes in screens, outputs, deltas and over MCP; the journal is lossless", async () => {
  const cwd = s.folder({ "pictures.txt": PRINTED });
  const session_id = await s.openBash({ cwd, cols: 100, rows: 30 });
  const agent = s.agent("reader");
  const ran = await agent.run_command({ session_id, command: "cat pictures.txt" });
  expect(`${ran.output?.head}${ran.output?.tail}`.split("\n")).toEqual([...LABELS, HUGE, "last"]);
  const screen = await agent.pty_read_screen({ session_id });
  expect(screen.rows.filter((row) => row.includes("[image"))).toEqual([...LABELS, HUGE]);
  const { deltas } = await agent.pty_read_screen_deltas({ session_id });
  expect(JSON.stringify(deltas)).toContain("[image 640×32]");
  const block = await agent.block({ block_id: ran.block_id ?? "" });
  const piped = await agent.run_command({ command: "cat pictures.txt", cwd, mode: "pipe" });
  expect(piped.output?.head.match(/\[image \d+×\d+\]/g)).toHaveLength(5);
  const found = await agent.search({ query: "iVBOR" });
  await using mcp = await connectMcp(s.duetty);
  const told = await mcp.call("run_command", { session_id, command: "cat pictures.txt" });
  expect(told.text).toContain(LABELS.join("\n"));
  const texts = [ran, screen, deltas, block, found, told.text].map((one) => JSON.stringify(one));
  for (const text of texts) expect(text).not.toMatch(RAW);
  expect(piped.output?.head).not.toMatch(/iVBOR|AAAA/);
  expect(s.duetty.raw(session_id).includes(PRINTED.replaceAll("\n", "\r\n"))).toBe(true);
});
