// What can be expected of a terminal or a place on it, each judged by one picture. Pure.
import { nearestFact } from "./failure.ts";
import { type Locator, placesFacts } from "./locator.ts";
import { type Picture, styleOf } from "./picture.ts";
import { includes, resolve, wantedText } from "./query.ts";
import { styleWord } from "./style-names.ts";
import { type Exit, exitText } from "./subject.ts";

type Facts = readonly (readonly [name: string, text: string])[];

export interface Claim {
  /** As it was written, such as toShow("x"). */
  readonly words: string;
  holds(picture: Picture): boolean;
  /** What a failure tells besides the screen. */
  facts(picture: Picture): Facts;
}

export function shows(wanted: string | RegExp): Claim {
  const found = (picture: Picture) => resolve(picture, [{ by: "text", wanted, exact: false }]);
  return {
    words: `toShow(${wantedText(wanted)})`,
    holds: (picture) => found(picture).length > 0,
    facts: (picture) => {
      const all = found(picture);
      const near = typeof wanted === "string" && all.length === 0 ? nearestFact(picture, wanted) : [];
      return [["looked for", wantedText(wanted)], ...near, ...placesFacts(all)];
    },
  };
}

/** `exit` is asked for after the picture was taken. */
export function hasExited(code: number | undefined, exit: () => Exit | undefined): Claim {
  return {
    words: `toHaveExited(${code ?? ""})`,
    holds: ({ isOver }) => isOver && (code === undefined || exit()?.code === code),
    facts: () => [["is", exitText(exit())]],
  };
}

export function isVisible(locator: Locator): Claim {
  return {
    words: "toBeVisible()",
    holds: (picture) => locator.foundIn(picture).length > 0,
    facts: (picture) => {
      const all = locator.foundIn(picture);
      const wanted = locator.wantedText;
      return [...(all.length === 0 && wanted !== undefined ? nearestFact(picture, wanted) : []), ...placesFacts(all)];
    },
  };
}

export function hasCount(locator: Locator, count: number): Claim {
  return {
    words: `toHaveCount(${count})`,
    holds: (picture) => locator.foundIn(picture).length === count,
    facts: (picture) => {
      const all = locator.foundIn(picture);
      return [["count", String(all.length)], ...placesFacts(all)];
    },
  };
}

export function hasText(locator: Locator, wanted: string | RegExp): Claim {
  const matches = (text: string) => (typeof wanted === "string" ? text === wanted : includes(text, wanted));
  return {
    words: `toHaveText(${wantedText(wanted)})`,
    holds: (picture) => {
      const [found, ...others] = locator.foundIn(picture);
      return found !== undefined && others.length === 0 && matches(found.text);
    },
    facts: (picture) => strictFacts(locator, picture),
  };
}

export function hasStyle(locator: Locator, names: readonly string[]): Claim {
  const wanted = names.map(styleWord);
  const stylesIn = (picture: Picture) =>
    locator.foundIn(picture).flatMap(({ rect }) => (rect ? [styleOf(picture, rect)] : []));
  return {
    words: `toHaveStyle(${names.map((name) => JSON.stringify(name)).join(", ")})`,
    holds: (picture) => {
      const [style, ...others] = stylesIn(picture);
      return style !== undefined && others.length === 0 && wanted.every((word) => style.includes(word));
    },
    facts: (picture) => {
      const styles = stylesIn(picture).map((style) => style.join(" ") || "plain");
      return [["wanted", wanted.join(" ")], ["style", styles.join("\n") || "none"], ...strictFacts(locator, picture)];
    },
  };
}

/** These are about exactly one place. */
function strictFacts(locator: Locator, picture: Picture): Facts {
  const all = locator.foundIn(picture);
  if (all.length === 0) return [["found", "nothing"]];
  const strict = [["strict", `one is wanted, and there are ${all.length} (use first, last or nth)`]] as const;
  return [...(all.length > 1 ? strict : []), ...placesFacts(all)];
}
