// What the agent CLI in front of a session is doing, read again when its title, its screen or its report changed. Owns: which
// agent it is, its records, its last state. Refuses: to type. Other programs cost nothing here.
import type { AgentStateNow } from "../../protocol/words/agent-state.ts";
import type { Clock } from "../base/clock.ts";
import type { ExitStatus, Foreground } from "../pty/pty.ts";
import { isDoubtedBy } from "./hooks.ts";
import { type AgentEvidence, type Judgement, judgeAgent, STARTING_MS, toldEvidence } from "./judge.ts";
import { named, presetOf } from "./own-presets.ts";
import type { Box, Preset } from "./preset.ts";
import { ProgramStatus, type StatusRecord } from "./program-status.ts";
import { interrupts, leavesText } from "./typed.ts";

/** Ten looks a second are more than a person can follow. */
const LOOK_MS = 100;
/** A screen that is drawn in pieces matches nothing for a moment. Until then the last state stands. */
const UNKNOWN_AFTER_MS = 500;
/** So long after Escape or Ctrl+C an agent that is idle was interrupted. */
const INTERRUPTED_MS = 10_000;

/** The part of the screen that is read. */
interface Picture {
  readonly title: string;
  readonly rows: readonly string[];
  /** The same rows without secrets. To make them takes longer. */
  hidden(): readonly string[];
}

export interface AgentWatchParts {
  readonly clock: Clock;
  readonly presets: readonly Preset[];
  /** The agent that the session was opened for, and when. It is known before it is seen, and under any program's name. */
  readonly opened?: { readonly name: string; readonly at: number } | null;
  /** Undefined while no engine is in memory. */
  screen(): Picture | undefined;
  /** Takes secrets out of a line. */
  hide(text: string): string;
}

/** Which agent CLI is in front, and what it is doing. */
export interface AgentStatus {
  readonly name: string;
  readonly now: AgentStateNow;
}

interface Agent {
  readonly preset: Preset;
  readonly front: Foreground;
  readonly at: number;
  wasRead: boolean;
}

export class AgentWatch {
  #parts: AgentWatchParts;
  #changed: (status: AgentStatus | null, rule: string) => void;
  readonly #records = new ProgramStatus();
  #agent: Agent | undefined;
  #judged: Judgement | undefined;
  /** The line of it that is told. */
  #why = "";
  #since = 0;
  #title = { text: "", at: 0 };
  /** The title that an agent before this one left. It says nothing of this one. */
  #titleBefore = "";
  #isDoubted = false;
  #isEntered = false;
  /** It works, or it is idle after that and nobody interrupted it. */
  #turn: "none" | "began" | "over" = "none";
  #interruptedAt = Number.NEGATIVE_INFINITY;
  #hook: NonNullable<AgentEvidence["hook"]> | undefined;
  #isOver = false;
  /** When somebody typed what nobody has entered since. */
  #openAt: number | undefined;
  /** Since when nothing matches. */
  #lostAt: number | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;

  constructor(parts: AgentWatchParts, changed: (status: AgentStatus | null, rule: string) => void) {
    this.#parts = parts;
    this.#changed = changed;
  }

