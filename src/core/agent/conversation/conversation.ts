// What agents say and do in one session. Owns: the current turn, its performer (performers.ts) and its record
// (ledger.ts). It survives the daemon: an unfinished turn is paused after a restart, and resume continues it.
import type { AgentControl, AgentStatus, Tokens, TurnOutcome } from "../../../protocol/ops/agent.ts";
import { isOwner } from "../../../protocol/plain/person-name.ts";
import { type Cancelled, deferred } from "../../base/cancellation.ts";
import type { Clock } from "../../base/clock.ts";
import { exact } from "../../base/exact.ts";
import { type Fault, fault, isFault } from "../../base/fault.ts";
import { never } from "../../base/never.ts";
import type { Approval } from "../../gate/approvals.ts";
import { isPrompt } from "../driver/trim.ts";
import { nothingToLead, refusal } from "../driver/turn-control.ts";
import type { AgentEvent, StampedEvent } from "../events.ts";
import type { Ask, Performer, StopReason } from "../performer.ts";
import { Ledger } from "./ledger.ts";
import { Performers, type PerformersParts } from "./performers.ts";
import { ASKED, Questions } from "./questions.ts";
import { CAREFUL_SETTINGS, type TranscriptLines, type TurnSettings } from "./transcript.ts";

export interface ConversationParts {
  readonly session_id: string;
  readonly clock: Clock;
  /** conversation.jsonl of the session. */
  readonly lines: TranscriptLines;
  /** The name by which this agent acts: agent:NAME. */
  nameOf(agent: string): string;
  /** Makes the performer of an agent's turns. Called once per agent and kept until dispose or another agent. */
  readonly performerFor: PerformersParts["performerFor"];
  /** Sends an event to viewers. */
  publish(event: StampedEvent): void;
}

export const RESTARTED_NOTE = "the daemon was restarted; resume goes on";
/** The observations for a running call and for those queued after it. */
const AT_RESTART = {
  ran: "not known: the daemon was restarted while this ran. Look at the screen before you repeat it.",
  queued: "not run: the daemon was restarted before it could begin.",
};
const AT_END = { ran: "not known: the turn was over first", queued: "not run: the turn was over first" };
/** We drop a performer that does not end after a stop, because the person wants to continue. */
const STOP_WAIT_MS = 2_000;

interface UnderWay {
  readonly performer: Performer;
  readonly over: Promise<void>;
  readonly end: () => void;
  tokens: Tokens | null;
  cancelWait: (() => void) | undefined;
}

export class Conversation {
  #parts: ConversationParts;
  #ledger: Ledger;
  #performers: Performers;
  #questions = new Questions();
  #turn: UnderWay | undefined;
  #beginning: { stopped: boolean } | undefined;
  #disposed = false;

  constructor(parts: ConversationParts) {
    this.#parts = parts;
    this.#ledger = new Ledger(parts);
    this.#performers = new Performers({
      performerFor: parts.performerFor,
      tell: (event) => this.#onEvent(event),
      remember: (entry) => void (this.#turn && this.#ledger.remember(entry)),
      thread: () => this.#ledger.thread,
      noteThread: (thread) => this.#ledger.noteThread(thread),
    });
    if (this.#ledger.state.open && this.#ledger.state.note !== RESTARTED_NOTE)
      this.#ledger.tell({ type: "status", state: "paused", note: RESTARTED_NOTE });
  }

