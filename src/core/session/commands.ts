// What runs in a session: its blocks, and whether the program waits for somebody. Owns: the order in which listeners learn of
// commands (after the screen has them). Refuses: to decide who may run what, and to hand lines over (shell-lines.ts).
import type { Waiting } from "../../protocol/words/program.ts";
import { type AgentStatus, AgentWatch, type AgentWatchParts } from "../agent-cli/watch.ts";
import type { Cancelled } from "../base/cancellation.ts";
import { AfterOutput } from "../block/after-output.ts";
import { afterBlock, type Between } from "../block/between.ts";
import type { Block } from "../block/block.ts";
import { Blocks } from "../block/blocks.ts";
import { NO_PROGRAM, type Probe } from "../journal/holding.ts";
import type { SessionFiles } from "../journal/store.ts";
import type { Glance } from "../screen/wait/reads.ts";
import type { Marked } from "../screen/wait/waits.ts";
import { Nesting, type NestingParts } from "./nested/nesting.ts";
import { ShellLines, type ShellLinesParts } from "./shell-lines.ts";
import { WaitingWatch } from "./waiting.ts";

interface CommandsParts extends ShellLinesParts, Pick<NestingParts, "integrates" | "isHalf" | "nested"> {
  readonly files: SessionFiles;
  glance(): Glance | undefined;
  /** Plays what was put off. `attend`: and puts nothing off from now on, because somebody waits. */
  catchUp(): void;
  attend(): void;
  readonly agents: Pick<AgentWatchParts, "presets" | "screen" | "hide">;
  /** Resolves when all that was printed so far was read. */
  ready(): Promise<unknown>;
}

export interface CommandsEvents {
  began(block: Block): void;
  ended(block: Block): void;
  /** `at`: when the marks said so. */
  prompted(at: number): void;
  /** More was printed after it, though nothing runs. */
  after(block: Block): void;
  waiting(waiting: Waiting | null): void;
  /** An agent CLI came, went or does something else. */
  agent(status: AgentStatus | null, rule: string): void;
}

