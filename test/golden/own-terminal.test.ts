// What a person's own terminal gets of a program's output draws the same screen as all of it, however it is cut.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DrawnOutput } from "../../src/cli/text/drawn-output.ts";
import { makeGhostty } from "../../src/host/engine/ghostty.ts";
import { PAYLOADS } from "../fixtures/terminal/escape-payloads.ts";
import { play, type Recording, recordings, START } from "../fixtures/terminal/recordings.ts";

const SCROLLBACK = 500;

function whole(recording: Recording, through: (bytes: Uint8Array) => Uint8Array) {
  const { cols, rows } = recording;
  const engine = makeGhostty({ cols, rows, scrollback: SCROLLBACK });
  const feed = { feed: (bytes: Uint8Array) => engine.feed(through(bytes)), resize: engine.resize.bind(engine) };
  play(feed as typeof engine, recording, START, recording.end);
  const history = engine.history({ from: 0, count: SCROLLBACK });
  return { rows: engine.rows(), history, cursor: engine.cursor(), modes: engine.modes(), title: engine.title() };
}

describe("recorded programs draw the same screen and ask nothing:", () => {
  test.each(recordings())("$name", (recording) => {
    const drawn = new DrawnOutput();
    expect(whole(recording, (bytes) => Buffer.from(drawn.pass(bytes)))).toEqual(whole(recording, (bytes) => bytes));
  });
});

test("it does not matter where the bytes are cut", () => {
  const pieces = fc.constantFrom(
    ...PAYLOADS.map(([, bytes]) => bytes).filter(({ length }) => length < 200),
    ...["text", "é漢", "\x1b[31m", "\x1b]8;;https://example.org\x1b\\", "\x1b]0;title\x07", "\x1b[?2031;25h", "\x1b(B"],
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), fc.array(fc.nat(400), { maxLength: 4 }), (all, cuts) => {
      const bytes = Buffer.from(all.join(""), "latin1");
      const drawn = new DrawnOutput();
      const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
      const cut = places.slice(1).map((to, i) => drawn.pass(bytes.subarray(places[i], to)));
      const once = new DrawnOutput().pass(bytes);
      expect(cut.join("")).toBe(once);
      // What passed once passes again.
      expect(new DrawnOutput().passText(once)).toBe(once);
    }),
  );
});

test("links to the web pass, others end; colours are set and not asked for; counts are bounded", () => {
  const passed = (text: string) => new DrawnOutput().passText(text);
  const link = "\x1b]8;id=1;https://example.org/a\x1b\\";
  expect(passed(link)).toBe(link);
  expect(passed("\x1b]8;;javascript:alert(1)\x07x")).toBe("\x1b]8;;\x1b\\x");
  expect(passed("\x1b]11;#112233\x07\x1b]11;?\x07\x1b]104\x07")).toBe("\x1b]11;#112233\x1b\\\x1b]104\x1b\\");
  expect(passed("a\x1b[2147483647b\x1b[?3;25;2048h")).toBe("a\x1b[65535b\x1b[?25h");
  expect(passed(`\x1b]2;${"a".repeat(300)}\x07`)).toBe(`\x1b]2;${"a".repeat(256)}\x1b\\`);
  expect(passed(`\x1b[${"9;".repeat(5_000)}mx\x1bPq${"#0".repeat(5_000)}\x1b\\y`)).toBe("xy");
});
