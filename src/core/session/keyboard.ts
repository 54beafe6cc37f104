// Types for a caller: one send after the other, encoded by the terminal's modes, with Enter sent apart where a
// program would read it as part of a paste. Owns: the order of sends. Refuses: to decide who may type; the gate does that.
import type { Cancelled } from "../base/cancellation.ts";
import { columnOf } from "../base/cell-width.ts";
import type { Clock } from "../base/clock.ts";
import { type Fault, fault, isFault } from "../base/fault.ts";
import { CELL_PX } from "../base/image/cells.ts";
import type { Actor } from "../gate/actor.ts";
import type { Gate } from "../gate/gate.ts";
import type { Sequel, Typed } from "../gate/prompt-keys.ts";
import type { Intent } from "../gate/settle.ts";
import type { Redactor } from "../redact/redactor.ts";
import { hiddenView } from "../screen/hidden.ts";
import { encodeInput, type InputSpec } from "../screen/input/input.ts";
import type { Playback } from "./playback.ts";
import type { Program } from "./program.ts";

/** Programs that read a burst of keys as a paste (such as Ink) accept Enter as a key again after this long. */
const ENTER_GAP_MS = 100;
/** On a busy machine a program has not read the text by then. So long it may take. */
const ENTER_GAPS_MAX = 20;
/** These programs read every key separately, so they need no gap. */
const NO_GAP = new Set(
  "bash zsh fish sh dash ksh vim nvim vi view less more man nano emacs htop top git tmux psql sqlite3 mysql python3 python node-repl ssh mc".split(
    " ",
  ),
);

/** The kernel keeps 4,096 bytes of a line for a program that reads lines, and drops the rest without a word. */
export const LINE_BYTES_MAX = 4_095;
const LINE_ENDS = [0x04, 0x0a, 0x0d];

interface KeyboardParts {
  readonly clock: Clock;
  readonly gate: Gate;
  readonly program: Pick<Program, "quickProbe" | "probe">;
}

/** One call's input. */
interface Send {
  readonly actor: Actor;
  readonly input: InputSpec;
  readonly intent: Intent;
  /** What an agent looks through: it clicks on text that it may see. */
  readonly eyes?: Redactor | undefined;
  readonly cancelled?: Cancelled | undefined;
}

export class Keyboard {
  #parts: KeyboardParts;
  #last: Record<"agent" | "person", Promise<unknown>> = { agent: Promise.resolve(), person: Promise.resolve() };

  constructor(parts: KeyboardParts) {
    this.#parts = parts;
  }

  /** `ready` runs right before the first byte is written, so that nothing which follows from it can be missed. */
  type(playback: Playback, send: Send, ready: () => Fault | undefined): Promise<Fault | "typed" | "shut"> {
    return this.#inTurn(send.actor, () => this.#type(playback, send, ready));
  }

