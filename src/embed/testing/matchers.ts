// Expectations as matchers: for `expect.extend` of vitest, and for our own `expect`. They wait until they hold.
import { type Claim, hasCount, hasExited, hasStyle, hasText, isVisible, shows } from "./claims.ts";
import { type GoldenOptions, goldenDiff, goldenText } from "./golden.ts";
import { callingFile, goldenPath, updating, writeGolden } from "./golden-files.ts";
import type { Locator } from "./locator.ts";
import { readOwn } from "./own-file.ts";
import type { Picture } from "./picture.ts";
import { failed, type Subject, type Waiting } from "./subject.ts";

/** What a runner tells a matcher. */
export interface MatcherContext {
  readonly isNot?: boolean | undefined;
  /** The file of the test. */
  readonly testPath?: string | undefined;
}

export interface MatcherResult {
  readonly pass: boolean;
  message(): string;
}

type Matched = Promise<MatcherResult>;

export const termMatchers = {
  /** The text is on the screen. */
  toShow(this: MatcherContext, term: Subject, text: string | RegExp, options?: Waiting): Matched {
    return verify(term, "term", shows(text), this.isNot, options);
  },
  /** The program has ended, with this code if one is given. */
  toHaveExited(this: MatcherContext, term: Subject, code?: number, options?: Waiting): Matched {
    return verify(
      term,
      "term",
      hasExited(code, () => term.exit),
      this.isNot,
      options,
    );
  },
  /** The screen is that of the golden file with this name. */
  toMatchScreen(this: MatcherContext, term: Subject, name: string, options: GoldenOptions & Waiting = {}): Matched {
    const test = this.testPath ?? callingFile(new Error().stack);
    return matchGolden(term, goldenPath(term.screens, test, name), { ...options, name, isNot: this.isNot ?? false });
  },
};

export const locatorMatchers = {
  /** It is on the screen, at least once. */
  toBeVisible(this: MatcherContext, locator: Locator, options?: Waiting): Matched {
    return verify(locator.term, String(locator), isVisible(locator), this.isNot, options);
  },
  toHaveCount(this: MatcherContext, locator: Locator, count: number, options?: Waiting): Matched {
    return verify(locator.term, String(locator), hasCount(locator, count), this.isNot, options);
  },
  /** There is one, and this is all of its text, or a pattern in it. */
  toHaveText(this: MatcherContext, locator: Locator, text: string | RegExp, options?: Waiting): Matched {
    return verify(locator.term, String(locator), hasText(locator, text), this.isNot, options);
  },
  /** There is one, and all of its text has these styles: "bold", "reverse", "green", "bg-4", "#ff0000" … */
  toHaveStyle(this: MatcherContext, locator: Locator, style: string | readonly string[], options?: Waiting): Matched {
    const names = typeof style === "string" ? style.split(" ") : style;
    return verify(locator.term, String(locator), hasStyle(locator, names), this.isNot, options);
  },
};

/** All of them, for `expect.extend`. */
export const matchers = { ...termMatchers, ...locatorMatchers };

/** Waits until the claim holds, or with `not` until it does not. */
async function verify(
  subject: Subject,
  name: string,
  claim: Claim,
  isNot = false,
  { timeout = subject.timeout }: Waiting = {},
): Promise<MatcherResult> {
  const { picture, held } = await subject.until((now) => claim.holds(now) !== isNot, timeout);
  if (held) return passed(isNot);
  const call = `expect(${name})${isNot ? ".not" : ""}.${claim.words}`;
  return refused(subject, isNot, {
    call,
    problem: problemOf(picture, isNot, timeout),
    facts: claim.facts(picture),
    picture,
  });
}

function problemOf({ isOver }: Picture, isNot: boolean, timeout: number): string {
  const when = isOver ? "and the program has ended" : `after ${timeout} ms`;
  return isNot ? `it still does, ${when}` : `it does not, ${when}`;
}

interface GoldenCall extends GoldenOptions, Waiting {
  readonly name: string;
  readonly isNot: boolean;
}

async function matchGolden(subject: Subject, path: string, options: GoldenCall): Promise<MatcherResult> {
  const { name, isNot, timeout = subject.timeout } = options;
  const call = `expect(term)${isNot ? ".not" : ""}.toMatchScreen(${JSON.stringify(name)})`;
  const mode = updating();
  const golden = readOwn(path);
  if (!isNot && (mode === "all" || (golden === undefined && mode === "missing"))) {
    writeGolden(path, goldenText(await subject.settled(timeout), options));
    return passed(isNot);
  }
  if (golden === undefined) {
    const facts = [["file", path]] as const;
    const problem = "there is no such file (UPDATE_SCREENS=1 writes it; nothing is written where CI is set)";
    return refused(subject, isNot, { call, problem, facts, picture: await subject.look() });
  }
  const { picture, held } = await subject.until((now) => (goldenText(now, options) === golden) !== isNot, timeout);
  if (held) return passed(isNot);
  const diff = goldenDiff(golden, goldenText(picture, options)) || "none";
  const facts = [["file", `${path} (UPDATE_SCREENS=1 writes it anew)`] as const, ["differs", diff] as const];
  return refused(subject, isNot, { call, problem: problemOf(picture, isNot, timeout), facts, picture });
}

function passed(isNot: boolean): MatcherResult {
  return { pass: !isNot, message: () => "" };
}

async function refused(subject: Subject, isNot: boolean, what: Parameters<typeof failed>[1]): Promise<MatcherResult> {
  const text = await failed(subject, what);
  return { pass: isNot, message: () => text };
}
