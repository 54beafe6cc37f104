// What `duetty attach` puts on a person's terminal: rows cut to size, and lines of exactly the terminal's width.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clipped, follow, painted, rowsIn, type Shown } from "../../../src/cli/attach/canvas.ts";
import { noticeBytes, paneBytes, paneIn } from "../../../src/cli/attach/needs/outward.ts";
import { type LineView, questionLines, readingOf } from "../../../src/cli/attach/question.ts";
import { type AttachState, afterMessage, firstState } from "../../../src/cli/attach/state.ts";
import { statusLine } from "../../../src/cli/attach/status-line.ts";
import { visible } from "../../../src/cli/text/harmless.ts";
import { textWidth } from "../../../src/cli/text/width.ts";
import { cellWidth } from "../../../src/core/base/cell-width.ts";
import { rowAnsi } from "../../../src/core/viewer/row-ansi.ts";
import { makeGhostty } from "../../../src/host/engine/ghostty.ts";
import type { Approval } from "../../../src/protocol/ops/gate.ts";
import type { Need } from "../../../src/protocol/words/need.ts";
import { depth } from "../../fixtures/depth.ts";
import { PLAIN_MODES, someApproval } from "../../fixtures/wire.ts";

const SGR = /\x1b\[[\d;:]*m/g;

const view: LineView = { cols: 100, rows: 24, now: 1_000, at: 0, clippedFrom: undefined };
const plain = (line: string) => line.replace(SGR, "");
const asked = (more: Partial<Approval> = {}) =>
  afterMessage(firstState("person"), { type: "approval", approval: someApproval(more) }, 0);

it("every character has the same width as in the core", () => {
  for (let point = 0x20; point <= 0x3ffff; point += 1) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const char = String.fromCodePoint(point);
    if (textWidth(char) !== cellWidth(char)) expect.fail(`U+${point.toString(16)}`);
  }
});

describe("a row", () => {
  const chars = fc.constantFrom("a", "b", " ", "界", "é", "e\u0301", "😀", "─", "ｗ");
  const runs = fc.array(
    fc.record({
      text: fc.array(chars, { minLength: 1, maxLength: 8 }).map((all) => all.join("")),
      sgr: fc.constantFrom("", "31", "1;44", "38;5;200", "4:3"),
    }),
    { maxLength: 6 },
  );

  it("a row is cut as a terminal shows it, half a wide character as a blank", () => {
    fc.assert(
      fc.property(runs, fc.nat(20), fc.integer({ min: 2, max: 30 }), (row, from, cols) => {
        const whole = cellsOf(`\x1b[K${rowAnsi({ runs: row })}`, 120);
        const part = cellsOf(clipped(rowAnsi({ runs: row }), from, cols), cols);
        const wanted = whole.slice(from, from + cols).map((cell, i, cells) => {
          const cutLeft = i === 0 && cell.text === "";
          const cutRight = i === cols - 1 && textWidth(cell.text) === 2;
          return cutLeft || cutRight ? { ...cell, text: " ", sgr: cells[i]?.sgr ?? "" } : cell;
        });
        expect(part).toEqual(wanted);
      }),
      { numRuns: depth(50, 150) },
    );
  });

  it("a row of another machine moves nothing but itself: what acts on a terminal is a blank", () => {
    const acts = [
      "\r\n",
      "\x07",
      "\x9b2J",
      "\x9d52;c;ZQ==\x9c",
      "\x1b]0;x\x07",
      "\x1b[5;1H",
      "\x0e",
      "\x85",
      "a",
      "\x1b[31m",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...acts)), fc.integer({ min: 2, max: 30 }), (pieces, cols) => {
        const row = clipped(pieces.join(""), 0, cols);
        expect(row.replace(/\x1b\[(?:[\d;:]*m|K|\d+G|\?7[hl])/g, "")).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
      }),
    );
  });

  /** One entry per column, of a row that was full of something else; the right half of a wide character is "". */
  function cellsOf(ansi: string, cols: number): { text: string; sgr: string }[] {
    const engine = makeGhostty({ cols, rows: 2, scrollback: 0 });
    engine.feed(Buffer.from(`${"#".repeat(cols)}\x1b[?7l\x1b[1;1H\x1b[m${ansi}`));
    const cells: { text: string; sgr: string }[] = [];
    for (const { text, sgr } of engine.styled({ history: 0 })[0]?.runs ?? []) {
      for (const char of text) {
        const width = cellWidth(char);
        const last = cells.at(-1);
        if (width === 0 && last) last.text += char;
        else cells.push({ text: char, sgr }, ...(width === 2 ? [{ text: "", sgr }] : []));
      }
    }
    engine.dispose();
    while (cells.length < cols) cells.push({ text: " ", sgr: "" });
    return cells;
  }
});

