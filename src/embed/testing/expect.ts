// An `expect` of our own, which needs no test runner: it rejects with an error that any runner prints.
import type { GoldenOptions } from "./golden.ts";
import { callingFile } from "./golden-files.ts";
import { Locator } from "./locator.ts";
import { locatorMatchers, type MatcherContext, type MatcherResult, termMatchers } from "./matchers.ts";
import type { Subject, Waiting } from "./subject.ts";

/** What can be expected of a terminal. Every expectation waits until it holds. */
export interface TermExpectations {
  /** The text is on the screen. */
  toShow(text: string | RegExp, options?: Waiting): Promise<void>;
  /** The program has ended, with this code if one is given. */
  toHaveExited(code?: number, options?: Waiting): Promise<void>;
  /** The screen is that of the golden file with this name. */
  toMatchScreen(name: string, options?: GoldenOptions & Waiting): Promise<void>;
}

/** What can be expected of a place on the screen. */
export interface LocatorExpectations {
  /** It is there, at least once. */
  toBeVisible(options?: Waiting): Promise<void>;
  toHaveCount(count: number, options?: Waiting): Promise<void>;
  /** There is one, and this is all of its text, or a pattern in it. */
  toHaveText(text: string | RegExp, options?: Waiting): Promise<void>;
  /** There is one, and all of its text has these styles: "bold", "reverse", "green", "bg-4", "#ff0000" … */
  toHaveStyle(style: string | readonly string[], options?: Waiting): Promise<void>;
}

/** An expectation that did not come true, with a picture of the screen. */
export class ScreenError extends Error {
  override readonly name = "ScreenError";
}

export function expect(subject: Locator): LocatorExpectations & { readonly not: LocatorExpectations };
export function expect(subject: Subject): TermExpectations & { readonly not: TermExpectations };
export function expect(subject: Subject | Locator): unknown {
  return { ...checksOf(subject, false), not: checksOf(subject, true) };
}

type Matcher = (this: MatcherContext, subject: unknown, ...args: unknown[]) => Promise<MatcherResult>;

function checksOf(subject: Subject | Locator, isNot: boolean): Record<string, unknown> {
  const named = Object.entries(subject instanceof Locator ? locatorMatchers : termMatchers) as [string, Matcher][];
  return Object.fromEntries(
    named.map(([name, matcher]) => {
      const check = async (...args: unknown[]) => {
        // Where the test stands is known only now, before anything is waited for.
        const place: { stack?: string } = {};
        Error.captureStackTrace(place, check);
        const { pass, message } = await matcher.call({ isNot, testPath: callingFile(place.stack) }, subject, ...args);
        if (pass === isNot) throw errorAt(message(), place.stack);
      };
      return [name, check];
    }),
  );
}

function errorAt(message: string, stack = ""): ScreenError {
  const error = new ScreenError(message);
  error.stack = `${error.name}: ${message}${stack.slice(stack.indexOf("\n"))}`;
  return error;
}
