// A place on a terminal's screen that is looked for anew whenever it is used. Strict: what acts on it wants exactly one.
import { type Picture, type Rect, styleOf } from "./picture.ts";
import { type RoleOptions, resolve, type Step, stepsText, type TextOptions } from "./query.ts";
import { checkRole, type Found, type Role } from "./roles.ts";
import { failed, type Subject, type Waiting } from "./subject.ts";

export class Locator {
  /** The terminal that it is on. */
  readonly term: Subject;
  readonly #steps: readonly Step[];

  constructor(term: Subject, steps: readonly Step[]) {
    this.term = term;
    this.#steps = steps;
    const last = steps.at(-1);
    if (last?.by === "role") checkRole(last.role);
  }

  /** Text inside of it. */
  getByText(text: string | RegExp, { exact = false }: TextOptions = {}): Locator {
    return this.#then({ by: "text", wanted: text, exact });
  }

  /** A zone inside of it. */
  getByRole(role: Role, { name }: RoleOptions = {}): Locator {
    return this.#then({ by: "role", role, name });
  }

  /** The one at this place in reading order; -1 is the last. */
  nth(index: number): Locator {
    return this.#then({ by: "index", index });
  }

  first(): Locator {
    return this.nth(0);
  }

  last(): Locator {
    return this.nth(-1);
  }

  /** How many there are now. It does not wait. */
  async count(): Promise<number> {
    return this.foundIn(await this.term.look()).length;
  }

  /** Where it is, once there is exactly one. */
  async rect(options: Waiting = {}): Promise<Rect> {
    const { found } = await this.#one(options);
    if (!found.rect) throw new Error(`${this} has no place on the screen`);
    return found.rect;
  }

  async text(options: Waiting = {}): Promise<string> {
    return (await this.#one(options)).found.text;
  }

  /** The words for its style that all of its text has: bold, reverse, fg-2 … */
  async style(options: Waiting = {}): Promise<string[]> {
    const { found, picture } = await this.#one(options);
    return found.rect ? styleOf(picture, found.rect) : [];
  }

  /** Clicks on its middle, where the program uses the mouse. */
  async click({ button = "left", ...options }: Waiting & { readonly button?: "left" | "middle" | "right" } = {}) {
    const { row, col, width, height } = await this.rect(options);
    const at = { row: row + Math.floor((height - 1) / 2), col: col + Math.floor((width - 1) / 2) };
    await this.term.mouse({ action: "click", button, at });
  }

  /** All places in a picture. */
  foundIn(picture: Picture): Found[] {
    return resolve(picture, this.#steps);
  }

  /** The text that it looks for, if it does. */
  get wantedText(): string | undefined {
    const step = this.#steps.findLast(({ by }) => by === "text");
    return step?.by === "text" && typeof step.wanted === "string" ? step.wanted : undefined;
  }

  toString(): string {
    return `term.${stepsText(this.#steps)}`;
  }

  #then(step: Step): Locator {
    return new Locator(this.term, [...this.#steps, step]);
  }

  async #one({ timeout = this.term.timeout }: Waiting) {
    const { picture } = await this.term.until((now) => this.foundIn(now).length === 1, timeout);
    const all = this.foundIn(picture);
    const [found] = all;
    if (found && all.length === 1) return { found, picture };
    const problem = found ? "one is wanted, and there are more (use first, last or nth)" : "it is not there";
    const facts = placesFacts(all);
    throw new Error(await failed(this.term, { call: `${this}`, problem, facts, picture }));
  }
}

/** More places than these tell nothing new. */
const PLACES_MAX = 5;

/** Where all that was found is. */
export function placesFacts(all: readonly Found[]): (readonly [string, string])[] {
  const lines = all.slice(0, PLACES_MAX).map(({ text, rect }) => {
    const where = rect ? ` in row ${rect.row}, column ${rect.col}` : "";
    return `${JSON.stringify(text)}${where}`;
  });
  const more = all.length > PLACES_MAX ? [`and ${all.length - PLACES_MAX} more`] : [];
  return all.length === 0 ? [] : [["found", [...lines, ...more].join("\n")]];
}
