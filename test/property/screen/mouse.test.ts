// The mouse: which reports go out, where they point, and what is refused. Oracle: libghostty's mouse encoder.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cellWidth, columnOf } from "../../../src/core/base/cell-width.ts";
import { isFault } from "../../../src/core/base/fault.ts";
import { encodeInput } from "../../../src/core/screen/input/input.ts";
import {
  encodeMouse,
  type MouseModes,
  type MouseScreen,
  type MouseSpec,
} from "../../../src/core/screen/input/mouse.ts";
import { makeGhostty } from "../../../src/host/engine/ghostty.ts";
import { ghosttyMouse } from "../../fixtures/terminal/ghostty-input.ts";
import { makeXterm, settleXterm } from "../../fixtures/terminal/xterm-engine.ts";

const rows = ["File  Edit  漢字 Help", "  [ OK ]  [ Cancel ]", "é OK 🦀OK"];
const screen: MouseScreen = { size: { cols: 3000, rows: 3000 }, rows, columnOf, cell_px: { width: 8, height: 16 } };
const sgr = { mouse: "any", mouse_format: "sgr" } as const;

function mouse(spec: MouseSpec, modes: MouseModes = sgr): string {
  const bytes = encodeMouse(spec, modes, screen);
  return isFault(bytes) ? `${bytes.code}: ${bytes.message} ${bytes.hint}` : Buffer.from(bytes).toString("latin1");
}

describe("reports", () => {
  const at = { row: 4, col: 9 };
  const table: readonly (readonly [Omit<MouseSpec, "at">, string])[] = [
    [{ action: "click" }, "\x1b[<0;10;5M\x1b[<0;10;5m"],
    [{ action: "click", button: "right", modifiers: ["Ctrl", "shift"] }, "\x1b[<22;10;5M\x1b[<22;10;5m"],
    [{ action: "double_click" }, "\x1b[<0;10;5M\x1b[<0;10;5m\x1b[<0;10;5M\x1b[<0;10;5m"],
    [{ action: "press", button: "middle" }, "\x1b[<1;10;5M"],
    [{ action: "release", button: "middle" }, "\x1b[<1;10;5m"],
    [{ action: "move" }, "\x1b[<35;10;5M"],
    [{ action: "move", button: "left" }, "\x1b[<32;10;5M"],
    [{ action: "scroll_up" }, "\x1b[<64;10;5M"],
    [{ action: "scroll_down", count: 2, modifiers: ["Alt"] }, "\x1b[<73;10;5M\x1b[<73;10;5M"],
  ];
  test.each(table)("%j", (spec, bytes) => expect(mouse({ ...spec, at })).toBe(bytes));
  test("x10 mode reports presses only, without modifiers", () => {
    const modes = { mouse: "x10", mouse_format: "x10" } as const;
    expect(mouse({ action: "click", at, modifiers: ["Ctrl"] }, modes)).toBe("\x1b[M *%");
    for (const action of ["release", "move", "scroll_up"] as const) {
      expect(mouse({ action, at }, modes)).toContain("presses of buttons only");
    }
  });
});

test("libghostty's encoder agrees", () => {
  const names = {
    press: "PRESS",
    release: "RELEASE",
    move: "MOTION",
    scroll_up: "PRESS",
    scroll_down: "PRESS",
  } as const;
  const spec = fc.record({
    action: fc.constantFrom("press", "release", "move", "scroll_up", "scroll_down"),
    button: fc.constantFrom("left", "middle", "right", undefined),
    at: fc.record({ row: fc.nat(299), col: fc.nat(299) }),
    modifiers: fc.uniqueArray(fc.constantFrom("Shift", "Alt", "Ctrl")),
  });
  const mode = fc.constantFrom("none", "x10", "normal", "button", "any");
  const format = fc.constantFrom("x10", "utf8", "sgr", "urxvt", "sgr_pixels");
  fc.assert(
    fc.property(spec, mode, format, (asked, mode, format) => {
      const { action, at } = asked;
      const wheel = { scroll_up: "FOUR", scroll_down: "FIVE" } as const;
      const button = asked.button?.toUpperCase() ?? (action === "move" ? null : "LEFT");
      const theirs = ghosttyMouse({
        ...{ mode: mode.toUpperCase(), format: format.toUpperCase(), action: names[action], ...at },
        button: action === "scroll_up" || action === "scroll_down" ? wheel[action] : button,
        mods: asked.modifiers.reduce((sum, name) => sum + { Shift: 1, Alt: 2, Ctrl: 4 }[name], 0),
      });
      const ours = mouse(asked, { mouse: mode, mouse_format: format });
      if (theirs === "") expect(ours).toMatch(/^input\.invalid: /);
      else expect(ours).toBe(theirs);
    }),
    { numRuns: 500 },
  );
});

describe("by text", () => {
  const click = (text: string, occurrence?: number) => mouse({ action: "press", at: { text, occurrence } });
  test("text is found behind wide characters", () => {
    expect(click("Help")).toBe("\x1b[<0;18;1M");
    expect(click("Cancel")).toBe("\x1b[<0;13;2M");
  });
  test("an ambiguous text lists its places; an occurrence picks one", () => {
    const places = /3 times: row 1, col 4; row 2, col 2; row 2, col 7 Give one of these cells/;
    expect(click("OK")).toMatch(places);
    expect(click("OK", 3)).toBe("\x1b[<0;8;3M");
    for (const wrong of [0, 4, 1.5, -1]) expect(click("OK", wrong)).toMatch(places);
  });
  test("missing text is refused", () => {
    expect(click("Quit")).toMatch(/^input\.invalid: "Quit" is not on the screen/);
    expect(click("")).toContain("no text");
    expect(click("Help", 2)).toContain("no occurrence 2");
  });
});

