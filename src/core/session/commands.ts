// What runs in a session: its blocks, whether the program waits for somebody, and lines handed to the shell. Owns: the
// order in which listeners learn of commands (after the screen has them). Refuses: to decide who may run what.
import type { Waiting } from "../../protocol/words/program.ts";
import type { Cancelled } from "../base/cancellation.ts";
import type { Clock } from "../base/clock.ts";
import { isFault } from "../base/fault.ts";
import type { Block } from "../block/block.ts";
import { Blocks } from "../block/blocks.ts";
import type { LineAnswer } from "../block/marks.ts";
import { LINE_KEY, type Shells } from "../block/shells.ts";
import type { BoxNetwork } from "../box/box-network.ts";
import { type Actor, actorName } from "../gate/actor.ts";
import type { Gate } from "../gate/gate.ts";
import type { Origins } from "../gate/origins.ts";
import type { Admitted } from "../gate/settle.ts";
import type { Meta, SessionFiles } from "../journal/store.ts";
import type { Marked } from "../screen/wait/waits.ts";
import type { Program } from "./program.ts";
import { type Glance, WaitingWatch } from "./waiting.ts";

/** A shell that reads its line takes a key within milliseconds. After this long we check what it does instead. */
const ANSWER_MS = 5_000;
/** How often a busy shell gets more time. Together this is a minute, for a machine that swaps. */
const ANSWER_CHECKS_MAX = 12;

/** While a shell still prints, what the kernel says belongs to a later moment than its marks. Then we look again: a second in all. */
const PROMPT_LOOKS_MAX = 50;
const PROMPT_LOOK_MS = 20;

/** What the shell itself does. away: another program has the terminal. unknown: the kernel does not say whether it reads. */
type ShellNow = "reads" | "works" | "away" | "unknown";

/** Exit codes of a job that was stopped: 128 and SIGSTOP, SIGTSTP, SIGTTIN or SIGTTOU, on Linux and on macOS. */
const STOPPED: ReadonlySet<number | null> = new Set([145, 146, 147, 148, 149, 150]);

interface CommandsParts {
  readonly meta: Meta;
  readonly files: SessionFiles;
  readonly clock: Clock;
  readonly shells: Shells;
  readonly origins: Origins;
  readonly program: Program;
  gate(): Gate;
  glance(): Glance | undefined;
  network(): BoxNetwork | null;
}

export interface CommandsEvents {
  began(block: Block): void;
  ended(block: Block): void;
  /** `at`: when the marks said so. */
  prompted(at: number): void;
  waiting(waiting: Waiting | null): void;
}

type Handed = LineAnswer | "silent" | "shut" | "away";

/** What a yes to a line with network opens. Such a line names few of the hosts that it will want. */
const EVERY_PUBLIC_HOST = ["*"];

export class Commands {
  readonly blocks: Blocks;
  readonly waitingWatch: WaitingWatch;
  #parts: CommandsParts;
  #on: CommandsEvents;
  /** Called when the screen has what the marks describe. */
  #due: (() => void)[] = [];
  #answers = new Map<string, LineAnswer>();
  #watchers = new Set<() => void>();
  #placing = false;
  #started = false;

  constructor(parts: CommandsParts, on: CommandsEvents) {
    this.#parts = parts;
    this.#on = on;
    const { meta, files, clock, origins } = parts;
    this.blocks = new Blocks(
      {
        session_id: meta.session_id,
        nonce: meta.integration?.nonce ?? null,
        shell: meta.integration?.shell ?? null,
        files,
        clock,
        created_at: meta.created_at,
        originOf: (cursor, run_id) => {
          const run = run_id === null ? undefined : origins.run(run_id);
          return { actor: run?.actor ?? origins.typist(cursor), command: run?.command ?? null };
        },
      },
      {
        began: (block) => this.#due.push(() => this.#on.began(block)),
        ended: (block) => this.#due.push(() => this.#ended(block)),
        prompted: () => this.#due.push(() => void this.#prompted()),
        answered: (run_id, answer) => this.#due.push(() => this.#answers.set(run_id, answer)),
      },
    );
    const probe = () => parts.program.probe();
    const wanted = () => parts.program.alive && (!this.blocks.supported || this.blocks.phase === "running");
    const during = () => (this.blocks.supported ? ("command" as const) : ("session" as const));
    const changed = (waiting: Waiting | null) => {
      this.#on.waiting(waiting);
      this.#changed();
    };
    this.waitingWatch = new WaitingWatch({ clock, probe, glance: parts.glance, during, wanted, changed });
  }

