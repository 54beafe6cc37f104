// Scrolling regions, origin mode, and left and right margins (DECLRMM).
import { alphabet, type Case, full, letters, row, shown } from "./case.ts";

export const regions: readonly Case[] = [
  row("LF at the bottom margin", `${letters}\x1b[2;4r\x1b[4;1H\n`, "A|C|D||E", [3, 0], "the region scrolls alone"),
  row(
    "LF on the last row, below the region",
    `${letters}\x1b[2;4r\x1b[5;1H\nX`,
    "A|B|C|D|X",
    [4, 1],
    "nothing scrolls",
  ),
  row("RI at the top margin", `${letters}\x1b[2;4r\x1b[2;1H\x1bM`, "A||B|C|E", [1, 0], "the region scrolls alone"),
  row(
    "RI on the first row, above the region",
    `${letters}\x1b[2;4r\x1b[1;1H\x1bMX`,
    "X|B|C|D|E",
    [0, 1],
    "nothing scrolls",
  ),
  row("DECSTBM homes the cursor", "abc\x1b[2;4rX", "Xbc", [0, 1], "to the screen's corner without origin mode"),
  row("DECSTBM upside down", "ab\x1b[4;2rX", "abX", [0, 3], "ignored"),
  row("DECSTBM of one row", "ab\x1b[3;3rX", "abX", [0, 3], "two rows at least"),
  row("DECSTBM reset", `${letters}\x1b[2;3r\x1b[r\x1b[5;1H\n`, "B|C|D|E", [4, 0], "the whole screen again"),
  row("SU", `${letters}\x1b[2;2H\x1b[2SX`, "C|DX|E", [1, 2], "the cursor stays"),
  row("SD", `${letters}\x1b[2;2H\x1b[2TX`, "| X|A|B|C", [1, 2], "the cursor stays"),
  row("SU in a region", `${letters}\x1b[2;4r\x1b[S`, "A|C|D||E", [0, 0], "region only, wherever the cursor is"),
  row("SD in a region", `${letters}\x1b[2;4r\x1b[9T`, "A||||E", [0, 0], "clamped to the region"),
  row(
    "DECOM",
    "\x1b[2;4r\x1b[?6hX\x1b[9;9HY",
    "|X||        Y",
    [3, 9],
    "home is the region's; positions are clamped to it",
  ),
  row("DECOM reset homes", "\x1b[2;4r\x1b[?6h\x1b[2;2H\x1b[?6lX", "X", [0, 1], "to the screen's corner"),
  row("VPA with DECOM", "\x1b[2;4r\x1b[?6h\x1b[2dX", "||X", [2, 1], "counted from the top margin"),
  row(
    "DECALN",
    `\x1b[2;3r\x1b#8`,
    Array.from({ length: 5 }, () => "E".repeat(10)),
    [0, 0],
    "fills with E, homes, margins reset",
  ),
  row(
    "DECALN resets the region",
    `\x1b[2;3r\x1b#8${full}\x1b[5;1H\nX`,
    ["B", "C", "D", "E"].map((c) => c.repeat(10)).concat("X"),
    [4, 1],
    "the whole screen scrolls",
    { oracle: shown(["A", "B", "C", "D"].map((c) => c.repeat(10)).concat("XEEEEEEEEE"), [4, 1], "#resets") },
  ),
];

const lr = "\x1b[?69h\x1b[3;6s";
const none = (rows: string, cursor: Case["cursor"]) => shown(rows, cursor, "#left-and-right-margins");

/** The oracle has no DECLRMM: CSI s saves the cursor there. */
export const margins: readonly Case[] = [
  row("DECSLRM homes the cursor", `ab${lr}X`, "Xb", [0, 1], "to the screen's corner", { oracle: none("abX", [0, 3]) }),
  row("wrap at the right margin", `${lr}\x1b[1;3HABCDEF`, "  ABCD|  EF", [1, 4], "to the left margin", {
    oracle: none("  ABCDEF", [0, 8]),
  }),
  row("CR within the margins", `${lr}\x1b[1;5HA\rB`, "  B A", [0, 3], "to the left margin", {
    oracle: none("B   A", [0, 1]),
  }),
  row("CR left of the margins", `${lr}\x1b[1;2HA\x1b[1;2H\rB`, "BA", [0, 1], "to the first column"),
  row("CUF stops at the right margin", `${lr}\x1b[1;4H\x1b[9CX`, "     X", [0, 5], "started within", {
    oracle: none("         X", [0, 9]),
  }),
  row("CUB stops at the left margin", `${lr}\x1b[1;5H\x1b[9DX`, "  X", [0, 3], "started within", {
    ours: none("X", [0, 1]),
    oracle: none("X", [0, 1]),
  }),
  row(
    "ICH between the margins",
    `${alphabet}${lr}\x1b[1;3H\x1b[2@`,
    "AB  CDGHIJ",
    [0, 2],
    "right of the margin nothing moves",
    { oracle: none("AB  CDEFGH", [0, 2]) },
  ),
  row(
    "DCH between the margins",
    `${alphabet}${lr}\x1b[1;3H\x1b[2P`,
    "ABEF  GHIJ",
    [0, 2],
    "right of the margin nothing moves",
    { oracle: none("ABEFGHIJ", [0, 2]) },
  ),
  row(
    "IL between the margins",
    `${full}${lr}\x1b[2;3H\x1b[L`,
    "AAAAAAAAAA|BB    BBBB|CCBBBBCCCC|DDCCCCDDDD|EEDDDDEEEE",
    [1, 2],
    "only the columns between",
    { oracle: none("AAAAAAAAAA||BBBBBBBBBB|CCCCCCCCCC|DDDDDDDDDD", [1, 0]) },
  ),
  row(
    "SU between the margins",
    `${full}${lr}\x1b[S`,
    "AABBBBAAAA|BBCCCCBBBB|CCDDDDCCCC|DDEEEEDDDD|EE    EEEE",
    [0, 0],
    "only the columns between",
    { oracle: none("BBBBBBBBBB|CCCCCCCCCC|DDDDDDDDDD|EEEEEEEEEE", [0, 0]) },
  ),
  row("DECOM with both margins", `${lr}\x1b[2;4r\x1b[?6hX`, "|  X", [1, 3], "home is the corner of both", {
    oracle: none("|X", [1, 1]),
  }),
  row("DECLRMM reset", `${lr}\x1b[?69l\x1b[1;3HABCDEF`, "  ABCDEF", [0, 8], "no margins"),
  row("CSI s without DECLRMM", "ab\x1b[scd\x1b[uX", "abXd", [0, 3], "SCOSC: saves the cursor"),
];
