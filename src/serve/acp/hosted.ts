// A foreign agent as the performer of a conversation, over ACP. Owns: its program, from the first turn on, and
// the current turn. Refuses: to judge what it does; our tools go through the gate, its own through permissions.ts.

import { randomUUID } from "node:crypto";
import type { Entry } from "../../core/agent/history.ts";
import type { ConversationLink, Performer, StopReason, Turn } from "../../core/agent/performer.ts";
import { Cancel, type Cancelled } from "../../core/base/cancellation.ts";
import type { Clock } from "../../core/base/clock.ts";
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import { never } from "../../core/base/never.ts";
import type { Approvals } from "../../core/gate/approvals.ts";
import type { Session } from "../../core/session/session.ts";
import type { TurnOutcome } from "../../protocol/ops/agent.ts";
import { hostedMarker } from "../markers.ts";
import { environment } from "../opening/open.ts";
import { AgentProcess, type AgentProcessParts } from "./agent-process.ts";
import { briefing } from "./briefing.ts";
import { notLed } from "./not-led.ts";
import { Permissions } from "./permissions.ts";
import { type OpenAsk, Terminals } from "./terminals.ts";
import { Updates } from "./updates.ts";

/** Time between session/cancel and the end of the tree. Agents close their streams within a second. */
const STOP_GRACE_MS = 3_000;
/** The longest that a timer can wait: 24 days. */
const HOSTING_MS_MAX = 2 ** 31 - 1;

interface HostedParts {
  /** The actor is agent:NAME. */
  readonly name: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly link: ConversationLink;
  /** The conversation's own. */
  readonly session: Session;
  readonly approvals: Approvals;
  /** Our MCP server as a command for the agent to start. */
  readonly mcp: AgentProcessParts["mcp"];
  /**
   * Opens a visible session for terminal/create, judged by the gate like anything an agent opens. A question about it
   * is given up when `cancelled` says so: the turn was stopped or is over.
   */
  open(ask: OpenAsk, cancelled: Cancelled): Promise<Session | Fault>;
  readonly clock: Clock;
  /** How long starting a session may take. The default is in agent-process.ts. */
  readonly open_ms?: number;
}

/** The current turn. Its `cancelled` ends when somebody cancels it. */
interface Underway {
  readonly cancelled: Cancel;
  readonly steps_max: number;
  /** Resolves when its program was ended. */
  readonly forced: Cancel;
  over: "stopped" | "limit" | null;
}

export class HostedAgent implements Performer {
  #parts: HostedParts;
  #updates: Updates;
  #permissions: Permissions;
  #terminals: Terminals;
  #process: AgentProcess | undefined;
  /** It knows where it works and everything that was said. */
  #informed: AgentProcess | undefined;
  /** Ends with the agent's process. */
  #hosting: Cancel | undefined;
  #dropped: Promise<void> | undefined;
  /** Resolves when the programs that it opened have ended. */
  #closing: Promise<void> | undefined;
  #turn: Underway | undefined;
  #disposed = false;

