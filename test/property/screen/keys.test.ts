// Keys by name: tables of what xterm and the kitty protocol send, and laws.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFault } from "../../../src/core/base/fault.ts";
import { KEY_NAMES } from "../../../src/core/screen/input/key-names.ts";
import { encodeKeys, type KeyModes } from "../../../src/core/screen/input/keys.ts";

const normal: KeyModes = { application_cursor: false, application_keypad: false, kitty_keyboard: 0 };
const application: KeyModes = { ...normal, application_cursor: true, application_keypad: true };
const kitty = (flags: number): KeyModes => ({ ...normal, kitty_keyboard: flags });

function keys(modes: KeyModes, ...names: string[]): string {
  const bytes = encodeKeys(names, modes);
  return isFault(bytes) ? `${bytes.code}: ${bytes.message}` : Buffer.from(bytes).toString();
}

describe("legacy", () => {
  const table: readonly (readonly [name: string, normal: string, application?: string])[] = [
    ["Up", "\x1b[A", "\x1bOA"],
    ["Begin", "\x1b[E", "\x1bOE"],
    ["Ctrl+Shift+Up", "\x1b[1;6A"],
    ["F1", "\x1bOP"],
    ["Alt+F3", "\x1b[1;3R"],
    ["F24", "\x1b[24;2~"],
    ["Ctrl+F13", "\x1b[1;6P"],
    ["Delete", "\x1b[3~"],
    ["Ctrl+PageUp", "\x1b[5;5~"],
    ["Menu", "\x1b[29~"],
    ["Super+Up", "\x1b[1;9A"],
    ["KP_5", "5", "\x1bOu"],
    ["KP_Enter", "\r", "\x1bOM"],
    ["Ctrl+KP_Add", "+", "\x1bO5k"],
    ["KP_Equal", "=", "\x1bOX"],
    ["KP_Up", "\x1b[A", "\x1bOA"],
    ["Enter", "\r"],
    ["Alt+Enter", "\x1b\r"],
    ["BackTab", "\x1b[Z"],
    ["Shift+Tab", "\x1b[Z"],
    ["Alt+Shift+Tab", "\x1b\x1b[Z"],
    ["Ctrl+Backspace", "\b"],
    ["Ctrl+Alt+Backspace", "\x1b\b"],
    ["Esc", "\x1b"],
    ["Space", " "],
    ["Ctrl+Space", "\0"],
    ["Ctrl+C", "\x03"],
    ["C-c", "\x03"],
    ["^C", "\x03"],
    ["ctrl+c", "\x03"],
    ["C-M-x", "\x1b\x18"],
    ["M-x", "\x1bx"],
    ["Alt+A", "\x1bA"],
    ["Alt+-", "\x1b-"],
    ["Ctrl+^", "\x1e"],
    ["^^", "\x1e"],
    ["^[", "\x1b"],
    ["^?", "\x7f"],
    ["Ctrl+-", "\x1f"],
    ["Ctrl++", "+"],
    ["Ctrl+@", "\0"],
    ["Shift+a", "A"],
    ["Shift+1", "!"],
    ["a", "a"],
    ["+", "+"],
    ["-", "-"],
    ["^", "^"],
    ["plus", "+"],
    ["é", "é"],
    ["Shift+é", "É"],
    ["Alt+ß", "\x1bß"],
    ["🦀", "🦀"],
    ["\u212a", "\u212a"],
    ["Page_Down", "\x1b[6~"],
    ["NPage", "\x1b[6~"],
    ["kp5", "5", "\x1bOu"],
  ];
  test.each(table.map((row) => ({ row })))("$row.0", ({ row: [name, inNormal, inApplication] }) => {
    expect(keys(normal, name)).toBe(inNormal);
    expect(keys(application, name)).toBe(inApplication ?? inNormal);
    // Event types and alternates alone change nothing for a press.
    expect(keys(kitty(6), name)).toBe(inNormal);
  });
  test("several keys may follow each other", () => expect(keys(normal, "g", "g", "Up", "^C")).toBe("gg\x1b[A\x03"));
  test.each(["Super+q", "Hyper+Enter", "CapsLock", "Pause", "PrintScreen"])("%s has no bytes", (name) => {
    expect(keys(normal, name)).toMatch(/^input\.invalid: .*kitty/);
  });
});

test("CapsLock is reported only when all keys are", () => {
  expect(keys(kitty(1), "CapsLock")).toContain("input.invalid");
});

