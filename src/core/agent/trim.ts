// Makes a history fit a model, truthfully: what is kept is exact, what is not says so. First old observations are cut, each
// with how to read it again; then whole old exchanges give way to one line. The newest exchange and the prompt of the
// current turn always stay, even if they alone are too much. Pure.
import { mend } from "./calls.ts";
import type { Entry } from "./history.ts";

/** An exchange: a prompt, or what the agent said with all that came of it. Kept or left out as a whole. */
type Exchange = readonly Entry[];

/** Providers remember a beginning that does not change: so much goes at once that it stays the same for many steps. */
const CUT_SHARE = 4;
/** What the line about the rest costs, at most. */
const LINE_CHARS_MAX = 40;

export function trim(history: readonly Entry[], charsMax: number): readonly Entry[] {
  const whole = mend(history);
  if (charsOf(whole) <= charsMax) return whole;
  const exchanges = cutObservations(exchangesOf(whole), tooMuch(whole, charsMax));
  const cut = exchanges.flat();
  return charsOf(cut) <= charsMax ? cut : leaveOut(exchanges, tooMuch(cut, charsMax));
}

/** In portions: see CUT_SHARE. */
function tooMuch(history: readonly Entry[], charsMax: number): number {
  const portion = Math.max(1, Math.floor(charsMax / CUT_SHARE));
  return Math.ceil((charsOf(history) - charsMax) / portion) * portion;
}

/** What counts: texts, and what is written for a call. */
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

/** Oldest first. The line stands where they were: in front of everything, or behind the prompt of the current turn. */
function leaveOut(exchanges: readonly Exchange[], wanted: number): readonly Entry[] {
  const prompt = exchanges.findLastIndex(([first]) => first?.role === "person");
  const out = new Set<number>();
  let saved = -LINE_CHARS_MAX;
  for (let i = 0; i < exchanges.length - 1 && saved < wanted; i += 1) {
    if (i === prompt) continue;
    out.add(i);
    saved += charsOf(exchanges[i] ?? []);
  }
  if (out.size === 0) return exchanges.flat();
  const line: Entry = { role: "person", text: `[${out.size} earlier step${out.size === 1 ? "" : "s"} left out]` };
  const last = Math.max(...out);
  return exchanges.flatMap((exchange, i) => (i === last ? [line] : out.has(i) ? [] : exchange));
}
