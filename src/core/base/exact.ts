// Text that a person must know exactly before they agree to it: a question of an agent. Every visible word is in it, in order,
// with a bounded number of characters between. Nothing invisible is in it, and none of its own characters can be taken for our
// marks. invisible.ts has the list of what is not seen. Pure.
import { BLANK, CONTROLS, HIDDEN, hiddenMark, signOf } from "./invisible.ts";

/** Signs and brackets that we mark with. In somebody else's text they are marked themselves. */
const OWN = "⟦⟧⏎⇥\\u2400-\\u2421";
/** Nobody sees where one of these ends and the next begins, so they are shown as one gap between words. */
const GAP = ` ${CONTROLS}${HIDDEN}${BLANK}`;
/** More marks than this on one letter cover the text around it. No script needs them. */
const STACK = "\\p{M}{6,}";
const ODD = /* @__PURE__ */ new RegExp(`([${GAP}]+)|[${OWN}]|${STACK}`, "gu");
const SAME = /(.)\1*/gsu;

/** Longer runs of one character are counted. Deep indentation and an empty line or two are ordinary. */
const RUN_MAX: Readonly<Record<string, number>> = { "\n": 3, "\t": 8, " ": 40 };
const CONTROL_RUN_MAX = 3;
/** A longer gap of several kinds is told in one mark. */
const GAP_CHARS_MAX = 100;
const NAMES: Readonly<Record<string, string>> = { "\n": "newline", "\t": "tab", " ": "space" };
/** The mark of a character of OWN. */
const OWN_MARK = /^U\+(27E[67]|23CE|21E5|24[01][0-9A-F]|242[01])$/u;

/** A line end has its sign and still ends the line. */
export function exact(text: string): string {
  return text.replace(ODD, (found: string, gap: string | undefined) =>
    gap === undefined ? hiddenMark(found) : shownGap(gap),
  );
}

/** The text again, for editing. What nobody sees is left out, and a run that was counted becomes one character. */
export function editable(shown: string): string {
  return shown
    .replace(/⏎?⏎\n|⏎/gu, "\n")
    .replaceAll("⇥", "\t")
    .replace(/[\u2400-\u2421]/gu, "")
    .replace(/⟦([^⟧]*)⟧/gu, (_, mark: string) => {
      const own = OWN_MARK.exec(mark)?.[1];
      if (own !== undefined) return String.fromCodePoint(Number.parseInt(own, 16));
      return Object.entries(NAMES).find(([, name]) => mark.includes(name))?.[0] ?? "";
    });
}

function shownGap(gap: string): string {
  const runs = gap.match(SAME) ?? [];
  const each = runs.map(shownRun).join("");
  return each.length > GAP_CHARS_MAX ? counted(gap) : each;
}

function shownRun(run: string): string {
  const [char = ""] = run;
  if (run.length > (RUN_MAX[char] ?? CONTROL_RUN_MAX)) return counted(run);
  if (char === " ") return run;
  if (char === "\n") return "⏎\n".repeat(run.length);
  return char < " " || char === "\x7f" ? signOf(char).repeat(run.length) : hiddenMark(run);
}

/** "⟦300 spaces⟧", "⟦2500 × U+2800⟧", "⟦40 newlines, 90 spaces⟧". */
function counted(gap: string): string {
  const chars = [...gap];
  const usual = Object.entries(NAMES).flatMap(([char, name]) => {
    const count = chars.filter((one) => one === char).length;
    return count === 0 ? [] : [`${count} ${name}${count === 1 ? "" : "s"}`];
  });
  const rest = chars.filter((char) => NAMES[char] === undefined).join("");
  return (usual.length === 0 ? "" : `⟦${usual.join(", ")}⟧`) + hiddenMark(rest);
}
