// The half line at a shell's prompt: somebody typed it and nobody has entered it. Owns: what viewers were told of it. It is read
// from the screen, for people to see; who acts on it asks the shell (shell-lines.ts).
import type { ShellName } from "../../protocol/words/program.ts";
import { indexAt } from "../base/cell-width.ts";
import type { Clock } from "../base/clock.ts";
import type { Screen } from "../screen/screen.ts";
import type { Frame } from "../viewer/viewer.ts";
import { Fresh } from "./nested/fresh.ts";

/** Typing is looked at in short rests. */
const LOOK_MS = 60;
/** On a busy machine a shell may take this long to read and show what was typed ahead of its prompt. */
const AHEAD_MS = 5_000;
const ENTERS: ReadonlySet<number> = new Set([0x0a, 0x0d]);
/** Ctrl+C drops the line at every shell's prompt. */
const DROPS = 0x03;

/** The typist where nobody has typed yet. */
const NOBODY = "program";

interface HalfLineParts {
  readonly clock: Clock;
  shell(): ShellName | null;
  /** Undefined while no engine is in memory. */
  screen(): Screen | undefined;
  atPrompt(): boolean;
  /** Who typed last. */
  typist(): string;
  tell(frame: Frame): void;
}

interface Prompt {
  readonly text: string;
  readonly cols: number;
}

export class HalfLine {
  #parts: HalfLineParts;
  #text = "";
  #actor = "";
  #prompt: Prompt = { text: "", cols: 0 };
  /** Keys may stand at this prompt, or at the next: a line that was typed ahead begins without them. */
  #isTyped = false;
  /** Keys came after the newest Enter. */
  #isOpen = false;
  #newest = 0;
  /** When the newest prompt came at which nobody has typed yet. */
  #promptedAt: number | undefined;
  #cancel: (() => void) | undefined;

  #fresh: Fresh;

  constructor(parts: HalfLineParts) {
    this.#parts = parts;
    this.#fresh = new Fresh(parts.typist() !== NOBODY);
  }

  /** What is in front has been left alone since its command began. */
  get isFresh(): boolean {
    return this.#fresh.is;
  }

  /** Empty: there is none. What was told lately counts: while bash answers us, it has taken the line off the screen. */
  get now(): { readonly text: string; readonly actor: string } {
    if (this.#text === "") this.#look();
    return { text: this.#text, actor: this.#actor };
  }

  /** Keys came after the newest Enter, to whatever was in front: there may be a half line, also where no prompt is marked. */
  get mayBe(): boolean {
    return this.#isOpen && this.#newest !== DROPS;
  }

  /** Who typed it. Where it cannot be seen, who typed last. */
  get owner(): string {
    return this.now.text === "" ? this.#parts.typist() : this.#actor;
  }

  get frame(): Frame {
    return { type: "line", text: this.#text, actor: this.#actor };
  }

  typed(bytes: Uint8Array): void {
    this.#fresh.typed(bytes, this.#isRested && this.#parts.atPrompt());
    this.#isTyped = true;
    this.#newest = bytes.at(-1) ?? 0;
    this.#isOpen = !ENTERS.has(this.#newest);
    this.#promptedAt = undefined;
    this.turned();
  }

  /** The screen has changed. */
  turned(): void {
    if (!this.#isTyped || this.#cancel) return;
    this.#cancel = this.#parts.clock.after(LOOK_MS, () => {
      this.#cancel = undefined;
      this.#look();
    });
  }

  /** The shell shows a prompt. */
  prompted(): void {
    this.#fresh.prompted();
    const screen = this.#parts.screen();
    if (screen) this.#prompt = promptIn(screen);
    this.#promptedAt = this.#parts.clock.monotonic();
    this.turned();
  }

  /** A line of ours runs before it. */
  waits(): void {
    this.#isOpen = this.now.text !== "";
  }

  /** It was entered. Keys that came after it are still to be read. */
  entered(run_id: string | null): void {
    this.#fresh.began(run_id !== null, ENTERS.has(this.#newest));
    this.#promptedAt = undefined;
    this.#isTyped &&= this.#isOpen;
    this.#set("");
  }

  /** It was taken away. */
  gone(): void {
    this.#isTyped = false;
    this.#set("");
  }

  stop(): void {
    this.#cancel?.();
  }

  /** Nobody has typed at this prompt, for so long that the shell has read all that was typed ahead. */
  get #isRested(): boolean {
    return this.#promptedAt !== undefined && this.#parts.clock.monotonic() - this.#promptedAt > AHEAD_MS;
  }

  #look(): void {
    // What comes this late was printed, for example by a background job.
    if (this.#text === "" && this.#isRested) this.#isTyped = false;
    const screen = this.#isTyped && this.#parts.atPrompt() ? this.#parts.screen() : undefined;
    this.#set(screen ? typedText(screen, this.#parts.shell(), this.#prompt) : "");
  }

  #set(text: string): void {
    if (text === this.#text) return;
    [this.#text, this.#actor] = [text, text === "" ? "" : this.#parts.typist()];
    this.#parts.tell(this.frame);
  }
}

/** The prompt in the row of the cursor. Blanks at its end are not among the row's cells, but they have columns. */
function promptIn(screen: Screen): Prompt {
  const { rows, cursor } = screen.state();
  const input = screen.zones().findLast(({ row, zone }) => row === cursor.row && zone === "input");
  const row = rows[cursor.row] ?? "";
  const cols = input?.from ?? cursor.col;
  return { text: row.slice(0, indexAt(row, cols)).trimEnd(), cols };
}

/**
 * The typed cells of the line that the cursor is in. A shell that draws its prompt again, for example for another width,
 * does not mark it as one. zsh and fish show suggestions after the cursor.
 */
function typedText(screen: Screen, shell: ShellName | null, prompt: Prompt): string {
  const { rows, wraps } = screen.view();
  const { cursor } = screen.state();
  let first = cursor.row;
  while (first > 0 && wraps[first - 1]) first -= 1;
  let last = cursor.row;
  if (shell === "bash") while (wraps[last]) last += 1;
  const spans = screen.zones().filter(({ row, zone }) => zone === "input" && row >= first && row <= last);
  const text = spans
    .map(({ row, from, to }) => {
      const cells = rows[row] ?? "";
      const end = shell !== "bash" && row === cursor.row ? Math.min(to, cursor.col) : to;
      return cells.slice(indexAt(cells, from), indexAt(cells, end));
    })
    .join("");
  const isDrawnAgain = spans[0]?.from === 0 && prompt.cols > 0 && text.startsWith(prompt.text);
  return isDrawnAgain ? text.slice(indexAt(text, prompt.cols)) : text;
}