describe("the part that is shown", () => {
  const shown = (cols: number, rows_count: number, row: number, col: number): Shown => ({
    rows: Array.from({ length: rows_count }, (_, i) => `row ${i}`),
    cursor: { row, col, visible: true },
    cols,
    rows_count,
    title: "",
    alt_screen: false,
    modes: PLAIN_MODES,
  });

  it("the visible part always has the cursor in it, and is the whole screen when that fits", () => {
    const size = fc.integer({ min: 2, max: 60 });
    fc.assert(
      fc.property(
        size,
        size,
        size,
        size,
        fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1 }),
        (c, r, ac, ar, moves) => {
          let offset = { top: 0, left: 0 };
          const area = { cols: ac, rows: ar };
          for (const [y, x] of moves) {
            const now = shown(c, r, y % r, x % c);
            offset = follow(now, area, offset);
            expect(now.cursor.row - offset.top).toBeGreaterThanOrEqual(0);
            expect(now.cursor.row - offset.top).toBeLessThan(ar);
            expect(now.cursor.col - offset.left).toBeGreaterThanOrEqual(0);
            expect(now.cursor.col - offset.left).toBeLessThan(ac);
            expect(offset.top).toBeLessThanOrEqual(Math.max(0, r - ar));
            expect(offset.left).toBeLessThanOrEqual(Math.max(0, c - ac));
          }
        },
      ),
    );
  });

  it("the visible part is put together from paints; a new size starts it again", () => {
    const face = {
      cursor: { row: 0, col: 0, visible: true },
      title: "",
      alt_screen: false,
      modes: PLAIN_MODES,
      type: "paint",
    } as const;
    const whole = painted(undefined, {
      ...face,
      cols: 10,
      rows_count: 2,
      rows: [
        { row: 0, ansi: "a" },
        { row: 1, ansi: "b" },
      ],
    });
    const later = painted(whole, { ...face, cols: 10, rows_count: 2, rows: [{ row: 1, ansi: "c" }] });
    expect(later.rows).toEqual(["a", "c"]);
    expect(painted(later, { ...face, cols: 10, rows_count: 3, rows: [{ row: 2, ansi: "d" }] }).rows).toEqual([
      "",
      "",
      "d",
    ]);
    expect(rowsIn(later, { cols: 10, rows: 3 }, { top: 1, left: 0 })).toEqual([
      "c\x1b[m\x1b[K",
      "\x1b[m\x1b[K",
      "\x1b[m\x1b[K",
    ]);
  });
});

function someNeed(texts: { readonly title: string; readonly label: string }): Need {
  const where = { session_id: "s_00000001", name: null, approval_id: "a_00000001" };
  return { tag: "t", kind: "blocked", who: texts.title, why: texts.title, since: 0, ...where, ...texts };
}