  /** Resolves when the turn has begun, or failed to. */
  async ask({ text, agent, model, actor, step_by_step, max_steps, time_limit_ms }: Ask): Promise<AgentStatus | Fault> {
    const settings: TurnSettings = { agent, model: model ?? null, step_by_step, max_steps, time_limit_ms };
    return this.#begin(settings, (performer) => {
      if (this.#ledger.state.open) this.#abandon();
      this.#ledger.set(settings);
      // We mark another agent's words, because they are not the person's.
      this.#ledger.remember({
        role: "person",
        text: isOwner(actor) ? text : `[${actor} asks, not the person]\n${text}`,
      });
      this.#ledger.tell({ type: "prompt", actor, agent, text });
      this.#perform(performer, settings, text);
    });
  }

  async control(action: AgentControl): Promise<AgentStatus | Fault> {
    switch (action) {
      case "pause":
        return this.#led((performer) => performer.pause());
      case "step":
        return this.#led((performer) => performer.step());
      case "resume":
        return this.#isLeft ? this.#resume() : this.#led((performer) => performer.resume() ?? this.#freely());
      case "stop":
        await this.#stop("person");
        return this.status();
      default:
        return never(action);
    }
  }

  events(since: number, limit: number): readonly StampedEvent[] {
    return this.#ledger.events(since, limit);
  }

  /** Resolves when there is an event after `since`, at the deadline, or when the caller is gone. */
  next(since: number, timeout_ms: number, cancelled?: Cancelled): Promise<void> {
    return this.#ledger.next(since, timeout_ms, cancelled);
  }

  status(): AgentStatus {
    const { agent, state, note, outcome, steps, plan } = this.#ledger.state;
    const { session_id } = this.#parts;
    const steps_max = this.#ledger.settings?.max_steps ?? 0;
    const step_by_step = this.#ledger.settings?.step_by_step ?? false;
    const approval_id = this.#questions.first;
    const seq = this.#ledger.seq;
    return { session_id, agent, state, note, outcome, steps, steps_max, step_by_step, plan, approval_id, seq };
  }

  /** Who asked last. */
  get asker(): string | null {
    return this.#ledger.state.asker;
  }

  /** The next turn gets a new performer, because its settings have changed. */
  recast(): void {
    this.#performers.recast();
  }

  /** Whether it can be dropped from memory and read again from its file. */
  get quiet(): boolean {
    return !this.#turn && !this.#beginning && this.#performers.empty && !this.#ledger.awaited;
  }

  /** A question of this session was asked or settled. We ignore those of other agents. */
  approval(approval: Approval): void {
    const { agent, call, state, note } = this.#ledger.state;
    const { session_id, nameOf } = this.#parts;
    if (!this.#turn || this.#turn.cancelWait || agent === null || approval.session_id !== session_id) return;
    if (approval.actor !== `agent:${nameOf(agent)}`) return;
    const { approval_id, kind } = approval;
    const change = this.#questions.tell(approval, { state, note });
    if (change === "foreign") return;
    if (change === "asked") {
      const about = call ?? { call_id: approval_id, tool: kind };
      this.#ledger.tell({ type: "proposal", ...about, approval_id, text: exact(approval.text) });
      this.#ledger.tell({ type: "status", ...ASKED });
    } else if (change.answered) this.#ledger.tell({ type: "status", ...change.answered });
  }

  held(who: "person" | "nobody", reason: string | null): void {
    if (reason === "stop") void this.#stop("person");
    this.#performers.held(who);
  }

  /** The session's program ended. No agent is asked here again, so its performer and its keys are dropped. */
  async exited({ exit_code, signal }: { exit_code: number | null; signal: string | null }): Promise<void> {
    if (this.#ledger.state.exited) return;
    this.#ledger.tell({ type: "exit", exit_code, signal });
    await this.#stop("exit");
    await this.#performers.drop();
  }

  /** Cancels the current turn, which stays unfinished in the file and can be resumed. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    this.#ledger.close();
    this.#turn?.performer.stop("shutdown");
    await this.#performers.dispose();
  }

  /** A turn did not end when the daemon did. */
  get #isLeft(): boolean {
    return this.#ledger.state.open && !this.#turn;
  }

  /** `go` runs in the same turn of the event loop as the check that nobody stopped it. */
  async #begin({ agent, model }: TurnSettings, go: (performer: Performer) => void): Promise<AgentStatus | Fault> {
    if (this.#ledger.state.exited) return fault("session.ended", "its program has ended", "Open another session.");
    const worker = this.#ledger.state.agent ?? agent;
    if (this.#turn || this.#beginning)
      return fault("agent.busy", `${worker} is busy`, "Stop it, or wait until it is done.");
    const beginning = { stopped: false };
    this.#beginning = beginning;
    try {
      const performer = await this.#performers.of(agent, model);
      if (isFault(performer)) return performer;
      if (beginning.stopped || this.#disposed)
        return fault("agent.unavailable", "it was stopped before it started", "Ask again.");
      go(performer);
      return this.status();
    } finally {
      this.#beginning = undefined;
    }
  }

  #perform(performer: Performer, settings: TurnSettings, text: string): void {
    const { promise: over, resolve: end } = deferred();
    const turn: UnderWay = { performer, over, end, tokens: null, cancelWait: undefined };
    this.#turn = turn;
    const { step_by_step, time_limit_ms } = settings;
    const max_steps = Math.max(0, settings.max_steps - this.#ledger.state.steps);
    void performer.perform({ text, step_by_step, max_steps, time_limit_ms }, [...this.#ledger.history]).then(
      (outcome) => this.#over(turn, outcome),
      (error: unknown) => this.#broke(turn, error),
    );
  }

  #over(turn: UnderWay, outcome: TurnOutcome): void {
    if (this.#turn !== turn) return;
    turn.cancelWait?.();
    this.#ledger.answerOpenCalls(AT_END);
    this.#turn = undefined;
    this.#end(outcome, turn.tokens);
    turn.end();
  }

  /** The port forbids rejections, but a turn without an end would be worse. */
  #broke(turn: UnderWay, error: unknown): void {
    const message = `internal: ${error instanceof Error ? error.message : String(error)}`;
    if (this.#turn === turn)
      this.#ledger.tell({ type: "trouble", message, hint: "This is a bug: report it.", retry_in_ms: null });
    this.#over(turn, "failed");
  }

  #end(outcome: TurnOutcome, tokens: Tokens | null): void {
    this.#questions.forget();
    this.#ledger.tell({ type: "ended", outcome, steps: this.#ledger.state.steps, tokens });
    this.#ledger.tell({ type: "status", state: "idle", note: null });
  }

  async #resume(): Promise<AgentStatus | Fault> {
    const settings = this.#ledger.settings ?? { ...CAREFUL_SETTINGS, agent: this.#ledger.state.agent ?? "" };
    const text = this.#ledger.history.findLast(isPrompt)?.text ?? "";
    return this.#begin(settings, (performer) => {
      this.#ledger.answerOpenCalls(AT_RESTART);
      this.#perform(performer, settings, text);
    });
  }

  #abandon(): void {
    this.#ledger.answerOpenCalls(AT_RESTART);
    this.#end("stopped", null);
  }

  #stop(why: StopReason): Promise<void> | undefined {
    if (this.#beginning) this.#beginning.stopped = true;
    const turn = this.#turn;
    if (!turn) {
      if (this.#ledger.state.open) this.#abandon();
      return undefined;
    }
    turn.cancelWait ??= this.#parts.clock.after(STOP_WAIT_MS, () => {
      this.#over(turn, "stopped");
      void this.#performers.drop();
    });
    turn.performer.stop(why);
    return turn.over;
  }

  #led(lead: (performer: Performer) => Fault | undefined): AgentStatus | Fault {
    if (this.#isLeft) return refusal(RESTARTED_NOTE, "Resume it, stop it, or ask for something else.");
    return (this.#turn ? lead(this.#turn.performer) : nothingToLead()) ?? this.status();
  }

  /** Resuming a step-by-step turn lets it run freely from there on. */
  #freely(): undefined {
    if (this.#ledger.settings?.step_by_step) this.#ledger.set({ ...this.#ledger.settings, step_by_step: false });
  }

  #onEvent(event: AgentEvent): void {
    if (!this.#turn) return;
    switch (event.type) {
      case "ended":
        this.#turn.tokens = event.tokens;
        return;
      case "step":
        return this.#ledger.tell({ ...event, step: this.#ledger.state.steps + 1 });
      case "status":
        // We decide ourselves when it is idle: after the end.
        if (event.state === "idle" || this.#questions.hides(event)) return;
        return this.#ledger.tell(event);
      case "prompt":
      case "exit":
        return;
      case "observation":
        if (this.#ledger.state.call?.call_id === event.call_id) this.#questions.forget();
        return this.#ledger.tell(event);
      default:
        return this.#ledger.tell(event);
    }
  }
}
