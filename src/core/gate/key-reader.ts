// Who reads what an agent types: the shell at its prompt, or a program in front, and whether it reads now. Owns: nothing.
import type { ShellName } from "../../protocol/words/program.ts";
import { type Fault, fault } from "../base/fault.ts";
import type { Probe } from "../journal/holding.ts";
import type { Boxing } from "./policy.ts";
import { isShell } from "./program-names.ts";

/** Where the shell is, as far as it says so. */
export interface Place {
  readonly cwd: string | null;
  readonly shell: ShellName | null;
  readonly atPrompt: boolean;
  /** Its prompt comes by itself: it reads its start files, or works between two commands. */
  readonly promptComes: boolean;
  /** The command that runs. */
  readonly block_id: string | null;
  /** Who began what runs: the command's actor, or who opened a session that marks no commands. */
  readonly beganBy: string | null;
  /** For a line at the prompt. */
  readonly box: Boxing;
  /** For the program in front. */
  readonly frontBox: Boxing;
  /** A shell inside of the session's program that marks its prompts. Lines are for it; keys are for the program in front. */
  readonly nested: { readonly id: string; readonly shell: ShellName; readonly label: string } | null;
  /** Who opened an agent CLI in a box, which has the person's login and hosts. Null: the box has neither. */
  readonly lentTo: string | null;
}

export interface Foreground {
  readonly atPrompt: boolean;
  readonly name: string;
  /** Identifies one run of one program. Null when it is unknown. */
  readonly instance: string | null;
}

/** How long a line waits for a program to read again, too short for a person to notice: 15 probes, 20 ms apart. */
const READS_AGAIN_PROBES = 15;
const READS_AGAIN_MS = 20;
/** At a prompt the shell may still ask us about the previous line, for about five seconds. After that we type anyway. */
const PROMPT_PROBES = 250;
/** Start files that ask the network or load many tools take seconds. After about ten of them we judge what is in front. */
const START_PROBES = 500;
/** A shell may be seen to read before we have seen its prompt's mark. What reads longer without one asks for something. */
const MARK_PROBES = 10;

const CTRL_C = 0x03;

interface Kernel {
  leader(): number | null;
  probe(): Promise<Probe | undefined>;
  pause(ms: number): Promise<void>;
}

export class KeyReader {
  #session: { place(): Place };
  #kernel: Kernel;

  constructor(session: { place(): Place }, kernel: Kernel) {
    this.#session = session;
    this.#kernel = kernel;
  }

  /** The program that would get the keys. */
  front({ foreground }: Pick<Probe, "foreground">): Foreground {
    if (!foreground) return { atPrompt: false, name: "", instance: null };
    const { pid, name, instance = "" } = foreground;
    // Any program can print the marks of a prompt. The shell itself is in front only at a real one.
    const atPrompt = this.#session.place().atPrompt && pid === this.#kernel.leader();
    return { atPrompt, name, instance: `${pid} ${name} ${instance}` };
  }

  moved(asked: Foreground, probe: Probe): Fault | undefined {
    const now = this.front(probe);
    if (now.instance === asked.instance && now.atPrompt === asked.atPrompt) return undefined;
    return anotherProgram();
  }

  /**
   * Another agent's line may be over though its prompt is not seen yet. A line after it waits for that before it is refused.
   * `later`: why it would be refused even then.
   */
  async whenFree(
    refused: (now: Probe) => Fault | undefined,
    later: (now: Probe) => Fault | undefined,
  ): Promise<Probe | undefined | Fault> {
    let seen = 0;
    for (let probes = 0; ; probes += 1) {
      const probe = await this.#kernel.probe();
      const fault = probe && refused(probe);
      if (!fault) return probe;
      const comes = this.#session.place().promptComes;
      seen = comes ? 0 : seen + 1;
      const isSoon = comes ? probes < START_PROBES : this.front(probe).atPrompt && seen <= MARK_PROBES;
      if (!isSoon || later(probe)) return fault;
      await this.#kernel.pause(READS_AGAIN_MS);
    }
  }

  /** A program that just got a line reads again soon. For a shell we cannot know whether it is at its prompt then. */
  async whenItReads(bytes: Uint8Array, now: Probe): Promise<Probe | undefined | Fault> {
    const first = await this.#whenPrompted(bytes, now);
    if (!first) return undefined;
    const front = this.front(first);
    if (front.atPrompt) return this.#whenShellReads(first);
    let probe: Probe | undefined = first;
    for (let probes = isShell(front.name) ? 0 : READS_AGAIN_PROBES; probe; probes -= 1) {
      const busy = this.unread(bytes, probe);
      if (!busy) return probe;
      if (probes <= 0) return busy;
      await this.#kernel.pause(READS_AGAIN_MS);
      probe = await this.#kernel.probe();
      if (probe && this.moved(front, probe)) return busy;
    }
    return undefined;
  }

  /** Keys for a shell that is not at its prompt yet. A start file that reads asks for something, and Ctrl+C ends one that hangs. */
  async #whenPrompted(bytes: Uint8Array, first: Probe): Promise<Probe | undefined> {
    let probe: Probe | undefined = first;
    let reads = 0;
    const isEarly = (now: Probe) => {
      reads = now.activity.reading === "no" ? 0 : reads + 1;
      return this.#session.place().promptComes && reads <= MARK_PROBES;
    };
    for (let probes = 0; probes < START_PROBES && bytes[0] !== CTRL_C && probe && isEarly(probe); probes += 1) {
      await this.#kernel.pause(READS_AGAIN_MS);
      probe = await this.#kernel.probe();
    }
    return probe;
  }

  /** Keys that come while the shell asks about a line are lost: Ctrl+C would end the question and leave the line. */
  async #whenShellReads(first: Probe): Promise<Probe | undefined> {
    let probe: Probe | undefined = first;
    // While a key's own function runs, fish gives the terminal its plain mode: it does not read, or not yet.
    const isAway = (now: Probe) => now.activity.reading === "no" || now.echo === "on";
    for (let probes = 0; probes < PROMPT_PROBES && probe && isAway(probe); probes += 1) {
      await this.#kernel.pause(READS_AGAIN_MS);
      probe = await this.#kernel.probe();
      if (probe && !this.front(probe).atPrompt) break;
    }
    return probe;
  }

  /** If the program does not read a line, the shell after it would read it unjudged. */
  unread(bytes: Uint8Array, probe: Probe): Fault | undefined {
    const { shell } = this.#session.place();
    if (shell === null || this.front(probe).atPrompt || probe.activity.reading !== "no") return undefined;
    if (!bytes.some((byte) => byte === 0x0d || byte === 0x0a || byte === 0x0f)) return undefined;
    return fault("session.busy", "the program does not read now", "Wait until it asks; interrupt it with Ctrl+C.");
  }
}

/** Ctrl+C. In raw mode it is a key like any other. */
export function interrupts(bytes: Uint8Array, { echo }: Probe): boolean {
  return bytes.length === 1 && bytes[0] === CTRL_C && echo === "on";
}

export function anotherProgram(): Fault {
  return fault("gate.held", "another program now has the terminal", "Read the screen and ask again.");
}
