// What the engine is known not to do, with today's behaviour asserted (facts of the engine's choice, and what the other
// tables found). The expected rows are the standard's; `ours` is what is shown.
import { alphabet, type Case, full, line, row, shown } from "./case.ts";

const untouched = [..."ABCDE"].map(line);

export const gaps: readonly Case[] = [
  row("surplus parameters", "a\x1b[3;7CX", "a   X", [0, 5], "ECMA-48: those not expected are ignored", {
    ours: shown("aX", [0, 2], "#surplus-parameters"),
  }),
  row("VPB", "\x1b[4;1H\x1b[2kX", "|X", [1, 1], "ECMA-48 8.3.159: rows up", {
    oracle: shown("|||X", [3, 1], "#vpb-and-hpb"),
  }),
  row("HPB", "abcd\x1b[2jX", "abXd", [0, 3], "ECMA-48 8.3.58: columns back", {
    oracle: shown("abcdX", [0, 5], "#vpb-and-hpb"),
  }),
  row("SL", `${alphabet}\x1b[2 @`, "CDEFGHIJ", [0, 9], "ECMA-48 8.3.121: shifts left", {
    ours: shown([alphabet], [0, 9], "#columns-that-move"),
  }),
  row("SR", `${alphabet}\x1b[2 A`, "  ABCDEFGH", [0, 9], "ECMA-48 8.3.135: shifts right", {
    ours: shown([alphabet], [0, 9], "#columns-that-move"),
  }),
  row("DECIC", `${alphabet}\x1b[3G\x1b[2'}`, "AB  CDEFGH", [0, 2], "VT420: columns inserted", {
    ours: shown([alphabet], [0, 2], "#columns-that-move"),
  }),
  row("DECDC", `${alphabet}\x1b[3G\x1b[2'~`, "ABEFGHIJ", [0, 2], "VT420: columns deleted", {
    ours: shown([alphabet], [0, 2], "#columns-that-move"),
  }),
  row("DECBI", `${alphabet}\x1b[1G\x1b6`, " ABCDEFGHI", [0, 0], "VT420: back, scrolling at the edge", {
    ours: shown([alphabet], [0, 0], "#columns-that-move"),
    oracle: shown([alphabet], [0, 0], "#columns-that-move"),
  }),
  row("DECFI", `${alphabet}\x1b9`, "BCDEFGHIJ", [0, 9], "VT420: forward, scrolling at the edge", {
    ours: shown([alphabet], [0, 9], "#columns-that-move"),
    oracle: shown([alphabet], [0, 9], "#columns-that-move"),
  }),
  row(
    "DECFRA",
    `${full}\x1b[88;2;2;3;3$x`,
    "AAAAAAAAAA|BXXBBBBBBB|CXXCCCCCCC|DDDDDDDDDD|EEEEEEEEEE",
    [0, 0],
    "VT420: fills a rectangle",
    { ours: shown(untouched, [0, 0], "#rectangles"), oracle: shown(untouched, [0, 0], "#rectangles") },
  ),
  row(
    "DECERA",
    `${full}\x1b[2;2;3;3$z`,
    "AAAAAAAAAA|B  BBBBBBB|C  CCCCCCC|DDDDDDDDDD|EEEEEEEEEE",
    [0, 0],
    "VT420: erases a rectangle",
    { ours: shown(untouched, [0, 0], "#rectangles"), oracle: shown(untouched, [0, 0], "#rectangles") },
  ),
  row("TBC without a parameter", "\x1b[9G\x1b[g\r\tX", "                X", [0, 17], "ECMA-48: 0 by default", {
    cols: 20,
    ours: shown("        X", [0, 9], "#tab-stops"),
  }),
  row("DEL in text", "a\x7fb", "ab", [0, 2], "VT100: ignored", { ours: shown("a b", [0, 3], "#controls-in-text") }),
  row("CAN in text", "a\x18b", "ab", [0, 2], "nothing to cancel: no effect", {
    ours: shown("a b", [0, 3], "#controls-in-text"),
  }),
  row("SUB in text", "a\x1ab", "ab", [0, 2], "no effect outside sequences; the VT510 shows an error character", {
    ours: shown("a b", [0, 3], "#controls-in-text"),
  }),
  row("C1 as UTF-8", "a\u009b2Cb", "a  b", [0, 4], "xterm: U+009B is CSI", {
    ours: shown("a 2Cb", [0, 5], "#c1-controls"),
  }),
  row("NEL as C1", "a\u0085b", "a|b", [1, 1], "xterm: U+0085 is NEL", { ours: shown("a b", [0, 3], "#c1-controls") }),
  row(
    "reverse wrap",
    `\x1b[?45h${alphabet}X\x1b[3DY`,
    "ABCDEFGHYJ|X",
    [0, 9],
    "xterm 45: CUB goes over the left edge",
    { oracle: shown([alphabet, "Y"], [1, 1], "#reverse-wrap") },
  ),
];
