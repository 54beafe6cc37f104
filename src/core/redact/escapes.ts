// Terminal output without its escape sequences, with the way back to the bytes. Pure.
// Colours, modes and erasing are invisible to the rules. A move to another row is a line end, a move inside one a blank.

export interface Stripped {
  readonly text: string;
  /** The place in the output of each character, and of the end. */
  at(index: number): number;
  /** Where an unfinished sequence begins; the output's length if there is none. */
  readonly rest: number;
  /** What the unfinished sequence is. */
  readonly unfinished: "none" | "sequence" | "osc" | "data";
  /** What OSC and DCS carry: titles, folders, links, the clipboard, data. */
  readonly payloads: readonly { readonly from: number; readonly to: number }[];
}

const [BACKSPACE, TAB, NEWLINE, RETURN, ESCAPE, BELL, BLANK] = [8, 9, 10, 13, 27, 7, 32];
/** Final letters of CSI that move to another row, and inside one. */
const ROW_MOVES = "HfABdEFSTrLMu";
const COLUMN_MOVES = "GCDaP@X`";

interface Sequence {
  /** Where it ends; undefined: it is not complete. */
  readonly to: number | undefined;
  readonly kind: "sequence" | "osc" | "data";
  /** What it is to a reader. */
  readonly as: "" | " " | "\n";
  readonly payload?: number;
}

/** `backspaces`: they strike over what stands before them, or part it from what comes, as it is before it is struck over. */
export function stripped(output: string, backspaces: "strike" | "part" = "strike"): Stripped {
  if (isPlain(output))
    return { text: output, at: (index) => index, rest: output.length, unfinished: "none", payloads: [] };
  const places = new Int32Array(output.length + 1);
  const payloads: { from: number; to: number }[] = [];
  const parts: string[] = [];
  let [length, run] = [0, 0];
  const flush = (to: number) => {
    if (to > run) parts.push(output.slice(run, to));
  };
  let at = 0;
  let unfinished: Stripped["unfinished"] = "none";
  while (at < output.length) {
    const code = output.charCodeAt(at);
    const wrap = code === BLANK && output.charCodeAt(at + 1) === RETURN ? wrapAt(output, at) : at;
    const isText = code >= BLANK ? code !== 127 : code === NEWLINE || code === TAB || code === RETURN;
    if (isText && wrap === at) {
      places[length++] = at++;
      continue;
    }
    flush(at);
    const start = at;
    if (wrap === undefined) {
      run = output.length;
      unfinished = "sequence";
      break;
    } else if (wrap > at) at = wrap;
    else if (code === ESCAPE) {
      const sequence = sequenceAt(output, at);
      if (sequence.to === undefined) {
        run = output.length;
        unfinished = sequence.kind;
        at = start;
        break;
      }
      if (sequence.payload !== undefined) payloads.push({ from: sequence.payload, to: sequence.to });
      if (sequence.as !== "") {
        parts.push(sequence.as);
        places[length++] = at;
      }
      at = sequence.to;
    } else if (code === BACKSPACE && backspaces === "part") {
      parts.push(" ");
      places[length++] = at++;
    } else if (code === BACKSPACE && length > 0) {
      // What is struck over is not read.
      while (parts.at(-1) === "") parts.pop();
      parts.push((parts.pop() ?? "").slice(0, -1));
      length -= 1;
      at += 1;
    } else at += 1;
    run = at;
  }
  if (unfinished === "none") flush(output.length);
  const rest = unfinished === "none" ? output.length : at;
  places[length] = rest;
  return { text: parts.join(""), at: (index) => places[Math.min(index, length)] ?? rest, rest, unfinished, payloads };
}

/**
 * A line editor wraps what is typed with a blank and a return: the line goes on. zsh erases the next row, and writes its first
 * character twice.
 */
const WRAP = / \r(?:\u001b\[K)?(?:([^\u0000- \u007f])\r(?=\1))?(?=[^\u0000- \u007f])/y;
const OPEN_WRAP = / \r(?:\u001b(?:\[K?)?)?$/y;

/** Where the line goes on; `at` itself: it does not; undefined: not enough is there to know. */
function wrapAt(output: string, at: number): number | undefined {
  WRAP.lastIndex = OPEN_WRAP.lastIndex = at;
  if (WRAP.test(output)) return WRAP.lastIndex;
  return OPEN_WRAP.test(output) ? undefined : at;
}

const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]| \r(?:[^\r\n]|$)/;

function isPlain(output: string): boolean {
  return !CONTROL.test(output);
}

function sequenceAt(output: string, at: number): Sequence {
  const next = output[at + 1];
  if (next === undefined) return { to: undefined, kind: "sequence", as: "" };
  if (next === "[") return csiAt(output, at);
  if (next === "]") return stringAt(output, at, "osc");
  if (next === "P" || next === "_" || next === "^" || next === "X") return stringAt(output, at, "data");
  let to = at + 1;
  while (to < output.length && output.charCodeAt(to) >= 0x20 && output.charCodeAt(to) <= 0x2f) to += 1;
  if (to >= output.length) return { to: undefined, kind: "sequence", as: "" };
  return { to: to + 1, kind: "sequence", as: next === "D" || next === "E" || next === "M" ? "\n" : "" };
}

function csiAt(output: string, at: number): Sequence {
  let to = at + 2;
  while (to < output.length && output.charCodeAt(to) >= 0x20 && output.charCodeAt(to) <= 0x3f) to += 1;
  if (to >= output.length) return { to: undefined, kind: "sequence", as: "" };
  const final = output[to] ?? "";
  const as = ROW_MOVES.includes(final) ? "\n" : COLUMN_MOVES.includes(final) ? " " : "";
  // A character that cannot end it is not part of it.
  return { to: output.charCodeAt(to) < 0x40 ? to : to + 1, kind: "sequence", as };
}

function stringAt(output: string, at: number, kind: "osc" | "data"): Sequence {
  for (let to = at + 2; to < output.length; to++) {
    const code = output.charCodeAt(to);
    if (code === ESCAPE && to + 1 >= output.length) break;
    const isEnd = (code === BELL && kind === "osc") || code === ESCAPE || code === 24 || code === 26;
    if (!isEnd) continue;
    const length = code === ESCAPE ? (output[to + 1] === "\\" ? 2 : 0) : 1;
    return { to: to + length, kind, as: "", payload: at + 2 };
  }
  return { to: undefined, kind, as: "" };
}
