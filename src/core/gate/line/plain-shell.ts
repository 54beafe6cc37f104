// A whole line that an agent types to a shell without marks (sh, dash, a nested bash) at its prompt. It is judged like any line. One
// that may run in a box is not typed: the shell gets the name of a program of ours instead, which runs the line in a box. So
// nothing of the agent's is read outside a box. Even a harmless name would complete a person's half command or answer a
// question, so it is typed only where the shell certainly stands at an empty prompt. All else stays a question about keys.
// Owns: which agent's line such a shell ran last, whether anybody has typed since, and which agent was told.
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
  /** Nobody has typed since the command in front began, or anything more than that command before. */
  isFresh(): boolean;
  /** What stands before the cursor. Null: another screen is shown, or none is known. */
  beforeCursor(): string | null;
  /** The session's own program. */
  leader(): number | null;
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
  /** The shell stands at its prompt, and the line there is empty. */
  readonly isCertain: boolean;
}

/** The line of ours that a shell ran last. */
interface Last {
  readonly who: string;
  readonly block_id: string | null;
  readonly pid: number;
  readonly instance: string | undefined;
  /** The shell has read again, and showed this. Undefined: not yet. */
  prompt?: string;
  /** Something else was typed there since. */
  isMixed: boolean;
}

/** Until then what a box keeps free stays in the folder. */
const LOOK_MS = 500;

const ENTERS = /[\r\n]$/;
/** Anything else might be a key. */
const TEXT = /^[^\p{Cc}\p{Cf}\ufffd]+$/u;
/** A shell's first prompt. A start file that asks something shows another one. */
const PROMPT = /[$#] ?$/;
const CTRL_C = 0x03;

export class PlainShell {
  #parts: PlainShellParts;
  #verdicts: LineVerdicts;
  /** Agents whose lines were laid out here, and whether they were told what that means. */
  #told = new Map<string, boolean>();
  #last: Last | undefined;
  /** The command in whose shell something of ours was typed that is no line. */
  #spoiled: string | null | undefined;

  constructor(parts: PlainShellParts, verdicts: LineVerdicts) {
    [this.#parts, this.#verdicts] = [parts, verdicts];
  }

  /** Undefined: it is no whole line, or it is not certain who would read it, and that nothing stands before it. */
  lineIn(bytes: Uint8Array, front: Foreground, probe: Probe): PlainLine | undefined {
    const { foreground, activity, echo } = probe;
    const { frontBox, nested, shell } = this.#parts.place();
    if (front.atPrompt || !foreground || nested || frontBox !== "none" || this.#parts.boxing() !== "on")
      return undefined;
    if (echo === "off" || activity.reading === "no" || activity.reading === "unknown") return undefined;
    if (!isShell(foreground.name) || this.#parts.mayBeHalf()) return undefined;
    // It marks its prompts, and this is none.
    if (shell !== null && foreground.pid === this.#parts.leader()) return undefined;
    const utf8 = new Utf8();
    const typed = utf8.text(bytes) + utf8.end();
    const text = typed.slice(0, -1);
    if (!ENTERS.test(typed) || !TEXT.test(text) || text.trim() === "") return undefined;
    const cwd = this.#parts.plainShell(foreground.pid);
    return cwd === null ? undefined : { text, cwd, pid: foreground.pid, isCertain: this.#isAtPrompt(probe) };
  }

  /** By all that happened since the shell began, not by its looks alone: a "read" may show anything. */
  #isAtPrompt(probe: Probe): boolean {
    const before = this.#parts.beforeCursor();
    if (before === null || before.trim() === "") return false;
    const last = this.#last;
    if (!last) return this.#parts.isFresh() && this.#spoiled !== this.#parts.place().block_id && PROMPT.test(before);
    this.#looked(last, probe);
    return !last.isMixed && last.prompt === before && this.#isShellOf(last, probe);
  }

  #isShellOf({ pid, instance, block_id }: Last, { foreground }: Probe): boolean {
    const isSame = foreground?.pid === pid && foreground.instance === instance;
    return isSame && block_id === this.#parts.place().block_id;
  }

  /** Notes the prompt after our line, if it is over. */
  #looked(last: Last, probe: Probe): void {
    const reads = probe.activity.reading === "blocked" || probe.activity.reading === "polled";
    if (last.prompt !== undefined || !reads || !this.#isShellOf(last, probe) || !this.#parts.typedBegan()) return;
    const before = this.#parts.beforeCursor();
    if (before !== null && before.trim() !== "") last.prompt = before;
  }

  judge({ text, cwd }: PlainLine, who: string, confidence: number | null, echo: Probe["echo"]): JudgedLine {
    const there = { ...this.#parts.place(), cwd, shell: "bash", box: "line", nested: null } as const;
    const intent = confidence === null ? {} : { confidence };
    return this.#verdicts.inPlace(text, { who, intent, echo, isPermitted: false }, there);
  }

  /** Why it may not be entered now: the shell is elsewhere, or somebody typed meanwhile. */
  moved({ pid, cwd }: PlainLine, now: Probe): Fault | undefined {
    const isMoved = this.#parts.mayBeHalf() || !this.#isAtPrompt(now) || this.#parts.plainShell(pid) !== cwd;
    return isMoved ? anotherProgram() : undefined;
  }

  /** What to type. */
  laidOut({ text, cwd, pid }: PlainLine, actor: Actor, { foreground }: Probe): Uint8Array {
    const who = actorName(actor);
    if (!this.#told.has(who)) this.#told.set(who, false);
    const { block_id } = this.#parts.place();
    this.#last = { who, block_id, pid, instance: foreground?.instance, isMixed: false };
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
      if (this.#last) this.#looked(this.#last, probe);
      const isBack = probe.foreground?.pid === pid && probe.activity.reading !== "no";
      if (isBack && this.#parts.typedBegan()) return this.#parts.typedOver();
      // Nobody reads it any more.
      if (this.#parts.plainShell(pid) === null) return;
    }
  }

  /** Other keys. After somebody else's nobody knows whose the program in front is. */
  others(bytes: Uint8Array, actor: Actor): Uint8Array {
    if (this.#last?.who !== actorName(actor)) this.forget();
    else if (bytes.some((byte) => byte !== CTRL_C)) this.#last.isMixed = true;
    return bytes;
  }

  forget(): void {
    this.#last = undefined;
  }

  /** We typed something to the program in front that is no line. */
  spoil(): void {
    this.forget();
    this.#spoiled = this.#parts.place().block_id;
  }

  /** Whether what is in front comes of this agent's line, which has begun, or is the shell that waits for the next. */
  began(who: string, probe: Probe): boolean {
    const last = this.#last;
    if (last?.who !== who || last.block_id !== this.#parts.place().block_id || !this.#parts.typedBegan()) return false;
    if (this.#isShellOf(last, probe)) return !last.isMixed;
    return last.prompt === undefined && !last.isMixed && this.#parts.plainShell(last.pid) !== null;
  }
}

/** It certainly runs in a box, or a rule forbids it. A person is asked about all else as keys to the shell. */
export function isSettled({ do: decision, where }: Verdict, isCertain: boolean): boolean {
  return decision === "deny" || (decision === "allow" && where === "box" && isCertain);
}