  get marked(): Marked {
    return this.blocks.supported ? this.blocks.phase : "silent";
  }

  /** Whether a run is or was in a box: its own, or the session's. */
  isBoxed(run_id: string | null): boolean {
    const { meta, origins } = this.#parts;
    return Boolean(meta.box) || (run_id !== null && origins.run(run_id)?.boxed === true);
  }

  /** Every command of this session, the running one last. */
  async list(): Promise<Block[]> {
    if (this.#parts.program.over) {
      await this.blocks.catchUp(this.#parts.files.outputSize());
      this.#finish();
    }
    return this.blocks.list();
  }

  /** The output so far is on the screen, so listeners may now learn of it. */
  turned(): void {
    this.waitingWatch.active();
    if (this.#due.length === 0) return;
    for (const tell of this.#due.splice(0)) tell();
    this.#changed();
  }

  /** Something else happened that waits may care about. */
  poke(): void {
    this.#changed();
  }

  /** The program ended. */
  over(): void {
    this.waitingWatch.stop();
    this.#finish();
    for (const tell of this.#due.splice(0)) tell();
    if (this.#parts.meta.integration) this.#parts.shells.takeBack(this.#parts.meta.session_id);
    this.#boxOver();
    this.#changed();
  }

  /** The first answer that `check` gives, asked again whenever something happened. */
  until<T>(
    check: () => T | undefined,
    timeout_ms: number,
    cancelled?: Cancelled,
  ): Promise<T | "deadline" | "cancelled"> {
    return new Promise((resolve) => {
      const end = (result: T | "deadline" | "cancelled") => {
        if (!this.#watchers.delete(watch)) return;
        cancel();
        resolve(result);
      };
      const watch = () => {
        // Already cancelled, and `check` may have side effects.
        if (!this.#watchers.has(watch)) return;
        const result = check();
        if (result !== undefined) end(result);
      };
      const cancel = this.#parts.clock.after(timeout_ms, () => end("deadline"));
      this.#watchers.add(watch);
      cancelled?.onCancel(() => end("cancelled"));
      watch();
    });
  }

  /** Runs one after the other, in order of arrival. Undefined when its turn did not come in time. */
  async inTurn<T>(work: () => Promise<T>, timeout_ms: number, cancelled?: Cancelled): Promise<T | undefined> {
    const mine = () => {
      if (this.#placing) return undefined;
      this.#placing = true;
      return "mine" as const;
    };
    if ((await this.until(mine, timeout_ms, cancelled)) !== "mine") return undefined;
    try {
      return await work();
    } finally {
      this.#placing = false;
      this.#changed();
    }
  }

  /** Reads the marks in a piece of the exact output. Returns how many bytes of it a command printed that ended in it. */
  scan(cursor: number, length: number): number {
    const { program, meta, files } = this.#parts;
    // After the end, list() reads the blocks from the journal by itself.
    if (program.over || !meta.integration) return 0;
    const exact = new Uint8Array(length);
    return this.blocks.scan(exact.subarray(0, files.readOutput(cursor, exact)), cursor);
  }

  /** The marks say so, and the kernel too: any program can print marks, but only the shell itself is in front then. */
  async isAtPrompt(): Promise<boolean> {
    if (!this.blocks.atPrompt) return false;
    const { cycle } = this.blocks;
    for (let looks = 0; looks < PROMPT_LOOKS_MAX; looks += 1) {
      const { cursor, foreground } = await this.#parts.program.probe();
      if (!this.blocks.atPrompt || this.blocks.cycle !== cycle) return false;
      if (foreground !== null && foreground.pid === this.#parts.program.pid) return true;
      if (cursor !== null) return false;
      await new Promise<void>((resolve) => void this.#parts.clock.after(PROMPT_LOOK_MS, resolve));
    }
    return false;
  }

  /** Hands a line to the shell, which takes it only when nobody has typed half a line. */
  async hand(actor: Actor, run_id: string, admitted: Admitted): Promise<Handed> {
    const network = admitted.where === "box+network" ? this.#parts.network() : null;
    network?.open(run_id, EVERY_PUBLIC_HOST);
    const answer = await this.#hand(actor, run_id, admitted);
    // The prompt after it closes it. A line that was not taken has none.
    if (answer !== "taken") network?.close(run_id);
    return answer;
  }

  async #hand(actor: Actor, run_id: string, admitted: Admitted): Promise<Handed> {
    const { shells, meta, origins } = this.#parts;
    if (!(await this.isAtPrompt())) return this.#parts.program.alive ? "away" : "shut";
    const gate = this.#parts.gate();
    const { shell = "bash" } = meta.integration ?? {};
    const boxed = admitted.how === "boxed";
    const run = { run_id, actor: actorName(actor), command: admitted.text, ...(boxed ? { boxed } : {}) };
    origins.ran(run);
    if (boxed) shells.layBox(meta.session_id, { shell, cwd: this.blocks.cwd ?? meta.cwd });
    shells.layOut(meta.session_id, { run_id, ...admitted, names: shell === "fish" ? admitted.names : [] });
    const pressed = await gate.handOver(actor, run, admitted, LINE_KEY);
    if (pressed === "shut" || isFault(pressed)) {
      shells.takeBack(meta.session_id);
      return pressed === "shut" ? "shut" : "silent";
    }
    const answered = (): LineAnswer | "shut" | undefined =>
      this.#answers.get(run_id) ?? (this.#parts.program.alive ? undefined : "shut");
    let answer = await this.#whileItWorks(answered);
    // Whatever happens now, the shell must not take it later.
    shells.takeBack(meta.session_id);
    // A shell that was about to take it has done so.
    if (answer === undefined && (await this.shellNow()) === "works") answer = await this.#whileItWorks(answered);
    answer ??= answered();
    this.#answers.delete(run_id);
    return answer ?? "silent";
  }

  /** The shell's answer; undefined when it reads, or is away, and has given none. */
  async #whileItWorks<T>(answered: () => T | undefined): Promise<T | undefined> {
    for (let checks = 0; checks < ANSWER_CHECKS_MAX; checks += 1) {
      const answer = await this.until(answered, ANSWER_MS);
      if (answer !== "deadline" && answer !== "cancelled") return answer;
      if ((await this.shellNow()) !== "works") break;
    }
    return answered();
  }

  /** What the shell does according to the kernel, answered when its marks have reached the same moment. */
  async shellNow(): Promise<ShellNow> {
    const { cursor, echo, foreground, activity } = await this.#parts.program.probe();
    // It has printed more than we have read.
    if (cursor === null) return "works";
    if (foreground?.pid !== this.#parts.program.pid) return "away";
    if (activity.reading === "blocked" || activity.reading === "polled") return echo === "raw" ? "reads" : "works";
    return activity.reading === "no" ? "works" : "unknown";
  }

  #finish(): void {
    const { end } = this.#parts.program;
    const cursor = this.#parts.files.outputSize();
    this.blocks.finish(end ? { exit_code: end.code, ts: end.at, cursor } : null);
  }

  #ended(block: Block): void {
    this.#on.ended(block);
    // A line that was stopped goes on later, in its box.
    if (!STOPPED.has(block.exit_code)) this.#boxOver();
  }

  #boxOver(): void {
    const { meta, shells } = this.#parts;
    if (meta.integration && !meta.box) shells.boxOver(meta.session_id);
  }

  async #prompted(): Promise<void> {
    const at = this.#parts.clock.monotonic();
    if (!(await this.isAtPrompt())) return;
    if (!this.#started) this.#parts.shells.started(this.#parts.meta.session_id);
    this.#started = true;
    this.waitingWatch.stop();
    this.#on.prompted(at);
    this.#changed();
  }

  #changed(): void {
    for (const watch of [...this.#watchers]) watch();
  }
}