describe("the status line", () => {
  const nasty = fc.string({
    unit: fc.constantFrom("a", "界", "\x1b[31m", "\n", "\u202e", "\x9b", "😀", "e\u0301", "\t"),
    maxLength: 60,
  });
  const states: fc.Arbitrary<AttachState> = fc.record({
    role: fc.constantFrom("person", "agent", "watch"),
    mode: fc.constantFrom("terminal", "agent_terminal", "agent"),
    hold: fc.oneof(
      fc.constantFrom("person", "nobody"),
      nasty.map((name) => `agent:${name}`),
    ),
    reason: fc.constantFrom(null, "typing", "manual", "stop", "handed_over"),
    note: fc.option(nasty),
    state: fc.constantFrom("running", "waiting_for_input", "done"),
    program: fc.option(nasty),
    echo: fc.constantFrom("on", "off", "raw"),
    command: fc.option(nasty),
    guests: fc.array(nasty, { maxLength: 3 }),
    elsewhere: fc.array(fc.record({ title: nasty, label: nasty }).map(someNeed), { maxLength: 3 }),
    approvals: fc.array(
      fc
        .record({
          text: nasty,
          actor: nasty,
          rule: nasty,
          cwd: nasty,
          stdin: nasty,
          kind: fc.constantFrom("run", "keys", "choice"),
        })
        .map(someApproval),
      { maxLength: 3 },
    ),
    aside: fc.boolean(),
    focus: fc.constantFrom("program", "question"),
    scrolled: fc.nat(20),
    shownAt: fc.constant(0),
    answeredAt: fc.constant(0),
    notice: fc.option(nasty.map((text) => ({ text, at: 0 }))),
  });

  it("what a terminal or a pane is told of other sessions is whole sequences, whatever the texts are", () => {
    const whole = /^(?:\x1b\](?:2|9|9;4;\d;\d+|777;notify|7501);?[^\x00-\x1f\x7f-\x9f\u202e]*\x1b\\|\x07)*$/;
    fc.assert(
      fc.property(fc.array(nasty.map((title) => someNeed({ title, label: title }))), (needs) => {
        for (const pane of ["tmux", "other", "none"] as const) {
          expect(paneBytes(needs, "we\x1bb", pane)).toMatch(whole);
          for (const need of needs) expect(noticeBytes(need, ["osc9", "osc777", "bell"], pane)).toMatch(whole);
        }
        expect(paneBytes(needs, "web", "none")).toBe("");
      }),
    );
    expect(paneIn({ TMUX: "/tmp/x", ZELLIJ: "0" })).toBe("tmux");
    // What another machine wants is told as its own.
    const far = { ...someNeed({ title: "laptop: an agent asks", label: "web" }), session_id: "box/s_00000001" };
    expect(paneBytes([far], "web", "tmux")).toContain("(1) box: laptop: an agent asks");
    expect(noticeBytes(far, ["osc9"], "none")).toMatch(/^\x1b\]9;box: laptop: an agent asks/);
    expect(paneIn({ HERDR: "1" })).toBe("other");
  });

  it("the status line is as wide as the terminal and holds nothing that acts on it", () => {
    fc.assert(
      fc.property(states, fc.integer({ min: 2, max: 200 }), fc.integer({ min: 2, max: 30 }), (state, cols, rows) => {
        const now = { ...view, cols, rows, clippedFrom: cols % 2 ? { cols: 300, rows: 90 } : undefined };
        const proposal = questionLines(state, now);
        expect(proposal.length).toBeLessThanOrEqual(rows >> 1);
        for (const line of [statusLine(state, now), ...proposal]) {
          expect(textWidth(plain(line))).toBe(cols);
          expect(plain(line)).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/);
        }
      }),
      { numRuns: depth(200, 500) },
    );
  });

  it("the status line says who has the keyboard and why, and which keys work now", () => {
    const idle = plain(statusLine(firstState("person"), view));
    expect(idle).toMatch(/^ Shared {2}keyboard free .* Ctrl\+\] take {2}Ctrl\+T mode {2}Ctrl\+\\ detach $/);
    const held = { ...firstState("person"), hold: "agent:claude", note: "logging in" };
    expect(plain(statusLine(held, view))).toMatch(/claude types "logging in" .*Esc stop {2}Ctrl\+\] take/);
    const mine = { ...firstState("person"), hold: "person", reason: "manual" } as const;
    expect(plain(statusLine(mine, view))).toMatch(/you have the keyboard \(taken\) .*Ctrl\+\] release/);
    const agent = { ...firstState("person"), mode: "agent" } as const;
    expect(plain(statusLine(agent, view))).toMatch(/^ Agent .*typing is off: Ctrl\+T returns/);
    const cli = { ...firstState("person"), program: "node", state: "waiting_for_input" } as const;
    const asks = { words: "claude asks: rm -r dist", asks: true };
    expect(plain(statusLine({ ...cli, cli: asks }, view))).toMatch(/claude asks: rm -r dist(?!.*waits)/);
    const password = { ...firstState("person"), state: "waiting_for_input", echo: "off" } as const;
    expect(plain(statusLine(password, view))).toContain("waits for you: password");
  });

  it("a narrow status line keeps what matters most", () => {
    const at = (cols: number, state: AttachState) => plain(statusLine(state, { ...view, cols, rows: 5 }));
    expect(at(20, { ...firstState("person"), hold: "agent:claude" })).toMatch(/^ (S|Shared) .*claude/);
    expect(at(20, { ...firstState("person"), mode: "agent" })).toMatch(/^ A/);
    expect(at(40, asked())).toMatch(/npm inst/);
    expect(at(20, { ...asked(), aside: true })).toMatch(/1 asks|1\?/);
    expect(at(20, { ...firstState("person"), state: "waiting_for_input", echo: "off" })).toMatch(/password|pw/);
  });

  it("a proposal has a line of its own where there is room", () => {
    const [line] = questionLines(asked(), view).map(plain);
    expect(line).toMatch(/^ claude wants to run: npm install left-pad Installs something {2}\(npm.install\) +120 s $/);
    expect(plain(statusLine(asked(), view))).toMatch(/Ctrl\+Y answer {2}Ctrl\+C no {2}Esc stop/);
    expect(plain(statusLine({ ...asked(), focus: "question" }, view))).toMatch(/y yes {2}n no {2}Esc stop/);
    expect(plain(statusLine(asked(), view))).not.toContain("left-pad");
    expect(questionLines(asked(), { ...view, rows: 7 })).toEqual([]);
    expect(plain(statusLine(asked(), { ...view, rows: 7 }))).toContain("npm install left-pad");
    const two = afterMessage(
      asked(),
      { type: "approval", approval: someApproval({ approval_id: "a_2", created_at: 2_000 }) },
      5,
    );
    expect(plain(questionLines(two, view).join(""))).toContain("120 s, 1 more");
    expect(plain(statusLine({ ...two, aside: true }, view))).toContain("2 asks: Ctrl+Y to look");
    expect(questionLines({ ...two, aside: true }, view)).toEqual([]);
  });

  it("a question is shown completely, by pages if needed, with what it reads and where it runs", () => {
    const text = `echo ${"x".repeat(250)}; rm -rf ~`;
    const state = asked({ text, cwd: "/work", stdin: "one⏎\ntwo", where: "outside" });
    const lines = questionLines(state, view).map(plain);
    expect(lines[0]).toMatch(/^ claude wants to run: .*Installs something/);
    expect(lines.slice(1, 4).join("").trimEnd()).toBe(text);
    const rest = [" reads   one⏎", "         two", " folder  /work", " runs    outside the box, with your own rights"];
    expect(lines.slice(4).map((line) => line.trimEnd())).toEqual(rest);
    expect(readingOf(state, view).isWhole).toBe(true);

    const small = { ...view, rows: 8, cols: 60 };
    const focused = { ...state, focus: "question" as const };
    expect(plain(statusLine(focused, small))).toMatch(/Space more/);
    const { page, last } = readingOf(state, small);
    const seen: string[] = [];
    for (let scrolled = 0; scrolled <= last; scrolled += 1) {
      const now = { ...focused, scrolled };
      expect(readingOf(now, small).isWhole).toBe(scrolled === last);
      const rows = questionLines(now, small).map(plain).slice(1);
      expect(rows).toHaveLength(page);
      seen.push(...(scrolled === 0 ? rows : rows.slice(-1)));
    }
    expect(seen.join("").replaceAll(" ", "")).toContain(text.replaceAll(" ", ""));
    expect(plain(statusLine({ ...focused, scrolled: last }, small))).toContain("y yes");
    // Too small to show it: it is answered elsewhere.
    expect(readingOf(state, { ...view, rows: 7 }).isWhole).toBe(false);
    expect(plain(statusLine(focused, { ...view, rows: 7 }))).not.toContain("yes");
  });

  it("invisible characters are made visible", () => {
    expect(visible("a\x1b[2Jb\r\n\x7f\u202ec\u200b")).toBe("a␛[2Jb⏎⏎␡⟦U+202E⟧c⟦U+200B⟧");
    const lines = questionLines(asked({ kind: "keys", text: "y\x03", program: "vim" }), view);
    expect(plain(lines.join(""))).toContain("claude wants to type into vim: y␃");
  });
});
