// Reads what a hidden shell has written (shell/complete.*). Pure. Whatever it completes may have written it, so nothing here is
// believed to be more than text for the line.
import type { ShellName } from "../../protocol/words/program.ts";
import { commonStart, indexOf, isText, lastWord, quotedWords, readlineStart } from "./words.ts";

/** A line and the caret in it. */
export interface Written {
  readonly text: string;
  readonly caret: number;
}

export interface Offer {
  /** As it stands in the line. */
  readonly text: string;
  /** What the shell says of it. */
  readonly about: string;
}

export interface Offered {
  /** Where in the line they begin. */
  readonly from: number;
  readonly offers: readonly Offer[];
  /** The line after Tab. Null: the shell has to be asked for it. */
  readonly becomes: Written | null;
}

const NONE: Offered = { from: 0, offers: [], becomes: null };
/** A shell puts nothing behind a word that goes on. */
const FISH_GOES_ON = /[/=@:.,-]$/;

export function readOffers(shell: ShellName, answer: string, line: Written): Offered {
  const found = READERS[shell](answer, line);
  return { ...found, offers: each(found.offers) };
}

const READERS: Record<ShellName, (answer: string, line: Written) => Offered> = {
  bash: fromReadline,
  zsh: fromCompsys,
  fish: fromFish,
};

/** The line after Tab, as bash tells it. Null: it says nothing that can be true. */
export function readTab(answer: string, line: Written, from: number): Written | null {
  const [, became = "", point = ""] = answer.split("\0");
  return changed(line, from, became, point);
}

/** Tab changes what stands between `from` and the caret, and nothing else. Null: this does more. */
function changed({ text, caret }: Written, from: number, became: string, point: string): Written | null {
  const [head, tail] = [text.slice(0, from), text.slice(caret)];
  const isOnly = became.startsWith(head) && became.slice(head.length).endsWith(tail);
  return isOnly && isText(became) ? { text: became, caret: indexOf(became, Number(point)) } : null;
}

/** The line with another text in place of what stands between `from` and the caret. */
export function put({ text, caret }: Written, from: number, instead: string): Written {
  return { text: text.slice(0, from) + instead + text.slice(caret), caret: from + instead.length };
}

/** As a shell does it: what is common to all, if that is more than is written. */
export function extended(line: Written, { from, offers }: Pick<Offered, "from" | "offers">): Written {
  const start = commonStart(offers.map(({ text }) => text));
  return start.startsWith(line.text.slice(from, line.caret)) ? put(line, from, start) : line;
}

/** The word breaks, the line with every match in place of the word, and the place after them. */
function fromReadline(answer: string, line: Written): Offered {
  const [breaks = "", became = "", point = ""] = answer.split("\0");
  const before = line.text.slice(0, line.caret);
  const from = readlineStart(before, breaks);
  const end = indexOf(became, Number(point));
  if (became === line.text || !became.startsWith(before.slice(0, from))) return NONE;
  const offers = quotedWords(became.slice(from, end)).map((text) => ({ text, about: "" }));
  return { from, offers, becomes: null };
}

/** The place of the word, an open quote, the line and the place after Tab; then text, what is shown and the match, of each. */
function fromCompsys(answer: string, line: Written): Offered {
  const [place = "", quote = "", became = line.text, point = "", ...rest] = answer.split("\0");
  const from = Math.min(indexOf(line.text, Number(place)), line.caret);
  const offers: Offer[] = [];
  for (let at = 0; at + 2 < rest.length; at += 3) {
    const [text = "", shown = "", match = ""] = rest.slice(at, at + 3);
    const about = shown.startsWith(match) ? shown.slice(match.length) : shown;
    offers.push({ text: quote + text, about: about.replace(/^\s+(?:--\s+)?/, "").trim() });
  }
  return { from, offers, becomes: (place !== "" && changed(line, from, became, point)) || line };
}

/** Lines of a match and what is said of it. */
function fromFish(answer: string, line: Written): Offered {
  const { from } = lastWord(line.text.slice(0, line.caret), " \t\n;|&<>()");
  const offers = each(
    answer.split("\n").map((row) => {
      const [text = "", about = ""] = row.split("\t");
      return { text, about };
    }),
  );
  const [only] = offers;
  if (!only || offers.length > 1) return { from, offers, becomes: extended(line, { from, offers }) };
  const quote = /^['"]/.exec(only.text)?.[0] ?? "";
  const isOpen = quote !== "" && !only.text.slice(1).endsWith(quote);
  const whole = FISH_GOES_ON.test(only.text) ? only.text : `${only.text}${isOpen ? quote : ""} `;
  return { from, offers, becomes: put(line, from, whole) };
}

/** Each text once, with the first thing that is said of it. */
function each(offers: readonly Offer[]): Offer[] {
  const known = new Map<string, Offer>();
  for (const offer of offers) {
    const before = known.get(offer.text);
    if (isText(offer.text) && offer.text !== "" && (!before || (before.about === "" && offer.about !== "")))
      known.set(offer.text, { text: offer.text, about: isText(offer.about) ? offer.about : "" });
  }
  return [...known.values()];
}
