// The only door to the PTY's input. Owns: the hold, the agents' permissions, and the order of input. Refuses: to
// know transports, to remember questions (approvals.ts), to judge risk (risk/) or policy (policy.ts). Every byte is
// attributed before it is written. Keys are never logged; the command line of a run is.

import { isPerson } from "../../protocol/plain/person-name.ts";
import type { Clock } from "../base/clock.ts";
import { type Fault, fault } from "../base/fault.ts";
import type { Holding, InputNumber, Probe, TerminalQuery } from "../journal/holding.ts";
import type { SessionFiles } from "../journal/store.ts";
import type { Redactor } from "../redact/redactor.ts";
import { TypedSecrets } from "../redact/typed-secrets.ts";
import { type Actor, actorName, notedAs } from "./actor.ts";
import { AgentLane, type AgentLaneParts } from "./agent-lane.ts";
import { type Approval, handsOver } from "./approvals.ts";
import type { AgentInput, Epoch } from "./gate-for-agents.ts";
import { AGENT_IDLE_MS, type Hold, Holds, isOnPurpose, PERSON_IDLE_MS, type TakenFor } from "./hold.ts";
import type { Origins, RunOrigin } from "./origins.ts";
import { PersonNote } from "./person-note.ts";
import type { Policy } from "./policy.ts";
import { type Admitted, echoOffFault } from "./settle.ts";

const INTERRUPT = Uint8Array.of(0x03);

interface GateParts extends AgentLaneParts {
  readonly files: SessionFiles;
  readonly clock: Clock;
  readonly origins: Origins;
  readonly policy: Policy;
  readonly eyes: Pick<Redactor, "knowTyped" | "event">;
  /** How much of the output is on the screen. Input typed now answers that. */
  cursor(): number;
  /** The session's own program: the shell, if it is one. */
  leader(): number | null;
  /** The program now, at a journal position that `place` already knows. */
  probe(): Promise<Probe>;
  /** Why no agent may do anything anywhere: a person stopped them all. */
  halted(actor: Actor): Fault | undefined;
}

export interface GateEvents {
  held(hold: Hold, before: Hold): void;
  typed(bytes: Uint8Array): void;
  beforeRun(): void;
  changed(policy: Policy): void;
}

export class Gate {
  #parts: GateParts;
  #on: GateEvents;
  #holding: Holding | undefined;
  #holds: Holds;
  #policy: Policy;
  readonly agentLane: AgentLane;
  /** Rises when a person takes the keyboard or stops agents. Input that waited across that is dropped. */
  #epoch: Epoch = { takes: 0, stops: 0 };
  #said = new PersonNote();
  #typedSecrets = new TypedSecrets((value) => this.#parts.eyes.knowTyped(value));
  #inputs = 0;
  #cancelLapse: (() => void) | undefined;
  #pressed = { run_id: "", takes: 0, cursor: 0 };
  /** The agent that had the keyboard before it was handed over. */
  #handedFrom: Actor | undefined;