describe("kitty", () => {
  const table: readonly (readonly [flags: number, name: string, bytes: string])[] = [
    [1, "a", "a"],
    [1, "Shift+a", "A"],
    [1, "Space", " "],
    [1, "Escape", "\x1b[27u"],
    [1, "Enter", "\r"],
    [1, "Backspace", "\x7f"],
    [1, "Shift+Enter", "\x1b[13;2u"],
    [1, "BackTab", "\x1b[9;2u"],
    [1, "Ctrl+C", "\x1b[99;5u"],
    [1, "Ctrl+Shift+c", "\x1b[99;6u"],
    [1, "Alt+A", "\x1b[97;4u"],
    [1, "Alt+[", "\x1b[91;3u"],
    [1, "Ctrl+Space", "\x1b[32;5u"],
    [1, "Super+q", "\x1b[113;9u"],
    [1, "Hyper+é", "\x1b[233;17u"],
    [1, "Up", "\x1b[A"],
    [1, "Ctrl+Up", "\x1b[1;5A"],
    [1, "F1", "\x1b[P"],
    [1, "Shift+F1", "\x1b[1;2P"],
    [1, "F3", "\x1b[13~"],
    [1, "Alt+F3", "\x1b[13;3~"],
    [1, "F13", "\x1b[57376u"],
    [1, "F24", "\x1b[57387u"],
    [1, "KP_0", "\x1b[57399u"],
    [1, "KP_Enter", "\x1b[57414u"],
    [1, "Ctrl+KP_Add", "\x1b[57413;5u"],
    [1, "KP_Left", "\x1b[57417u"],
    [1, "KP_Delete", "\x1b[57426u"],
    [8, "CapsLock", "\x1b[57358u"],
    [1, "PrintScreen", "\x1b[57361u"],
    [1, "Menu", "\x1b[57363u"],
    [5, "Shift+Alt+a", "\x1b[97:65;4u"],
    [5, "Ctrl+Shift+=", "\x1b[61:43;6u"],
    [5, "Ctrl+a", "\x1b[97;5u"],
    [8, "a", "\x1b[97u"],
    [8, "A", "\x1b[97;2u"],
    [8, "Enter", "\x1b[13u"],
    [8, "Backspace", "\x1b[127u"],
    [17, "a", "a"],
    [24, "a", "\x1b[97;;97u"],
    [24, "A", "\x1b[97;2;65u"],
    [28, "A", "\x1b[97:65;2;65u"],
    [24, "Ctrl+a", "\x1b[97;5u"],
    [24, "KP_5", "\x1b[57404;;53u"],
    [31, "🦀", "\x1b[129408;;129408u"],
    [31, "Enter", "\x1b[13u"],
  ];
  test.each(table)("flags %i: %s", (flags, name, bytes) => {
    expect(keys(kitty(flags), name)).toBe(bytes);
    expect(keys({ ...application, kitty_keyboard: flags }, name)).toBe(bytes);
  });
});

describe("laws", () => {
  const modes = fc.record({
    application_cursor: fc.boolean(),
    application_keypad: fc.boolean(),
    kitty_keyboard: fc.nat(31),
  });
  const modifier = fc.constantFrom("Ctrl", "control", "C", "Alt", "META", "m", "Shift", "s", "Super", "cmd", "hyper");
  const key = fc.constantFrom(...KEY_NAMES, "a", "Z", "+", "-", "^", "é", "1");

  test("modifiers may stand in any order, with any separator, any number of times", () => {
    const written = fc.tuple(fc.uniqueArray(modifier), fc.infiniteStream(fc.constantFrom("+", "-")));
    fc.assert(
      fc.property(modes, key, written, fc.nat(), (in_, name, [mods, separators], turn) => {
        const join = (order: readonly string[]) => order.map((mod) => mod + separators.next().value).join("") + name;
        const turned = mods.map((_, i) => mods[(i + turn) % mods.length] ?? "");
        const same = (order: readonly string[]) => keys(in_, join(order)).replace(/the program cannot .*/, "");
        expect(same(turned.toReversed())).toBe(same(mods));
        expect(same([...mods, ...turned])).toBe(same(mods));
      }),
    );
  });

  test("an unknown name never becomes bytes, and its fault lists the names", () => {
    const known = new Set(KEY_NAMES.map((name) => name.toLowerCase()));
    const hostile = fc.constantFrom("constructor", "__proto__", "toString", "constructor+x", "Ctrl+", "Ctrl+nope", "");
    const word = fc.string({ minLength: 2, maxLength: 12 }).filter((text) => !/[+\-^]/.test(text));
    const control = fc.nat(31).map((code) => String.fromCharCode(code));
    const short =
      /^(esc|cr|bs|del|dc|ins|ic|spc|plus|minus|prior|next|[pn]page|pgup|pgd.*|kp.*|print|prtsc|apps|break)$/i;
    const any = fc.oneof(hostile, control, word).filter((text) => !known.has(text.toLowerCase()) && !short.test(text));
    fc.assert(
      fc.property(modes, any, (in_, name) => {
        const refused = encodeKeys(["a", name, "b"], in_);
        if (!isFault(refused)) expect([...name].length).toBe(1);
        else expect(refused).toMatchObject({ code: "key.unknown", hint: expect.stringContaining("PageUp") });
      }),
    );
  });

  test("a character alone sends itself", () => {
    const char = fc.string({ unit: "binary", minLength: 1, maxLength: 1 }).filter((text) => /\P{C}/u.test(text));
    fc.assert(
      fc.property(modes, char, (in_, written) => {
        if (/[\p{Zl}\p{Zp}]/u.test(written)) return;
        const bytes = keys(in_, written);
        if (!(in_.kitty_keyboard & 8)) expect(bytes).toBe(written);
        else if (in_.kitty_keyboard & 16) expect(bytes).toMatch(new RegExp(`;${written.codePointAt(0)}u$`));
      }),
    );
  });

  test("every name has bytes, or a reason", () => {
    for (const name of KEY_NAMES) {
      expect(keys(kitty(9), name)).toMatch(/^\x1b\[/);
      expect(keys(normal, name)).not.toContain("key.unknown");
    }
  });
});
