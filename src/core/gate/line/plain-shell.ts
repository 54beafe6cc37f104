// A whole line that an agent types to a shell without marks (sh, dash, a nested bash) at its prompt. It is judged like any line. One
// that may run in a box is not typed: the shell gets the name of a program of ours instead, which runs the line in a box. So
// nothing of the agent's is read outside a box, also where the shell is not at its prompt after all. All else stays a
// question about keys. Owns: which agent began what such a shell runs, and which was told.
import type { Fault } from "../../base/fault.ts";
import { Utf8 } from "../../base/utf8.ts";
import type { Probe } from "../../journal/holding.ts";
import { type Actor, actorName } from "../actor.ts";
import { anotherProgram, type Foreground, type Place } from "../key-reader.ts";
import type { Verdict } from "../policy.ts";
import { isShell } from "../program-names.ts";
import type { JudgedLine } from "../verdicts.ts";
import type { LineVerdicts } from "./line-verdicts.ts";

export interface PlainShellParts {
  place(): Place;
  /** The folder of a process that is a shell of this machine and this user, with no script to run. Null: it is not certain. */
  plainShell(pid: number): string | null;
  /** Somebody may have typed half a line, to whatever is in front. */
  mayBeHalf(): boolean;
  /** Whether lines get boxes here. */
  boxing(): "on" | "none" | "missing";
  /** Lays a line out in a box for this folder, and says what to type. */
  layTyped(cwd: string, text: string): Uint8Array;
  /** The shell has started it. */
  typedBegan(): boolean;
  /** It is over, and with it its box. */
  typedOver(): void;
}

interface Kernel {
  probe(): Promise<Probe | undefined>;
  pause(ms: number): Promise<void>;
}

/** A line that the shell in front would read. */
export interface PlainLine {
  readonly text: string;
  readonly cwd: string;
  readonly pid: number;
}

/** Until then what a box keeps free stays in the folder. */
const LOOK_MS = 500;

const ENTERS = /[\r\n]$/;
/** Anything else might be a key. */
const TEXT = /^[^\p{Cc}\p{Cf}\ufffd]+$/u;

export class PlainShell {
  #parts: PlainShellParts;
  #verdicts: LineVerdicts;
  /** Agents whose lines were laid out here, and whether they were told what that means. */
  #told = new Map<string, boolean>();
  #began: { readonly who: string; readonly block_id: string | null } | undefined;

  constructor(parts: PlainShellParts, verdicts: LineVerdicts) {
    [this.#parts, this.#verdicts] = [parts, verdicts];
  }

  /** Undefined: it is no whole line, or it is not certain who would read it, and that nothing stands before it. */
  lineIn(bytes: Uint8Array, front: Foreground, { foreground, activity, echo }: Probe): PlainLine | undefined {
    const { frontBox, nested } = this.#parts.place();
    if (front.atPrompt || !foreground || nested || frontBox !== "none" || this.#parts.boxing() !== "on")
      return undefined;
    if (echo === "off" || activity.reading === "no" || activity.reading === "unknown") return undefined;
    if (!isShell(foreground.name) || this.#parts.mayBeHalf()) return undefined;
    const utf8 = new Utf8();
    const typed = utf8.text(bytes) + utf8.end();
    const text = typed.slice(0, -1);
    if (!ENTERS.test(typed) || !TEXT.test(text) || text.trim() === "") return undefined;
    const cwd = this.#parts.plainShell(foreground.pid);
    return cwd === null ? undefined : { text, cwd, pid: foreground.pid };
  }

  judge({ text, cwd }: PlainLine, who: string, confidence: number | null, echo: Probe["echo"]): JudgedLine {
    const there = { ...this.#parts.place(), cwd, shell: "bash", box: "line", nested: null } as const;
    const intent = confidence === null ? {} : { confidence };
    return this.#verdicts.inPlace(text, { who, intent, echo, isPermitted: false }, there);
  }

  /** Why it may not be entered now: the shell is elsewhere, or somebody typed meanwhile. */
  moved({ pid, cwd }: PlainLine): Fault | undefined {
    return this.#parts.mayBeHalf() || this.#parts.plainShell(pid) !== cwd ? anotherProgram() : undefined;
  }

  /** What to type. */
  laidOut({ text, cwd }: PlainLine, actor: Actor): Uint8Array {
    const who = actorName(actor);
    if (!this.#told.has(who)) this.#told.set(who, false);
    this.#began = { who, block_id: this.#parts.place().block_id };
    return this.#parts.layTyped(cwd, text);
  }

  /** Whether this agent is to be told now that nothing of its line stays. Once. */
  tells(who: string): boolean {
    if (this.#told.get(who) !== false) return false;
    this.#told.set(who, true);
    return true;
  }

  /** Until the shell reads again. Nothing tells the end of a command there. */
  async whenOver({ pid }: PlainLine, kernel: Kernel): Promise<void> {
    for (;;) {
      await kernel.pause(LOOK_MS);
      const probe = await kernel.probe();
      if (!probe) return;
      const isBack = probe.foreground?.pid === pid && probe.activity.reading !== "no";
      if (isBack && this.#parts.typedBegan()) return this.#parts.typedOver();
      // Nobody reads it any more.
      if (this.#parts.plainShell(pid) === null) return;
    }
  }

  /** Other keys. After somebody else's nobody knows whose the program in front is. */
  others(bytes: Uint8Array, actor: Actor): Uint8Array {
    if (!this.began(actorName(actor))) this.forget();
    return bytes;
  }

  forget(): void {
    this.#began = undefined;
  }

  /** Whether what is in front comes of this agent's line, or is the shell that waits for the next. */
  began(who: string): boolean {
    return this.#began?.who === who && this.#began.block_id === this.#parts.place().block_id;
  }
}

/** It runs in a box, or a rule forbids it. A person is asked about all else as keys to the shell. */
export function isSettled({ do: decision, where }: Verdict): boolean {
  return decision === "deny" || (decision === "allow" && where === "box");
}