  constructor(parts: GateParts, on: GateEvents) {
    [this.#parts, this.#on, this.#policy] = [parts, on, parts.policy];
    this.#holds = new Holds((hold, before) => {
      this.log({ kind: "hold", hold: hold.who, reason: hold.reason, note: hold.note });
      on.held(hold, before);
    });
    this.agentLane = new AgentLane(parts, {
      epoch: () => this.#epoch,
      policy: () => this.#policy,
      leader: () => (this.#holding ? parts.leader() : null),
      probe: async () => (this.#holding ? parts.probe() : undefined),
      refused: (actor, what, probe, since) => this.#refused(actor, what, probe, since),
      type: (actor, bytes) => this.#type(actor, bytes),
      log: (event) => this.log(event),
      pause: (ms) => new Promise((resolve) => void parts.clock.after(ms, resolve)),
    });
  }

  get hold(): Hold {
    return this.#holds.now;
  }
  get policy(): Policy {
    return this.#policy;
  }
  /** Whether a person is asked something. */
  get asks(): boolean {
    return this.#parts.approvals.list("pending", this.#parts.session_id).length > 0;
  }
  /** How often something was typed. */
  get inputs(): number {
    return this.#inputs;
  }
  open(holding: Holding): void {
    this.#holding = holding;
  }

  /** While shut, nothing reaches the PTY: before the start, after the end, and when the holder is gone. */
  shut(): void {
    this.#holding = undefined;
    this.#cancelLapse?.();
    this.#parts.approvals.cancelAll(this.#parts.session_id);
  }
  setPolicy(changes: Partial<Policy>, actor: Actor): void {
    this.#policy = { ...this.#policy, ...changes };
    this.agentLane.forget();
    this.log({ kind: "policy", ...notedAs(actor), ...this.#policy });
    this.#on.changed(this.#policy);
  }

  take(reason: TakenFor, note: string | null, by: Actor = { kind: "person" }): void {
    this.#epoch = { takes: this.#epoch.takes + 1, stops: this.#epoch.stops + 1 };
    this.agentLane.forget();
    this.#said.say(null);
    this.#holds.take(reason, note, this.#now(), actorName(by));
  }

  /** An agent hands the keyboard to a person. A keyboard that a person took on purpose stays theirs. */
  handToPerson(message: string): void {
    if (isOnPurpose(this.hold)) return;
    this.#handedFrom = this.#holds.agent;
    this.take("handed_over", message);
  }

  /** A question was settled. If it handed the keyboard over, the agent goes on, unless the person said no. */
  settled({ kind, state, answer }: Approval): void {
    if (!handsOver(kind) || state === "pending" || this.hold.reason !== "handed_over") return;
    if (state === "denied") return this.take("manual", answer);
    if (!this.#handedFrom) return this.#holds.release();
    this.#holds.agentTyped(this.#handedFrom, this.#now());
    this.#lapseLater();
  }

  /** A person gives the keyboard back. Agents hear their note, and it answers those that asked a person to take over. */
  release(note: string | null = null): void {
    const { approvals, session_id } = this.#parts;
    const isGivenBack = isPerson(this.hold.who);
    this.#said.say(note);
    this.#holds.release(note);
    if (!isGivenBack) return;
    for (const { approval_id, actor } of approvals.list("pending", session_id).filter(({ kind }) => handsOver(kind))) {
      this.#said.hear(actor);
      approvals.settle(approval_id, { state: "approved", answer: note });
    }
  }

  /** An agent gives the keyboard back. Its note is only logged, because others would take it for a person's word. */
  letGo(actor: Actor, note: string | null): Fault | undefined {
    const refused = this.#holds.letGo(actor);
    if (!refused && note !== null) this.log({ kind: "release", actor: actorName(actor), note });
    return refused;
  }
  /** What a person said when they gave the keyboard back, once for each agent. */
  noteFor(actor: Actor): string | null {
    return this.#said.hear(actorName(actor));
  }

  /** No agent's input is written after this returns. */
  stop(): number {
    this.take("stop", null);
    return this.#parts.approvals.cancelAll(this.#parts.session_id);
  }

  /** A prompt came. A person's hold by typing ends, unless they have typed since; an agent's ends when it stays quiet. */
  lapse(at: number): void {
    this.#holds.prompted(at);
    this.#lapseLater();
  }

  /** A person's input is written at once, whatever an agent was about to do. */
  submit(actor: Actor, bytes: Uint8Array, number?: InputNumber): "written" | "shut" {
    if (!this.#holding) return "shut";
    if (!isPerson(this.hold.who)) this.#epoch = { ...this.#epoch, takes: this.#epoch.takes + 1 };
    this.agentLane.forget();
    this.#holds.personTyped(this.#now(), actorName(actor));
    this.#lapseLater();
    this.#note(actor, bytes);
    if (!this.#parts.place().atPrompt) this.#typedSecrets.typed(bytes, this.#holding.echo());
    this.#holding.write(bytes, number);
    this.#on.typed(bytes);
    return "written";
  }

  /** Takes back an agent's line that the shell considers incomplete. */
  async interrupt(actor: Actor): Promise<"written" | "shut" | Fault> {
    if (actor.kind !== "agent") return this.submit(actor, INTERRUPT);
    return this.#refused(actor, "line", undefined, this.#epoch) ?? this.#type(actor, INTERRUPT);
  }
  /** How long ago its holder did something. */
  get stillMs(): number {
    return this.#now() - this.#holds.at;
  }

  /** A keyboard that a person took on purpose stays taken after a restart. */
  restore(events: readonly unknown[]): void {
    const note = this.#holds.restore(events, this.#now());
    if (note !== null) this.release(note);
    this.agentLane.restore(events);
  }

  /** Presses the key that makes the shell take the prepared line. A half line stays with whoever typed it. */
  async handOver(
    actor: Actor,
    run: RunOrigin,
    admitted: Admitted,
    key: Uint8Array,
  ): Promise<"written" | "shut" | Fault> {
    if (!this.#holding) return "shut";
    this.log({ kind: "run", ...run, rule: admitted.rule });
    this.agentLane.handed(run.run_id, admitted);
    this.#on.beforeRun();
    this.#pressed = { run_id: run.run_id, takes: this.#epoch.takes, cursor: this.#parts.cursor() };
    if (actor.kind !== "agent") this.#holding.write(key);
    else if ((await this.#holding.type(key)) !== "written") return echoOffFault();
    return "written";
  }

  /** The shell took the line whose key was pressed. An agent then has the keyboard, unless a person typed meanwhile. */
  handedOver(actor: Actor, key: Uint8Array): void {
    const { run_id, takes, cursor } = this.#pressed;
    if (actor.kind !== "agent" || takes === this.#epoch.takes) {
      this.#holds.ran(actor, this.#now());
      this.#lapseLater();
    }
    this.#note(actor, key, cursor, run_id);
  }

  /** Presses a key that only our shell scripts know. It types nothing, so it is nobody's input. */
  press(key: Uint8Array): "written" | "shut" {
    if (!this.#holding) return "shut";
    this.#holding.write(key);
    return "written";
  }

  /** The engine's answers to the program's queries. They have their own lane, without hold or verdict. */
  reply(bytes: Uint8Array, to: TerminalQuery): void {
    this.#holding?.reply(bytes, to);
  }

  log(event: object): void {
    this.#parts.files.appendLine("events", this.#parts.eyes.event({ ts: this.#parts.clock.now(), ...event }));
  }

  /** Without marks we do not know when a person is done. An agent at a prompt may come back. */
  #lapseLater(): void {
    this.#cancelLapse?.();
    this.#cancelLapse = undefined;
    const { shell, atPrompt } = this.#parts.place();
    const isAgent = this.hold.who.startsWith("agent:");
    if (shell !== null && !(isAgent && atPrompt)) return;
    this.#cancelLapse = this.#parts.clock.after(isAgent ? AGENT_IDLE_MS : PERSON_IDLE_MS, () => {
      if (shell !== null && !this.#parts.place().atPrompt) return;
      this.#holds.lapse();
      this.#holds.idle(this.#now());
    });
  }

  #now(): number {
    return this.#parts.clock.monotonic();
  }

  /** Writes an agent's bytes. The holder checks echo again when it writes them. */
  async #type(actor: Actor, bytes: Uint8Array): Promise<"written" | "shut" | Fault> {
    if (!this.#holding) return "shut";
    this.#holds.agentTyped(actor, this.#now());
    this.#lapseLater();
    this.#note(actor, bytes);
    const written = await this.#holding.type(bytes);
    this.#on.typed(bytes);
    return written === "written" ? "written" : echoOffFault();
  }

  /** Logs who, how much and when, never what. */
  #note(actor: Actor, bytes: Uint8Array, cursor = this.#parts.cursor(), run_id?: string): void {
    this.#inputs += 1;
    this.log({ kind: "input", ...notedAs(actor), bytes: bytes.length, cursor, run_id });
    this.#parts.origins.typed(actorName(actor), cursor, run_id, bytes);
  }

  /** Why an agent may not have a line run right now. */
  refuses(actor: Actor): Fault | undefined {
    if (actor.kind === "person") return undefined;
    return this.#parts.halted(actor) ?? this.#holds.refuses(actor, "line", this.#now());
  }

  #refused(actor: Actor, what: AgentInput, probe: Probe | undefined, since: Epoch): Fault | undefined {
    const halted = this.#parts.halted(actor);
    if (halted) return halted;
    // A line runs at an empty prompt, so a person's typing does not block it, but a stop does.
    const passed = what === "line" ? since.stops !== this.#epoch.stops : since.takes !== this.#epoch.takes;
    if (passed) {
      const held = this.#holds.refuses(actor, what, this.#now());
      return held ?? fault("gate.held", "a person took the keyboard meanwhile", "Read the screen before you go on.");
    }
    if (probe?.echo === "off") return echoOffFault();
    return this.#holds.refuses(actor, what, this.#now());
  }
}
