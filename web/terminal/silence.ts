// A viewer never answers a program's queries. The daemon's engine does, once; ten viewers would answer ten times.
// Owns: which sequences are queries. Sequences that set something pass.
import type { IDisposable, IFunctionIdentifier, Terminal } from "@xterm/xterm";

/** DA1–3, DSR, DECRQM, window reports, XTVERSION, the kitty keyboard's flags. */
const CSI_QUESTIONS: readonly IFunctionIdentifier[] = [
  { final: "c" },
  { prefix: ">", final: "c" },
  { prefix: "=", final: "c" },
  { final: "n" },
  { prefix: "?", final: "n" },
  { intermediates: "$", final: "p" },
  { prefix: "?", intermediates: "$", final: "p" },
  { final: "t" },
  { prefix: ">", final: "q" },
  { prefix: "?", final: "u" },
];
/** DECRQSS and XTGETTCAP. */
const DCS_QUESTIONS: readonly IFunctionIdentifier[] = [
  { intermediates: "$", final: "q" },
  { intermediates: "+", final: "q" },
];
/** Palette, foreground, background, cursor: a query when a colour is "?". */
const OSC_COLOURS = [4, 10, 11, 12];

export function silence({ parser }: Terminal): IDisposable[] {
  const swallow = () => true;
  return [
    ...CSI_QUESTIONS.map((id) => parser.registerCsiHandler(id, swallow)),
    ...DCS_QUESTIONS.map((id) => parser.registerDcsHandler(id, swallow)),
    ...OSC_COLOURS.map((id) => parser.registerOscHandler(id, (data) => data.split(";").includes("?"))),
  ];
}

const FOCUS_REPORTS = ["\x1b[I", "\x1b[O"];

/** Turning mode 1004 on makes xterm report its focus at once. That is also an answer, not a person's action. */
export function isFocusReport(data: string): boolean {
  return FOCUS_REPORTS.includes(data);
}

/** Focus and mouse: CSI I, CSI O, CSI M, CSI <. */
export function isReport([esc, bracket, kind = 0]: Uint8Array): boolean {
  return esc === 0x1b && bracket === 0x5b && "IOM<".includes(String.fromCharCode(kind));
}