  /** Types something and goes on by what comes of it. No other send comes between. `before` runs right before the first byte. */
  lead(
    { actor, intent, cancelled }: Omit<Send, "input">,
    bytes: Uint8Array,
    before: () => Fault | undefined,
    sequel: Sequel,
  ): Promise<Typed> {
    const { gate } = this.#parts;
    return this.#inTurn(actor, async () => {
      if (actor.kind === "agent") return gate.agentLane.keys(actor, bytes, intent, { cancelled, before, sequel });
      const press = async (more: Uint8Array, late: () => Fault | undefined) => late() ?? gate.submit(actor, more);
      const typed = await press(bytes, before);
      return typed === "written" ? sequel.run(press) : typed;
    });
  }

  #inTurn<T>({ kind }: Actor, work: () => Promise<T>): Promise<T> {
    // A person never waits for an agent or its question.
    const lane = kind === "agent" ? "agent" : "person";
    const turn = this.#last[lane].then(work);
    this.#last[lane] = turn.catch(() => undefined);
    return turn;
  }

  async #type(playback: Playback, send: Send, ready: () => Fault | undefined): Promise<Fault | "typed" | "shut"> {
    const { actor, input, eyes } = send;
    const parts = await this.#parted(playback, input);
    const encoded: Uint8Array[] = [];
    for (const part of parts) {
      const view = playback.view();
      const { rows } = eyes && part.mouse ? hiddenView(view, eyes) : view;
      const bytes = encodeInput(part, playback.modes(), { size: playback.size, rows, columnOf, cell_px: CELL_PX });
      if (isFault(bytes)) return bytes;
      encoded.push(bytes);
    }
    const cut = await this.refusesLong(encoded);
    if (cut) return cut;
    for (const [i, bytes] of encoded.entries()) {
      const before = i === 0 ? ready : () => undefined;
      if (i > 0) await this.gap();
      const { intent, cancelled } = send;
      const pasted = input.paste !== undefined;
      const { gate } = this.#parts;
      const typed =
        actor.kind === "agent"
          ? await gate.agentLane.keys(actor, bytes, intent, { cancelled, before, pasted })
          : (before() ?? gate.submit(actor, bytes));
      if (typed !== "written") return typed;
    }
    return "typed";
  }

  /** Until the program has read what was typed, and waits for keys again. */
  async gap(): Promise<void> {
    for (let gaps = 0; gaps < ENTER_GAPS_MAX; gaps += 1) {
      await new Promise<void>((resolve) => void this.#parts.clock.after(ENTER_GAP_MS, resolve));
      if ((await this.#parts.program.probe()).activity.reading !== "no") return;
    }
  }

  /** Why these bytes would not arrive whole. Undefined at once: nothing in them is long. */
  refusesLong(pieces: readonly Uint8Array[]): Promise<Fault | undefined> | undefined {
    const longest = Math.max(...pieces.map(longestLine));
    return longest <= LINE_BYTES_MAX ? undefined : this.#wouldBeCut(longest);
  }

  /** Shells at their prompt and full-screen programs read keys. Others read lines. */
  async #wouldBeCut(longest: number): Promise<Fault | undefined> {
    if ((await this.#parts.program.quickProbe()).echo === "raw") return undefined;
    const what = `a line of ${longest} bytes would be cut: a program that reads lines gets at most ${LINE_BYTES_MAX}`;
    return fault(
      "input.invalid",
      what,
      "Send shorter lines, or write the text to a file and name that. Nothing was typed.",
    );
  }

  /** In one piece, or in two: the text, and the Enter after it. */
  async #parted(playback: Playback, input: InputSpec): Promise<InputSpec[]> {
    const { text = "", keys = [], paste, mouse } = input;
    const endsInEnter = text.length > 1 && /[^\n\r][\n\r]$/.test(text) && paste === undefined && keys.length === 0;
    const entersAfter = (text !== "" || paste !== undefined) && /^(enter|return)$/i.test(keys[0] ?? "");
    if (mouse || !(endsInEnter || entersAfter) || !(await this.#takesBurstsForPastes(playback))) return [input];
    if (entersAfter) return [withoutUndefined({ text, paste }), { keys }];
    return [{ text: text.slice(0, -1) }, { keys: ["Enter"] }];
  }

  async #takesBurstsForPastes(playback: Playback): Promise<boolean> {
    if (!playback.modes().bracketed_paste) return false;
    const { echo, foreground } = await this.#parts.program.quickProbe();
    return echo === "raw" && foreground !== null && !NO_GAP.has(foreground.name);
  }
}

function longestLine(bytes: Uint8Array): number {
  let [longest, length] = [0, 0];
  for (const byte of bytes) {
    length = LINE_ENDS.includes(byte) ? 0 : length + 1;
    longest = Math.max(longest, length);
  }
  return longest;
}

function withoutUndefined({ text, paste }: { text: string; paste: string | undefined }): InputSpec {
  return { ...(text === "" ? {} : { text }), ...(paste === undefined ? {} : { paste }) };
}
