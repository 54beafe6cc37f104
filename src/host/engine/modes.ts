// The engine's packed mode words as DECSET and DECRST text. Pure. Owns: which bit is which mode, and which modes a
// repaint must not set itself.
import type { Picture } from "./snapshot.ts";

/** Bit in the word, mode number, and whether it is an ANSI mode. Found by setting each mode of the pinned engine. */
const table: readonly { bit: number; number: number; ansi?: true }[] = [
  { bit: 0, number: 2, ansi: true },
  { bit: 1, number: 4, ansi: true },
  { bit: 2, number: 12, ansi: true },
  { bit: 3, number: 20, ansi: true },
  { bit: 4, number: 1 },
  { bit: 6, number: 4 },
  { bit: 7, number: 5 },
  { bit: 9, number: 7 },
  { bit: 10, number: 8 },
  { bit: 12, number: 12 },
  { bit: 13, number: 25 },
  { bit: 15, number: 45 },
  { bit: 17, number: 66 },
  { bit: 18, number: 67 },
  { bit: 23, number: 1004 },
  { bit: 26, number: 1007 },
  { bit: 29, number: 1035 },
  { bit: 30, number: 1036 },
  { bit: 31, number: 1039 },
  { bit: 32, number: 1045 },
  { bit: 36, number: 2004 },
  { bit: 38, number: 2027 },
  { bit: 39, number: 2031 },
  { bit: 40, number: 2033 },
  { bit: 41, number: 2048 },
];

/** In each family the mode set last rules. Its position here, counted from 1, is the engine's number for it. */
const mouseEvents = [
  { bit: 11, number: 9 },
  { bit: 20, number: 1000 },
  { bit: 21, number: 1002 },
  { bit: 22, number: 1003 },
];
const mouseFormats = [
  { bit: 24, number: 1005 },
  { bit: 25, number: 1006 },
  { bit: 27, number: 1015 },
  { bit: 28, number: 1016 },
];
/** Origin and left-right margins move the cursor: repaint.ts sets them; here they are only saved (XTSAVE). */
const savedOnly = [
  { bit: 8, number: 6 },
  { bit: 19, number: 69 },
];

export function modesText(picture: Picture): string {
  const changed = table.filter(({ bit }) => isSet(picture.modes, bit) !== isSet(picture.defaultModes, bit));
  return (
    changed.map((mode) => set(mode, isSet(picture.modes, mode.bit))).join("") +
    family(mouseEvents, picture.modes, picture.mouseEvent) +
    family(mouseFormats, picture.modes, picture.mouseFormat)
  );
}

/** Restores what XTSAVE saved: sets each mode that way, saves it, and puts it back. */
export function savedModesText({ savedModes, defaultModes }: Picture): string {
  const dec = [...table.filter(({ ansi }) => !ansi), ...mouseEvents, ...mouseFormats, ...savedOnly];
  return dec
    .filter(({ bit }) => isSet(savedModes, bit) !== isSet(defaultModes, bit))
    .map(({ bit, number }) => {
      const saved = isSet(savedModes, bit);
      return `${set({ number }, saved)}\x1b[?${number}s${set({ number }, !saved)}`;
    })
    .join("");
}

function family(members: readonly { bit: number; number: number }[], modes: bigint, ruling: number): string {
  const on = members.filter(({ bit }) => isSet(modes, bit));
  if (on.length === 0) return "";
  const last = members[ruling - 1];
  const order = [...on.filter((member) => member !== last), ...on.filter((member) => member === last)];
  const text = order.map((member) => set(member, true)).join("");
  // Some are on but none rules, because another mode was switched off last.
  const off = members.find(({ bit }) => !isSet(modes, bit));
  return !last && off ? text + set(off, false) : text;
}

function isSet(modes: bigint, bit: number): boolean {
  return ((modes >> BigInt(bit)) & 1n) === 1n;
}

function set({ number, ansi }: { number: number; ansi?: true }, on: boolean): string {
  return `\x1b[${ansi ? "" : "?"}${number}${on ? "h" : "l"}`;
}
