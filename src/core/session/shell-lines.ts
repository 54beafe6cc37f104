// Lines between us and a session's shell: whole lines that it takes to run, and the half line at its prompt that we take
// back or change for an agent. Owns: the shell's answers. Refuses: to type over a half line, and to decide who may run what.
import type { Cancelled } from "../base/cancellation.ts";
import type { Clock } from "../base/clock.ts";
import { type Fault, fault, isFault } from "../base/fault.ts";
import type { Blocks } from "../block/blocks.ts";
import { frameOf } from "../block/line-frame.ts";
import type { LineAnswer } from "../block/marks.ts";
import { LINE_KEY, type Shells } from "../block/shells.ts";
import type { NetworkGrant } from "../box/network-grant.ts";
import { type Actor, actorName } from "../gate/actor.ts";
import type { Gate } from "../gate/gate.ts";
import { LeftLine } from "../gate/line/left-line.ts";
import type { Origins } from "../gate/origins.ts";
import type { LineEdit } from "../gate/prompt-keys.ts";
import type { Admitted } from "../gate/settle.ts";
import type { Meta } from "../journal/store.ts";
import type { Foreground } from "../pty/pty.ts";
import type { Program } from "./program.ts";

/** A shell that reads its line takes a key within milliseconds. After this long we check what it does instead. */
const ANSWER_MS = 5_000;
/** How often a busy shell gets more time. Together this is a minute, for a machine that swaps. */
const ANSWER_CHECKS_MAX = 12;

/** While a shell still prints, what the kernel says belongs to a later moment than its marks. Then we look again: a second in all. */
const PROMPT_LOOKS_MAX = 50;
const PROMPT_LOOK_MS = 20;

/** What the shell itself does. away: another program has the terminal. unknown: the kernel does not say whether it reads. */
type ShellNow = "reads" | "works" | "away" | "unknown";

/** moved: the line was allowed for another shell than the one in front. */
type Handed = "taken" | "busy" | "shadowed" | "silent" | "shut" | "away" | "moved";

/** What a shell inside calls its answer to the key, which brings no name. */
const KEY_ID = "key";
const NO_FRAME = Uint8Array.of(0x0a);

type Pressed = "written" | "shut" | Fault;
type Press = (key: Uint8Array) => Promise<Pressed>;

interface Answered {
  readonly answer: LineAnswer;
  readonly line: string;
}

export interface ShellLinesParts {
  readonly meta: Meta;
  readonly clock: Clock;
  readonly shells: Shells;
  readonly origins: Origins;
  readonly program: Program;
  gate(): Gate;
  readonly network: NetworkGrant;
}

type Until = <T>(
  check: () => T | undefined,
  timeout_ms: number,
  cancelled?: Cancelled,
) => Promise<T | "deadline" | "cancelled">;

