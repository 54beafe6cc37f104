// What is on this terminal while a session is drawn into it. Owns: the rows on it and the modes that were set, so
// that only differences are written. Refuses: to decide what to show.
import { MOUSE_OFF, MOUSE_ON } from "../../protocol/plain/mouse-modes.ts";
import type { Paint } from "../../protocol/stream.ts";

export interface Drawing {
  /** One per terminal row, each wide enough or ending in an erase. */
  readonly rows: readonly string[];
  /** The cursor's place on the terminal, or undefined when hidden. */
  readonly cursor: { readonly row: number; readonly col: number } | undefined;
}

export type OuterModes = Paint["modes"];

/** The alternate screen without wrapping. Bracketed paste is on, so that we can tell pastes from keys. */
const OPEN = "\x1b[?1049h\x1b[?7l\x1b[?2004h\x1b[m\x1b[2J";
const FRAME_BEGIN = "\x1b[?2026h\x1b[?25l";
const FRAME_END = "\x1b[?2026l";
/** We always use this format, because it has no size limit. The program gets its own format. */
const MOUSE_SGR = "\x1b[?1006h";

export class OuterScreen {
  #rows: readonly string[] = [];
  #cursor = "";
  #modes: OuterModes | undefined;
  #pushedKitty = false;
  #isOpen = false;

  open(): string {
    this.#isOpen = true;
    return OPEN;
  }

  /** The bytes that make the terminal show this, or empty when it already does. */
  draw({ rows, cursor }: Drawing): string {
    const changed = rows.map((text, row) => (text === this.#rows[row] ? "" : `\x1b[${row + 1};1H\x1b[m${text}\x1b[m`));
    const place = cursor ? `\x1b[${cursor.row + 1};${cursor.col + 1}H\x1b[?25h` : "";
    const body = changed.join("");
    if (body === "" && place === this.#cursor && rows.length === this.#rows.length) return "";
    this.#rows = rows;
    this.#cursor = place;
    return `${FRAME_BEGIN}${body}${place}${FRAME_END}`;
  }

  /** The terminal has a new size, so its old content does not count. */
  resized(): string {
    this.#rows = [];
    return "\x1b[m\x1b[2J";
  }

  /** The program's modes on this terminal, so that keys and the mouse arrive as it wants them. */
  mirror(modes: OuterModes): string {
    const before = this.#modes;
    this.#modes = modes;
    const dec = (number: number, mode: "application_cursor" | "focus") => {
      const is = modes[mode] ?? false;
      return is === (before?.[mode] ?? false) ? "" : `\x1b[?${number}${is ? "h" : "l"}`;
    };
    const keypad = modes.application_keypad === (before?.application_keypad ?? false);
    const mouse = modes.mouse === (before?.mouse ?? "none");
    return (
      dec(1, "application_cursor") +
      (keypad ? "" : modes.application_keypad ? "\x1b=" : "\x1b>") +
      (mouse ? "" : MOUSE_OFF + MOUSE_ON[modes.mouse] + (modes.mouse === "none" ? "" : MOUSE_SGR)) +
      dec(1004, "focus") +
      this.#kitty(modes.kitty_keyboard, before?.kitty_keyboard ?? 0)
    );
  }

  /** Undoes all of it. The keyboard stack belongs to the alternate screen, so it goes first. */
  get close(): string {
    if (!this.#isOpen) return "";
    const keys = this.#pushedKitty ? "\x1b[<u" : "";
    return `${keys}${MOUSE_OFF}\x1b[?1004l\x1b[?2004l\x1b[?2026l\x1b[?1l\x1b>\x1b[?7h\x1b[m\x1b[?25h\x1b[?1049l\r`;
  }

  #kitty(flags: number, before: number): string {
    if (flags === before) return "";
    const push = this.#pushedKitty ? "" : "\x1b[>0u";
    this.#pushedKitty = true;
    return `${push}\x1b[=${flags};1u`;
  }
}
