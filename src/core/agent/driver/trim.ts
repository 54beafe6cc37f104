// Makes a history fit a model truthfully: kept text is exact, and cut text says so. First we cut old observations, each
// with how to read it again. Then one line replaces whole old exchanges. The newest exchange and the prompt of the
// current turn always stay, even if they alone are too much. What was trimmed can be trimmed again. Pure.

import { type Entry, isPersonNote } from "../history.ts";
import { mend } from "./calls.ts";

/** An exchange: a prompt, or an agent's message with all its results. Kept or left out as a whole. */
type Exchange = readonly Entry[];

/** Providers cache an unchanged beginning, so we cut this much at once to keep it the same for many steps. */
const CUT_SHARE = 4;
/** The line about the rest, and what it costs at most. */
const LINE = /^\[(\d+) earlier steps? left out\]$/;
const LINE_CHARS_MAX = 40;

export function trim(history: readonly Entry[], charsMax: number): readonly Entry[] {
  const whole = mend(history);
  if (charsOf(whole) <= charsMax) return whole;
  const exchanges = cutObservations(exchangesOf(whole), tooMuch(whole, charsMax));
  const cut = exchanges.flat();
  return charsOf(cut) <= charsMax ? cut : leaveOut(exchanges, tooMuch(cut, charsMax));
}

/** Drops whole exchanges of any history, also while calls are open, for the owner of the history. */
export function newest(history: readonly Entry[], charsMax: number): readonly Entry[] {
  return charsOf(history) <= charsMax ? history : leaveOut(exchangesOf(history), tooMuch(history, charsMax));
}

/** Somebody's words, not the line about the rest. */
export function isPrompt(entry: Entry): boolean {
  return entry.role === "person" && !LINE.test(entry.text) && !isPersonNote(entry);
}

/** In portions: see CUT_SHARE. */
function tooMuch(history: readonly Entry[], charsMax: number): number {
  const portion = Math.max(1, Math.floor(charsMax / CUT_SHARE));
  return Math.ceil((charsOf(history) - charsMax) / portion) * portion;
}

/** Counts texts and the arguments of calls. */
export function charsOf(history: readonly Entry[]): number {
  return history.reduce((sum, entry) => sum + entry.text.length + callCharsOf(entry), 0);
}

function callCharsOf(entry: Entry): number {
  if (entry.role !== "agent") return 0;
  return entry.calls.reduce((sum, { tool, args }) => sum + tool.length + (JSON.stringify(args) ?? "").length, 0);
}

function exchangesOf(history: readonly Entry[]): readonly Exchange[] {
  const starts = history.flatMap((entry, i) => (entry.role === "observation" ? [] : [i]));
  return starts.map((start, i) => history.slice(start, starts[i + 1] ?? history.length));
}

function cutObservations(exchanges: readonly Exchange[], wanted: number): readonly Exchange[] {
  let cut = 0;
  return exchanges.map((exchange, i) => {
    if (i === exchanges.length - 1) return exchange;
    return exchange.map((entry) => {
      const short = cut < wanted && entry.role === "observation" ? { ...entry, text: noteOf(entry) } : entry;
      const saved = entry.text.length - short.text.length;
      if (saved <= 0) return entry;
      cut += saved;
      return short;
    });
  });
}

function noteOf({ text, again }: Extract<Entry, { role: "observation" }>): string {
  return `[cut: ${text.length} characters${again === null ? "" : `; read it again with ${again}`}]`;
}

/**
 * Oldest first. The line takes their place: before everything, or after the prompt of the current turn. There is
 * at most one line; it includes the count of an earlier one.
 */
function leaveOut(exchanges: readonly Exchange[], wanted: number): readonly Entry[] {
  const prompt = exchanges.findLastIndex(([first]) => first && isPrompt(first));
  const out = new Set<number>();
  let saved = -LINE_CHARS_MAX;
  let steps = 0;
  for (const [i, exchange] of exchanges.slice(0, -1).entries()) {
    const before = stepsLeftOut(exchange);
    if (i === prompt || (saved >= wanted && before === 0)) continue;
    out.add(i);
    saved += charsOf(exchange);
    steps += Math.max(1, before);
  }
  if (out.size === 0) return exchanges.flat();
  const line: Entry = { role: "person", text: `[${steps} earlier step${steps === 1 ? "" : "s"} left out]` };
  const last = Math.max(...out);
  return exchanges.flatMap((exchange, i) => (i === last ? [line] : out.has(i) ? [] : exchange));
}

function stepsLeftOut([first]: Exchange): number {
  return first?.role === "person" ? Number(LINE.exec(first.text)?.[1] ?? 0) : 0;
}