export class ShellLines {
  #parts: ShellLinesParts;
  #blocks: Blocks;
  #until: Until;
  #answers = new Map<string, Answered>();
  #keys = 0;
  #left = new LeftLine();
  /** One line lies ready at a time. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: ShellLinesParts, blocks: Blocks, until: Until) {
    [this.#parts, this.#blocks, this.#until] = [parts, blocks, until];
  }

  answered(run_id: string, answer: LineAnswer, line: string): void {
    this.#answers.set(run_id, { answer, line });
  }

  /** The marks say so, and the kernel too: any program can print marks, but only the shell itself is in front then. */
  async isAtPrompt(): Promise<boolean> {
    if (!this.#blocks.atPrompt) return false;
    const { cycle } = this.#blocks;
    for (let looks = 0; looks < PROMPT_LOOKS_MAX; looks += 1) {
      const { cursor, foreground } = await this.#parts.program.quickProbe();
      if (!this.#blocks.atPrompt || this.#blocks.cycle !== cycle) return false;
      if (this.#isShell(foreground)) return true;
      if (cursor !== null) return false;
      await this.#pause();
    }
    return false;
  }

  /** Whether the program in front is the shell whose marks are read, or leads to it. */
  #isShell(front: Foreground | null): boolean {
    const { nested } = this.#blocks;
    if (front === null || !nested) return front !== null && front.pid === this.#parts.program.pid;
    return front.pid === nested.pid && (nested.far || (front.instance ?? null) === nested.instance);
  }

  /** What the shell does according to the kernel, answered when its marks have reached the same moment. */
  async now(): Promise<ShellNow> {
    const { cursor, echo, foreground, activity } = await this.#parts.program.probe();
    // It has printed more than we have read.
    if (cursor === null) return "works";
    if (!this.#isShell(foreground)) return "away";
    // The program that leads there reads all the time.
    if (this.#blocks.nested?.far) return "unknown";
    if (activity.reading === "blocked" || activity.reading === "polled") return echo === "raw" ? "reads" : "works";
    return activity.reading === "no" ? "works" : "unknown";
  }

  /** Hands a line to the shell, which takes it only when nobody has typed half a line. */
  async hand(actor: Actor, run_id: string, admitted: Admitted): Promise<Handed> {
    const { cycle } = this.#blocks;
    this.#parts.network.endBefore(cycle);
    if (admitted.where === "box+network") this.#parts.network.give(run_id, cycle, admitted.hosts ?? null);
    const answer = await this.#inTurn(() => this.#hand(actor, run_id, admitted));
    // The prompt after it closes it. A line that was not taken has none.
    if (answer !== "taken") this.#parts.network.endBefore(cycle + 1);
    return answer;
  }

  /**
   * Takes the half line away from the shell's prompt, or only this very one. Undefined when the shell is not at a prompt or
   * keeps it.
   */
  lift(only = ""): Promise<string | undefined> {
    return this.#inTurn(() => this.#lift(only));
  }

  /** What the shell knows: a script that tells another one. Undefined when it is not at a prompt. Its half line stays. */
  state(): Promise<string | undefined> {
    return this.#inTurn(async () => {
      const { shells, meta } = this.#parts;
      // A shell inside reads no file of ours.
      if (this.#blocks.nested || !(await this.isAtPrompt())) return undefined;
      const id = this.#layOut("state", "");
      if (this.#parts.gate().press(LINE_KEY) === "shut") return undefined;
      const answer = await this.#answerTo(id);
      const written = shells.takeState(meta.session_id);
      return answer !== "shut" && answer?.answer === "told" ? (written ?? undefined) : undefined;
    });
  }

  /** Changes the half line at the prompt, and then enters it if `enter` is given. No key binding of the person's is used. */
  edit(edits: readonly LineEdit[], press: Press, enter: (() => Promise<Pressed>) | undefined): Promise<Pressed> {
    return this.#inTurn(async () => {
      const isOwn = enter !== undefined || Boolean(this.#parts.meta.box);
      const long = isOwn ? undefined : this.#left.wrong(edits, this.#blocks.cycle);
      if (long) return long;
      const edited = edits.length === 0 ? "written" : await this.#edit(edits, press);
      return edited === "written" && enter ? enter() : edited;
    });
  }

  async #edit(edits: readonly LineEdit[], press: Press): Promise<Pressed> {
    const id = this.#layOut("edit", edits.map((edit) => `${edit}\0`).join(""));
    const pressed = await press(LINE_KEY);
    if (pressed !== "written") {
      this.#parts.shells.takeBack(this.#parts.meta.session_id);
      return pressed;
    }
    const answer = await this.#answerTo(id);
    if (answer === "shut") return "shut";
    return answer?.answer === "edited" ? "written" : notEdited();
  }

  #layOut(how: "lift" | "edit" | "state", text: string): string {
    const { shells, meta, clock } = this.#parts;
    this.#keys += 1;
    const run_id = `${how}_${this.#keys}_${clock.now()}`;
    shells.layOut(meta.session_id, { run_id, text, how, names: [] });
    return run_id;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #lift(only: string): Promise<string | undefined> {
    // A shell inside keeps what was typed there.
    if (this.#blocks.nested) return undefined;
    // Between the end of a command and the next prompt.
    await this.#until(() => (this.#blocks.atPrompt || this.#blocks.running ? true : undefined), ANSWER_MS);
    if (!(await this.#isStill())) return undefined;
    const id = this.#layOut("lift", only);
    if (this.#parts.gate().press(LINE_KEY) === "shut") return undefined;
    const answer = await this.#answerTo(id);
    return answer !== "shut" && answer?.answer === "lifted" ? answer.line : undefined;
  }

  async #hand(actor: Actor, run_id: string, admitted: Admitted): Promise<Handed> {
    const { shells, meta, origins } = this.#parts;
    const isMoved = () => (admitted.nested ?? null) !== (this.#blocks.nested?.id ?? null);
    if (isMoved()) return "moved";
    if (!(await this.isAtPrompt())) return this.#parts.program.alive ? "away" : "shut";
    if (isMoved()) return "moved";
    if (this.#blocks.nested) return this.#handInside(actor, run_id, admitted, isMoved);
    const gate = this.#parts.gate();
    const { shell = "bash" } = meta.integration ?? {};
    const boxed = admitted.how === "boxed";
    const run = { run_id, actor: actorName(actor), command: admitted.text, ...(boxed ? { boxed } : {}) };
    origins.ran(run);
    const roots = admitted.edits ? [admitted.edits.folder] : null;
    if (boxed) shells.layBox(meta.session_id, { shell, cwd: this.#blocks.cwd ?? meta.cwd, roots });
    shells.layOut(meta.session_id, { run_id, ...admitted, names: shell === "fish" ? admitted.names : [] });
    const pressed = await gate.handOver(actor, run, admitted, LINE_KEY);
    if (pressed === "shut" || isFault(pressed)) {
      shells.takeBack(meta.session_id);
      return pressed === "shut" ? "shut" : "silent";
    }
    const answer = await this.#answerTo(run_id);
    if (answer === "shut") return "shut";
    if (answer?.answer === "taken") gate.handedOver(actor, LINE_KEY);
    return handed(answer);
  }

  /** A shell inside reads no file of ours. It says that it waits for the line, and gets it through the terminal. */
  async #handInside(actor: Actor, run_id: string, admitted: Admitted, isMoved: () => boolean): Promise<Handed> {
    const gate = this.#parts.gate();
    const run = { run_id, actor: actorName(actor), command: admitted.text };
    this.#parts.origins.ran(run);
    this.#answers.delete(KEY_ID);
    const pressed = await gate.handOver(actor, run, admitted, LINE_KEY);
    if (pressed === "shut" || isFault(pressed)) return pressed === "shut" ? "shut" : "silent";
    const isGone = () => !this.#parts.program.alive || isMoved();
    const ready = await this.#answerTo(KEY_ID, isGone);
    if (isMoved()) return "moved";
    if (ready === "shut" || ready?.answer !== "ready") return ready === "shut" ? "shut" : handed(ready);
    // An empty one lets it go on. A person may have taken the keyboard or stopped agents meanwhile.
    const isRefused = gate.refuses(actor) !== undefined;
    gate.press(isRefused ? NO_FRAME : frameOf(run_id, admitted.text));
    const answer = isRefused ? undefined : await this.#answerTo(run_id, isGone);
    if (answer === "shut") return isMoved() ? "moved" : "shut";
    if (answer?.answer === "taken") gate.handedOver(actor, LINE_KEY);
    return handed(answer);
  }

  async #answerTo(id: string, isGone = () => !this.#parts.program.alive): Promise<Answered | "shut" | undefined> {
    const { shells, meta } = this.#parts;
    const answered = () => this.#answers.get(id) ?? (isGone() ? ("shut" as const) : undefined);
    let answer = await this.#whileItWorks(answered);
    // Whatever happens now, the shell must not take it later.
    shells.takeBack(meta.session_id);
    // A shell that was about to take it has done so.
    if (answer === undefined && (await this.now()) === "works") answer = await this.#whileItWorks(answered);
    answer ??= answered();
    this.#answers.delete(id);
    return answer;
  }

  /** The shell's answer; undefined when it reads, or is away, and has given none. */
  async #whileItWorks<T>(answered: () => T | undefined): Promise<T | undefined> {
    for (let checks = 0; checks < ANSWER_CHECKS_MAX; checks += 1) {
      const answer = await this.#until(answered, ANSWER_MS);
      if (answer !== "deadline" && answer !== "cancelled") return answer;
      if ((await this.now()) !== "works") break;
    }
    return answered();
  }

  /** The shell waits at its prompt and has read all that was typed. A whole line among it would run before our key. */
  async #isStill(): Promise<boolean> {
    for (let looks = 0; looks < PROMPT_LOOKS_MAX; looks += 1) {
      if (!this.#blocks.atPrompt) return false;
      const { inputs } = this.#parts.gate();
      const now = await this.now();
      if (now === "away") return false;
      if (now !== "works" && this.#blocks.atPrompt && inputs === this.#parts.gate().inputs) return true;
      await this.#pause();
    }
    return false;
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => void this.#parts.clock.after(PROMPT_LOOK_MS, resolve));
  }
}

function handed(answer: Answered | undefined): Handed {
  const word = answer?.answer;
  return word === "taken" || word === "busy" || word === "shadowed" ? word : "silent";
}

function notEdited(): Fault {
  const hint =
    "Read the screen. A list, a search or a continued line may be open there; or run a whole command instead.";
  return fault("session.busy", "the shell does not let its line be changed now", hint);
}
