// Our keys against others' tables: terminfo's (infocmp) for the legacy encoding, libghostty's encoder for both.
import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { isFault } from "../../../src/core/base/fault.ts";
import { KEY_NAMES } from "../../../src/core/screen/input/key-names.ts";
import { encodeKeys, type KeyModes } from "../../../src/core/screen/input/keys.ts";
import { type GhosttyKey, ghosttyKey } from "../../fixtures/terminal/ghostty-input.ts";

const normal: KeyModes = { application_cursor: false, application_keypad: false, kitty_keyboard: 0 };
const application: KeyModes = { ...normal, application_cursor: true, application_keypad: true };

function keys(modes: KeyModes, name: string): string {
  const bytes = encodeKeys([name], modes);
  return isFault(bytes) ? "" : Buffer.from(bytes).toString();
}

/** [name of the key, what we send]; only where the oracle says something else. */
type Difference = readonly [name: string, ours: string, theirs: string | undefined];

describe("terminfo of xterm-256color", () => {
  const source = execFileSync("infocmp", ["-1", "xterm-256color"], { encoding: "utf8" });
  const caps = new Map([...source.matchAll(/^\t(k\w+)=(.*),$/gm)].map(([, name = "", bytes]) => [name, bytes]));
  const prefixes = ["", "Shift+", "Ctrl+", "Ctrl+Shift+", "Alt+", "Alt+Shift+"];
  const named = {
    ...{ kcuu1: "Up", kcud1: "Down", kcuf1: "Right", kcub1: "Left", khome: "Home", kend: "End", kbeg: "Begin" },
    ...{ kich1: "Insert", kdch1: "Delete", kpp: "PageUp", knp: "PageDown", kcbt: "BackTab", kbs: "Backspace" },
    ...{ kDC: "Shift+Delete", kIC: "Shift+Insert", kHOM: "Shift+Home", kEND: "Shift+End", kNXT: "Shift+PageDown" },
    ...{ kPRV: "Shift+PageUp", kLFT: "Shift+Left", kRIT: "Shift+Right", kri: "Shift+Up", kind: "Shift+Down" },
    ...{ kent: "KP_Enter", ka1: "KP_7", ka3: "KP_9", kb2: "KP_5", kc1: "KP_1", kc3: "KP_3" },
  };
  const all: (readonly [cap: string, name: string])[] = [
    ...Object.entries(named),
    ...Array.from({ length: 63 }, (_, i) => [`kf${i + 1}`, `${prefixes[Math.floor(i / 12)]}F${(i % 12) + 1}`] as const),
    ...Array.from({ length: 24 }, (_, i) => [`kf${i + 1}`, `F${i + 1}`] as const),
  ];

  test("every key has the bytes of terminfo", () => {
    const shown = (bytes: string) => bytes.replaceAll("\x1b", "\\E").replaceAll("\x7f", "^?");
    const found = all.map(([cap, name]): Difference => [name, shown(keys(application, name)), caps.get(cap)]);
    expect(found.filter(([, ours, theirs]) => ours !== theirs)).toEqual([]);
  });
});

describe("libghostty's encoder agrees", () => {
  const others: ReadonlyMap<string, string> = new Map([
    ...["Up", "Down", "Left", "Right"].map((name) => [name, `ARROW_${name.toUpperCase()}`] as const),
    ...["PageUp", "PageDown", "CapsLock", "ScrollLock", "NumLock", "PrintScreen", "KP_PageUp", "KP_PageDown"].map(
      (name) => [name, snake(name)] as const,
    ),
  ]);
  /** Keys it has no name or no number for: those of the VT220, and Begin. */
  const unknown = /^(Menu|Begin|KP_Begin|Find|Select|Help|BackTab|Space)$/;
  const modifiers = ["", "Shift+", "Alt+", "Shift+Alt+", "Ctrl+", "Ctrl+Shift+", "Ctrl+Alt+", "Ctrl+Shift+Alt+"];
  const supers = modifiers.map((prefix) => `${prefix}Super+`);

  function snake(name: string): string {
    const words = name.replace(/([a-z])([A-Z])/g, "$1_$2").toUpperCase();
    return words.replace(/^KP_/, "NUMPAD_");
  }

  function differences(modes: KeyModes, prefixes: readonly string[], names: readonly string[]): Difference[] {
    const all = prefixes.flatMap((prefix, mods) =>
      names.map((name): Difference => {
        const key = { key: others.get(name) ?? snake(name), mods, text: "", unshifted: "" };
        return [prefix + name, keys(modes, prefix + name), ghosttyKey(key, modes)];
      }),
    );
    return all.filter(([, ours, theirs]) => ours !== theirs);
  }

  // Not flag 2: ghostty then writes the event type of a press, which the protocol lets us leave out.
  test.each([1, 5, 8, 9, 13, 24, 25, 29].map((flags) => [flags]))("kitty flags %i", (flags) => {
    const modes = { ...normal, kitty_keyboard: flags };
    // Our keypad types its digits when the program asks for text; theirs has them as a base layout key.
    const typing = /^KP_(\d|Decimal|Divide|Multiply|Subtract|Add|Equal|Separator)$/;
    const names = KEY_NAMES.filter((name) => !unknown.test(name) && !(flags & (4 | 16) && typing.test(name)));
    expect(differences(modes, [...modifiers, ...supers], names)).toEqual([]);
  });

  test.each([1, 8, 9, 24, 25, 28, 29].map((flags) => [flags]))("kitty flags %i, letters", (flags) => {
    const modes = { ...normal, kitty_keyboard: flags };
    const all = [...modifiers, ...supers].flatMap((prefix, mods) =>
      [..."aiz"].map((char): Difference => {
        const typed = mods & 1 ? char.toUpperCase() : char;
        const text = mods & ~1 && !(flags & 4) ? "" : typed;
        const key: GhosttyKey = { key: char.toUpperCase(), mods, text, unshifted: char };
        return [prefix + char, keys(modes, prefix + char), ghosttyKey(key, modes)];
      }),
    );
    expect(all.filter(([, ours, theirs]) => ours !== theirs)).toEqual([]);
  });

  test("legacy", () => {
    // It has fixterms' bytes for modified Enter, Tab, Escape and Backspace, kitty's for modified F3, others for F13….
    const own = /^(Enter|Tab|Escape|Backspace|F3|F1[3-9]|F2.|KP_.*|Pause|PrintScreen|.*Lock)$/;
    const names = KEY_NAMES.filter((name) => !unknown.test(name) && !own.test(name));
    expect(differences(normal, modifiers, names)).toEqual([]);
    expect(differences(application, modifiers, names)).toEqual([]);
    // It has no bytes for these two.
    const keypad = KEY_NAMES.filter(
      (name) => /^KP_(\d|[A-Z][a-z]+)$/.test(name) && !/Begin|Equal|Separator/.test(name),
    );
    expect(differences(application, modifiers, keypad)).toEqual([]);
  });
});