describe("refused with a reason", () => {
  const at = { row: 0, col: 0 };
  test.each([
    [{ action: "click", at }, { mouse: "none" }, "does not take the mouse Use keys"],
    [{ action: "move", at }, { mouse: "normal" }, "does not follow the mouse"],
    [{ action: "move", at }, { mouse: "button" }, "while a button is held"],
    [{ action: "click", at: { row: 3000, col: 0 } }, {}, "Rows are 0 to 2999"],
    [{ action: "click", at: { row: 0, col: -1 } }, {}, "outside"],
    [{ action: "click", at: { row: 0.5, col: 0 } }, {}, "outside"],
    [{ action: "click", at: { row: 0, col: 223 } }, { mouse_format: "x10" }, "ends at row and column 222"],
    [{ action: "click", at: { row: 2015, col: 0 } }, { mouse_format: "utf8" }, "ends at row and column 2014"],
    [{ action: "click", at, modifiers: ["Super"] }, {}, "no modifier"],
    [{ action: "click", at, count: 2 }, {}, "count is for scrolling"],
    [{ action: "scroll_up", at, count: 101 }, {}, "from 1 to 100"],
  ] satisfies [MouseSpec, Partial<MouseModes>, string][])("%j %j", (spec, modes, reason) => {
    expect(mouse(spec, { ...sgr, ...modes })).toMatch(/^input\.invalid: /);
    expect(mouse(spec, { ...sgr, ...modes })).toContain(reason);
  });
});

test("every character takes as many cells as the engine gives it", () => {
  const engine = makeGhostty({ cols: 10, rows: 2, scrollback: 0 });
  const wrong: string[] = [];
  for (let point = 0xa0; point < 0x32000; point += 1) {
    const char = String.fromCodePoint(point);
    if (/[\p{Cn}\p{Cs}\p{Co}]/u.test(char)) continue;
    engine.feed(Buffer.from(`\x1b[H\x1b[2Kab${char}`));
    if (engine.cursor().col - 2 !== cellWidth(char)) wrong.push(point.toString(16));
  }
  expect(wrong).toEqual([]);
  engine.dispose();
});

test("both engines report the modes that the encoders need", async () => {
  const size = { cols: 10, rows: 2, scrollback: 0 };
  const [ghostty, xterm] = [makeGhostty(size), makeXterm(size)];
  const modes = async (bytes: string) => {
    for (const engine of [ghostty, xterm]) engine.feed(Buffer.from(bytes));
    await settleXterm(xterm);
    expect(xterm.modes()).toEqual(ghostty.modes());
    return ghostty.modes();
  };
  expect(await modes("")).toMatchObject({ application_keypad: false, mouse: "none", mouse_format: "x10" });
  expect(await modes("\x1b=\x1b[?1000h")).toMatchObject({ application_keypad: true, mouse_format: "x10" });
  expect(await modes("\x1b[?1006h\x1b>")).toMatchObject({ application_keypad: false, mouse_format: "sgr" });
  expect(await modes("\x1b[?1016h\x1b[?66h")).toMatchObject({ application_keypad: true, mouse_format: "sgr_pixels" });
  ghostty.feed(Buffer.from("\x1b[?1016;1006l\x1b[?1005h"));
  expect(ghostty.modes().mouse_format).toBe("utf8");
  ghostty.feed(Buffer.from("\x1b[?1015h"));
  expect(ghostty.modes().mouse_format).toBe("urxvt");
  ghostty.dispose();
});

describe("input", () => {
  const off = { application_cursor: false, application_keypad: false, kitty_keyboard: 0, ...sgr };
  const send = (spec: Parameters<typeof encodeInput>[0], bracketed_paste: boolean) => {
    const bytes = encodeInput(spec, { ...off, bracketed_paste }, screen);
    return isFault(bytes) ? bytes.code : Buffer.from(bytes).toString();
  };
  test("input is text, paste, keys and mouse in this order, all or nothing", () => {
    const spec = { mouse: { action: "press", at: { row: 0, col: 0 } }, keys: ["Up"], paste: "p", text: "t\n" } as const;
    expect(send(spec, true)).toBe("t\r\x1b[200~p\x1b[201~\x1b[A\x1b[<0;1;1M");
    expect(send({ ...spec, mouse: { ...spec.mouse, at: { text: "nowhere" } } }, true)).toBe("input.invalid");
    expect(send({}, true)).toBe("input.invalid");
  });
  test("a paste ends once and presses no keys, for any text", () => {
    const piece = fc.constantFrom("\x1b[201~", "\x1b[20", "1~", "\x9b201~", "\x03", "\x7f", "a\tb", "é", "\r\n");
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ unit: "binary" }))), fc.boolean(), (pieces, bracketed) => {
        const text = `x${pieces.join("")}`;
        const sent = send({ paste: text }, bracketed);
        const inside = bracketed ? sent.slice("\x1b[200~".length, -"\x1b[201~".length) : sent;
        expect(inside).not.toMatch(/[^\P{Cc}\t\r]/u);
        if (bracketed) expect(sent).toBe(`\x1b[200~${inside}\x1b[201~`);
      }),
    );
  });
});