  constructor(parts: HostedParts) {
    const { name, session, approvals, link, cwd } = parts;
    this.#parts = parts;
    const actor = { kind: "agent" as const, name };
    this.#terminals = new Terminals({
      actor,
      cwd,
      open: (ask, cancelled) => parts.open(ask, cancelled),
      cancelled: () => this.#turn?.cancelled ?? ended(),
    });
    this.#updates = new Updates({
      link,
      isTerminal: (id) => this.#terminals.has(id),
      stepped: (steps) => this.#stepped(steps),
    });
    this.#permissions = new Permissions({ actor: `agent:${name}`, session, approvals, updates: this.#updates });
  }

  async perform(turn: Turn, history: readonly Entry[]): Promise<TurnOutcome> {
    const { clock } = this.#parts;
    const forced = new Cancel();
    const underway: Underway = { cancelled: new Cancel(), forced, steps_max: turn.max_steps, over: null };
    this.#turn = underway;
    this.#updates.begin();
    this.#updates.state("thinking");
    const inTime = clock.after(turn.time_limit_ms, () =>
      this.#limit(`the time limit of ${turn.time_limit_ms} ms was reached`),
    );
    const isForced = new Promise<undefined>((resolve) => forced.onCancel(() => resolve(undefined)));
    const outcome = await Promise.race([this.#play(underway, turn, history), isForced]);
    inTime();
    // A turn that we had to end is over when none of its processes and opened programs is left.
    await Promise.all([this.#dropped, this.#closing]);
    this.#updates.mute();
    this.#turn = undefined;
    // Later requests for this turn come too late.
    underway.cancelled.end();
    return underway.over ?? outcome ?? "failed";
  }

  // The protocol has no pause. An agent without an answer still thinks, and does what needs no answer.
  pause(): Fault {
    return notLed("be paused");
  }
  resume(): Fault {
    return notLed("be resumed");
  }
  step(): Fault {
    return notLed("work step by step");
  }

  stop(why: StopReason = "person"): void {
    this.#halt(why === "shutdown" ? why : "stopped");
  }

  held(): void {
    // Its calls of our tools are refused meanwhile, with the reason.
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    this.stop("shutdown");
    await this.#drop();
    this.#turn?.forced.end();
  }

  async #play(underway: Underway, turn: Turn, history: readonly Entry[]): Promise<TurnOutcome> {
    const agentProcess = this.#process?.alive ? this.#process : await this.#start();
    const isInformed = this.#informed === agentProcess;
    // Until it answers, we assume that it missed this turn. The next time it gets the history in words.
    this.#informed = undefined;
    if (underway.over) return underway.over;
    if (isFault(agentProcess)) return this.#unheard(agentProcess);
    const { session, name } = this.#parts;
    // It writes files by itself. What it does in one turn can be undone as one step.
    await session.keepFiles({ kind: "agent", name }, { text: turn.text, rule: "turn", names: [] });
    if (underway.over) return underway.over;
    const text = isInformed ? turn.text : briefing(session.id, history, turn.text);
    const reason = await agentProcess.prompt(text);
    if (!isFault(reason)) {
      this.#informed = agentProcess;
      this.#parts.link.noteThread(agentProcess.sessionId);
    }
    // Nothing else knows the programs that it opened.
    if (!agentProcess.alive) await this.#terminals.end();
    if (underway.over) return underway.over;
    if (isFault(reason)) return this.#unheard(reason);
    switch (reason) {
      case "end_turn":
        return "done";
      case "cancelled":
        return "stopped";
      case "refusal":
        return this.#trouble(fault("agent.unavailable", "the agent's model refused this", "Ask in another way."));
      case "max_tokens":
      case "max_turn_requests":
        this.#trouble(fault("agent.unavailable", `the agent's own limit is reached (${reason})`, "Ask it to go on."));
        return "limit";
      default:
        return never(reason);
    }
  }

  async #start(): Promise<AgentProcess | Fault> {
    const { name, argv, env, cwd, clock, mcp, link, open_ms } = this.#parts;
    await this.#drop();
    if (this.#disposed) return fault("agent.unavailable", "the agent was ended before it began", "Ask again.");
    const started = await AgentProcess.start({
      tree: {
        argv,
        cwd,
        env: environment(env, {}),
        marker: hostedMarker(name, randomUUID()),
      },
      mcp,
      clock,
      terminals: this.#terminals,
      updated: (update) => this.#updates.take(update),
      permission: (request) => this.#permissions.answer(request, this.#turn?.cancelled ?? ended()),
    });
    if (isFault(started)) return started;
    this.#process = started;
    void this.#endWithSession();
    // It was stopped before there was a process to end.
    if (this.#disposed || this.#turn?.over) await this.#drop();
    const failed = await started.open(link.thread(), open_ms);
    if (failed) await this.#drop();
    else if (started.continues) this.#informed = started;
    return failed ?? started;
  }

  /** Ends a process that is no longer needed, because it is large. */
  async #endWithSession(): Promise<void> {
    const { session } = this.#parts;
    const hosting = new Cancel();
    this.#hosting = hosting;
    await session.wait({ any: [{ exit: true }], timeout_ms: HOSTING_MS_MAX }, hosting);
    if (session.over && !hosting.ended) await this.#drop();
  }

  #stepped(steps: number): void {
    const max = this.#turn?.steps_max ?? Number.POSITIVE_INFINITY;
    if (steps > max) this.#limit(`the limit of ${max} steps was reached`);
  }

  #limit(why: string): void {
    if (!this.#turn || this.#turn.over) return;
    this.#trouble(fault("agent.unavailable", `${why}: the turn is ended`, "Ask it to go on, or give it more."));
    this.#halt("limit");
  }

  /** At once nothing more is reported or permitted. Then the agent may stop by itself, or we end it. */
  #halt(why: "stopped" | "limit" | "shutdown"): void {
    const underway = this.#turn;
    if (!underway || underway.over) return;
    underway.over = why === "limit" ? why : "stopped";
    // Until it answers we do not know what it kept of this turn. After a shutdown it gets the same prompt again.
    if (why !== "shutdown") this.#parts.link.noteThread(null);
    this.#updates.mute();
    underway.cancelled.end();
    this.#process?.cancel();
    // The end of the turn also waits for their end.
    this.#closing = this.#terminals.end();
    this.#parts.clock.after(STOP_GRACE_MS, () => {
      if (this.#turn === underway) void this.#drop().then(() => underway.forced.end());
    });
  }

  async #drop(): Promise<void> {
    const agentProcess = this.#process;
    this.#process = undefined;
    this.#hosting?.end();
    // Another caller that drops it meanwhile waits for the same end.
    if (agentProcess) this.#dropped = agentProcess.end();
    this.#closing = this.#terminals.end();
    await Promise.all([this.#dropped, this.#closing]);
  }

  /** Its kept session may lack this turn or may be what killed it, so we do not continue it. */
  #unheard(wrong: Fault): "failed" {
    this.#parts.link.noteThread(null);
    return this.#trouble(wrong);
  }

  #trouble({ message, hint }: Fault): "failed" {
    this.#updates.tell({ type: "trouble", message, hint, retry_in_ms: null });
    return "failed";
  }
}

function ended(): Cancel {
  const cancelled = new Cancel();
  cancelled.end();
  return cancelled;
}