  get status(): AgentStatus | null {
    if (!this.#agent || !this.#judged) return this.#unseen;
    const { state, kind, source } = this.#judged;
    const now = { state, ...(kind ? { kind } : {}), why: this.#why, source, since: this.#since };
    return { name: this.#agent.preset.name, now };
  }

  /** Nobody has looked at it yet. */
  get #unseen(): AgentStatus | null {
    const { opened, clock } = this.#parts;
    if (!opened || this.#isOver) return null;
    const state = clock.now() - opened.at < STARTING_MS ? "starting" : "unknown";
    return { name: opened.name, now: { state, why: "", source: "none", since: opened.at } };
  }

  /** By which rule and from what, as of now. */
  explained(): Judgement | undefined {
    this.#look();
    if (!this.#judged) return undefined;
    this.#why = this.#told(this.#judged);
    return { ...this.#judged, evidence: this.#why };
  }

  #told(judged: Judgement): string {
    return toldEvidence(judged, this.#parts.hide, this.#parts.screen()?.hidden);
  }

  /** Whether the agent that we know of is this program. */
  isOf(front: Foreground | null): boolean {
    const known = this.#agent?.front;
    return front?.pid === known?.pid && front?.instance === known?.instance;
  }

  /** Whether it has finished what it worked on: many agents say only that they are idle. */
  get isTurnOver(): boolean {
    return this.#turn === "over";
  }

  /** Where people write to it. */
  get box(): Box | undefined {
    return this.#agent?.preset.box;
  }

  /** How long ago somebody typed what nobody has entered since. */
  get openMs(): number | undefined {
    return this.#openAt === undefined ? undefined : this.#parts.clock.monotonic() - this.#openAt;
  }

  /** As of now. */
  look(): AgentStatus | null {
    this.#look();
    return this.status;
  }

  /** The kernel says which program is in front. Returns what an agent does. */
  inFront(front: Foreground | null): AgentStateNow["state"] | undefined {
    // Whatever is in front of a session that was opened for an agent belongs to it.
    if (!this.isOf(front) && !(this.#agent && this.#parts.opened)) this.#met(front);
    if (!this.#agent) return undefined;
    this.#look();
    return this.#judged?.state;
  }

  /** Reads its output. Returns the answer to its question whether we read reports. */
  read(bytes: Uint8Array, cursor: number): Uint8Array {
    return this.#records.push(bytes, cursor, () => {
      this.#isDoubted = false;
    });
  }

  /** Something may have been drawn. */
  turned(): void {
    if (this.#agent) this.#lookSoon();
  }

  /** A hook of the agent reports. */
  hooked(record: StatusRecord): void {
    this.#hook = { record, isDoubted: false };
    if (this.#agent) this.#lookSoon();
  }

  /** Somebody typed. */
  typed(bytes: Uint8Array): void {
    const leaves = leavesText(bytes);
    if (leaves === false) this.#isEntered = true;
    if (leaves !== undefined) this.#openAt = leaves ? this.#parts.clock.monotonic() : undefined;
    if (this.#hook && isDoubtedBy(this.#hook.record, bytes)) this.#hook = { ...this.#hook, isDoubted: true };
    if (this.#agent && interrupts(bytes)) {
      this.#isDoubted = true;
      this.#interruptedAt = this.#parts.clock.monotonic();
      this.#lookSoon();
    }
  }

  /** The shell is at its prompt or begins a command: what was said before is not of the next program. */
  shellIs(): void {
    this.#drop();
    this.#titleBefore = this.#title.text;
    this.#met(null);
  }

  /** The session's program ended. An agent that was it stays, with how it ended. */
  over(exit: ExitStatus | null): void {
    this.#isOver = true;
    this.#drop();
    if (this.#agent && exit) this.#judge(exit);
    this.stop();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #drop(): void {
    this.#records.drop();
    this.#hook = undefined;
  }

  #met(front: Foreground | null): void {
    const { presets, opened } = this.#parts;
    const preset = opened ? named(presets, opened.name) : presetOf(presets, front);
    const had = this.#agent;
    if (had) this.#drop();
    this.#agent = preset && front ? { preset, front, at: this.#parts.clock.monotonic(), wasRead: false } : undefined;
    this.#judged = undefined;
    this.#isDoubted = false;
    this.#isEntered = false;
    this.#turn = "none";
    if (had && !this.#agent) this.#changed(null, "gone");
  }

  #lookSoon(): void {
    const wait = this.#lookedAt + LOOK_MS - this.#parts.clock.monotonic();
    if (wait <= 0) return this.#look();
    this.#cancel ??= this.#parts.clock.after(wait, () => this.#look());
  }

  #look(): void {
    this.stop();
    if (this.#agent) this.#judge(null);
  }

  #judge(exit: ExitStatus | null): void {
    const { clock } = this.#parts;
    const [agent, picture, now] = [this.#agent, this.#parts.screen(), clock.monotonic()];
    if (!agent || (!picture && !exit)) return;
    this.#lookedAt = now;
    if (picture && picture.title !== this.#title.text) this.#title = { text: picture.title, at: now };
    const { text } = this.#title;
    const evidence: AgentEvidence = {
      exit,
      status: this.#records.of(agent.preset.apps),
      isDoubted: this.#isDoubted,
      isEntered: this.#isEntered,
      hook: this.#hook,
      title: text === this.#titleBefore ? "" : text,
      titleAgeMs: now - this.#title.at,
      rows: picture?.rows ?? [],
      newMs: agent.wasRead ? null : now - agent.at,
    };
    this.#take(agent, judgeAgent(agent.preset, evidence));
  }

  #take(agent: Agent, next: Judgement): void {
    const before = this.#judged;
    agent.wasRead ||= next.source !== "none";
    const now = this.#parts.clock.monotonic();
    this.#lostAt = next.state === "unknown" ? (this.#lostAt ?? now) : undefined;
    const left = this.#lostAt === undefined ? 0 : this.#lostAt + UNKNOWN_AFTER_MS - now;
    if (before && before.state !== "unknown" && left > 0) {
      this.#cancel ??= this.#parts.clock.after(left, () => this.#look());
      return;
    }
    this.#judged = next;
    const isOther = before?.state !== next.state || before.kind !== next.kind;
    const isSame = before?.evidence === next.evidence;
    // While it works, its line counts seconds. What it asks is told as it stands.
    const isAsked = next.state === "blocked" && !isSame;
    if (isOther || isAsked || next.source === "status" || next.source !== before?.source) this.#why = this.#told(next);
    // A program that says something else of itself does so on purpose. A row that is drawn after it says nothing new.
    const isSaid = next.source === "status" && !isSame && next.row === undefined && before?.row === undefined;
    if (!isOther && !isSaid) return;
    this.#since = this.#parts.clock.now();
    this.#turn = this.#turnAfter(next.state);
    this.#changed(this.status, next.rule);
  }

  #turnAfter(state: Judgement["state"]): "none" | "began" | "over" {
    if (state === "working") return "began";
    if (state === "blocked" || state === "unknown") return this.#turn === "over" ? "none" : this.#turn;
    const isInterrupted = this.#parts.clock.monotonic() - this.#interruptedAt < INTERRUPTED_MS;
    return state === "idle" && this.#turn === "began" && !isInterrupted ? "over" : "none";
  }
}