export class Commands {
  readonly blocks: Blocks;
  readonly waitingWatch: WaitingWatch;
  readonly agentWatch: AgentWatch;
  readonly lines: ShellLines;
  readonly nesting: Nesting;
  #afterOutput: AfterOutput;
  #parts: CommandsParts;
  #on: CommandsEvents;
  /** Called when the screen has what the marks describe. */
  #due: (() => void)[] = [];
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
        ...{ own: meta.integration, nested: meta.nested ?? [], files, clock },
        created_at: meta.created_at,
        beginning: (...at) => origins.beginning(...at),
      },
      {
        began: (block) => {
          this.agentWatch.shellIs();
          this.#due.push(() => this.#on.began(block));
        },
        ended: (block) => this.#due.push(() => this.#ended(block)),
        prompted: () => this.#due.push(() => void this.#prompted()),
        typedAhead: (cycle) => this.#due.push(() => void this.#retype(cycle)),
        hello: (hello) => this.#due.push(() => this.nesting.heard(hello)),
        answered: (run_id, answer, line) => this.#due.push(() => this.lines.answered(run_id, answer, line)),
      },
    );
    this.lines = new ShellLines(parts, this.blocks, (...wait) => this.until(...wait));
    const isBoxed = () => this.isBoxed(this.blocks.own.running?.run_id ?? null);
    this.nesting = new Nesting({ ...parts, blocks: this.blocks, isBoxed, until: (...wait) => this.until(...wait) });
    this.#afterOutput = new AfterOutput({
      clock,
      ...{ atPrompt: () => this.blocks.atPrompt, last: () => this.blocks.last },
      after: (block) => this.after(block),
      tell: (block) => this.#on.after(block),
    });
    const probe = () => this.#probe();
    const wanted = () => parts.program.alive && (!this.blocks.supported || this.blocks.phase === "running");
    const during = () => (this.blocks.supported ? ("command" as const) : ("session" as const));
    const changed = (waiting: Waiting | null) => {
      this.#on.waiting(waiting);
      this.poke();
      if (waiting?.kind === "keys") void this.nesting.byRule();
    };
    const agent = ({ foreground }: Probe) => this.agentWatch.inFront(foreground);
    const opened = meta.agent && !parts.program.over ? { name: meta.agent, at: meta.created_at } : null;
    this.agentWatch = new AgentWatch({ clock, opened, ...parts.agents }, (status, rule) => {
      on.agent(status, rule);
      if (status) this.waitingWatch.agentIs(status.now.state);
      this.poke();
    });
    this.waitingWatch = new WaitingWatch({ ...parts, probe, during, agent, wanted, changed });
  }

  /** Reads an agent CLI while its screen is in memory: one that waits may draw nothing for hours. */
  async meet(): Promise<void> {
    if (this.#parts.program.alive) this.agentWatch.inFront((await this.#parts.program.quickProbe()).foreground);
  }

  /** Whether an agent CLI waits is read from what it shows. What its processes do is then of no use, and costs the holder most. */
  async #probe(): Promise<Probe> {
    const { program } = this.#parts;
    if (!this.agentWatch.status) return program.probe();
    const quick = await program.quickProbe();
    if (quick.echo === "off" || !this.agentWatch.isOf(quick.foreground)) return program.probe();
    return { ...quick, activity: NO_PROGRAM.activity };
  }

  /** A shell that gave up waiting has begun its command. */
  async #retype(cycle: number): Promise<void> {
    if (this.blocks.phase !== "prompt" || this.blocks.shellCycle !== cycle) return;
    await this.#parts.program.retype();
    this.#parts.shells.typedAgain(this.#parts.meta.session_id, cycle);
  }

  /** Whether somebody waits for something to happen. */
  get isAwaited(): boolean {
    return this.#watchers.size > 0;
  }

  get marked(): Marked {
    return this.blocks.supported ? this.blocks.phase : "silent";
  }

  /** Whether a run is or was in a box: its own, or the session's. */
  isBoxed(run_id: string | null): boolean {
    const { meta, origins } = this.#parts;
    return Boolean(meta.box) || (run_id !== null && origins.run(run_id)?.boxed === true);
  }

  /** The folder in which the last boxed line ended, when the shell did not follow it there. */
  get leftBehind(): string | null {
    const { meta, shells } = this.#parts;
    const folder = meta.box || !meta.integration ? null : shells.lastFolder(meta.session_id);
    return folder === this.blocks.cwd ? null : folder;
  }

  /** What came after a command and before the next one, though nobody ran anything. */
  after(block: Block): Between {
    const { files, origins, program, nested } = this.#parts;
    const nonce = nested.nonceOf(block.nested?.id);
    const next = this.blocks.next(block);
    const end = next?.cursor_begin ?? (program.over ? files.outputSize() : this.blocks.scanned);
    return afterBlock(block, end, { files, nonce, typedFrom: (cursor) => origins.typedFrom(cursor) });
  }

  /** Every command of this session, the running one last. */
  async list(): Promise<Block[]> {
    if (this.#parts.program.alive) await this.#parts.ready();
    if (this.#parts.program.over) {
      await this.blocks.catchUp(this.#parts.files.outputSize());
      this.#finish();
    }
    return this.blocks.list();
  }

  /** The output so far is on the screen, so listeners may now learn of it. */
  turned(printed: boolean): void {
    if (printed) this.waitingWatch.active();
    else this.waitingWatch.begin();
    this.agentWatch.turned();
    this.#afterOutput.turned();
    const due = this.#due.splice(0);
    for (const tell of due) tell();
    if (due.length > 0) this.poke();
  }

  typed(bytes: Uint8Array): void {
    this.waitingWatch.active();
    this.agentWatch.typed(bytes);
  }

  /** No more timers. */
  stop(): void {
    this.waitingWatch.stop();
    this.agentWatch.stop();
    this.#afterOutput.stop();
  }

  /** The program ended. */
  over(): void {
    this.agentWatch.over(this.#parts.program.end ?? null);
    this.stop();
    this.#finish();
    for (const tell of this.#due.splice(0)) tell();
    if (this.#parts.meta.integration) this.#parts.shells.takeBack(this.#parts.meta.session_id);
    this.#boxOver();
    this.poke();
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
      this.#parts.attend();
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
      this.poke();
    }
  }

  /** Reads the marks in a piece of the exact output. Returns how many bytes of it a command printed that ended in it. */
  scan(cursor: number, length: number): number {
    const { program, files } = this.#parts;
    // After the end, list() reads the blocks from the journal by itself.
    if (program.over || !this.blocks.reads) return 0;
    const exact = new Uint8Array(length);
    return this.blocks.scan(exact.subarray(0, files.readOutput(cursor, exact)), cursor);
  }

  #finish(): void {
    const { end } = this.#parts.program;
    this.blocks.finish(end ? { exit_code: end.code, ts: end.at, cursor: this.#parts.files.outputSize() } : null);
  }

  #ended(block: Block): void {
    this.#on.ended(block);
    if (block.nested) return;
    this.#keysOver();
    this.#boxOver();
  }

  /** The shell waits for this before its prompt. */
  #keysOver(): void {
    const { meta, shells, gate, program } = this.#parts;
    if (meta.integration && shells.keysCame(meta.session_id))
      void gate()
        .agentLane.typed.then(() => program.dropUnread())
        .then((isDone) => isDone && shells.keysOver(meta.session_id));
  }

  #boxOver(): void {
    const { meta, shells, program } = this.#parts;
    // The line could change the size of the person's terminal.
    if (!meta.box && shells.boxOver(meta.session_id)) void program.keepSize();
  }

  async #prompted(): Promise<void> {
    const [at, { cycle }] = [this.#parts.clock.monotonic(), this.blocks];
    if (!(await this.lines.isAtPrompt())) return;
    this.#parts.network.endBefore(cycle);
    if (!this.#started && !this.blocks.nested) this.#parts.shells.started(this.#parts.meta.session_id);
    this.#started ||= !this.blocks.nested;
    this.waitingWatch.stop();
    this.agentWatch.shellIs();
    this.#on.prompted(at);
    this.poke();
  }

  /** Something happened that waits may care about. */
  poke(): void {
    for (const watch of [...this.#watchers]) watch();
  }
}
