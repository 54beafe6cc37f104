// One PTY with its journal, screen, blocks, viewers and gate, and what callers can ask of it. Refuses: to know transports, and
// to keep anything that the journal does not have. assembly.ts says how its pieces hear of each other.
import type { SessionState } from "../../protocol/ops/session.ts";
import { isPerson } from "../../protocol/plain/person-name.ts";
import type { Cancelled } from "../base/cancellation.ts";
import { exact } from "../base/exact.ts";
import { type Fault, isFault } from "../base/fault.ts";
import type { BoxNetwork } from "../box/box-network.ts";
import { type Actor, actorName, notedAs } from "../gate/actor.ts";
import { type Approval, handsOver } from "../gate/approvals.ts";
import type { Gate } from "../gate/gate.ts";
import type { Admitted } from "../gate/settle.ts";
import type { InputNumber, Survivor } from "../journal/holding.ts";
import type { Meta } from "../journal/store.ts";
import { TypedInput } from "../journal/typed-input.ts";
import type { Size } from "../pty/pty.ts";
import { RawGrant } from "../redact/raw-grant.ts";
import { Looks } from "../screen/looks.ts";
import type { WaitSpec } from "../screen/wait/conditions.ts";
import type { WaitResult } from "../screen/wait/pending.ts";
import type { Viewer, ViewerSpec } from "../viewer/viewer.ts";
import { type SessionParts, SessionPieces } from "./assembly.ts";
import type { Commands } from "./commands.ts";
import type { Display } from "./display.ts";
import type { KeptFiles } from "./keeping/kept-files.ts";
import { endedFault, exitFrame } from "./life.ts";
import type { Playback } from "./playback.ts";
import { joiningFrames } from "./policy-events.ts";
import { PromptRun, type PromptWish } from "./prompting/prompt.ts";
import { type SeeOptions, screenOf, sessionInfo } from "./report.ts";
import { entryOf, type Sending, send } from "./sending.ts";

export class Session {
  meta: Meta;
  readonly display: Display;
  readonly commands: Commands;
  readonly gate: Gate;
  readonly rawGrant: RawGrant;
  readonly looks = new Looks();
  /** How far the viewers' input has come. */
  readonly typed = new TypedInput();
  #pieces: SessionPieces;
  #parts: SessionParts;
  #starting: Promise<Fault | undefined> | undefined;

  constructor(meta: Meta, parts: SessionParts) {
    this.meta = meta;
    this.#parts = parts;
    this.#pieces = new SessionPieces(meta, parts, (change) => this.note(change));
    ({ display: this.display, commands: this.commands, gate: this.gate } = this.#pieces);
    this.rawGrant = new RawGrant(parts.clock, (event) => this.gate.log(event));
  }

  /** Something that its files keep has changed. */
  note(change: Partial<Meta>): void {
    this.meta = { ...this.meta, ...change };
    this.#parts.store.writeMeta(this.meta);
    this.#parts.onNews(this.id, { kind: "changed" });
  }
  get id(): string {
    return this.meta.session_id;
  }
  get state(): SessionState {
    return this.#pieces.program.state;
  }
  /** Its first process, while it runs. */
  get pid(): number | null {
    return this.#pieces.program.pid;
  }
  get over(): boolean {
    return this.#pieces.program.over;
  }
  /** What its box may reach. Null: it has none. */
  get network(): BoxNetwork | null {
    return this.#pieces.network;
  }
  info() {
    const { state, pid, end } = this.#pieces.program;
    const { hold, policy, asks } = this.gate;
    const [viewers, branch] = [this.display.viewers.count, this.#pieces.whereabouts.branch];
    const worktree = this.#parts.worktreeOf(this.meta);
    const seen = { hold, asks, policy, viewers, branch, worktree };
    const program = { state, pid, end, ...seen, raw_granted_until: this.rawGrant.until };
    return sessionInfo(this.meta, this.display.facts, program, this.commands);
  }

  /** How much was printed, is not on the screen yet, and was lost since this daemon began. */
  get flow() {
    const printed = this.#pieces.files.outputSize();
    return { printed, behind: Math.max(0, printed - this.display.fed), dropped: this.#pieces.program.dropped };
  }

  /** Starts the program of a pending session; does nothing when it already runs or ran. */
  start(): Promise<Fault | undefined> {
    this.#starting ??= this.#start().catch((error: unknown) => {
      this.#starting = undefined;
      throw error;
    });
    return this.#starting;
  }

  /** Takes over a program that kept running while there was no daemon. Its output is read when the session wakes. */
  revive(survivor: Survivor): void {
    // It ended, and the exit was recorded, between the holder's answer and our reading.
    if (this.#pieces.program.end) return;
    this.#starting = Promise.resolve(undefined);
    for (const number of survivor.typed) this.typed.isNew(number);
    this.display.life.found(survivor.answered);
    this.#pieces.connect();
    this.#pieces.program.revive(survivor);
  }

  /** Resolves when screen and commands are those of the running program. */
  async awake(): Promise<void> {
    if (this.#pieces.program.alive) await this.display.ready();
  }

  async send(sending: Sending): Promise<WaitResult | Fault> {
    const playback = await this.#use();
    const sent = isFault(playback) ? playback : await send(this.#pieces, playback, sending);
    return sent === "shut" ? endedFault(this.id, this.state) : sent;
  }

  /** Gives a text to the agent CLI in front. */
  async prompt(wish: PromptWish) {
    const playback = await this.#use();
    if (isFault(playback)) return playback;
    const prompted = await new PromptRun(this.#pieces, this.#parts.clock, this.id, wish).run();
    return prompted === "shut" ? endedFault(this.id, this.state) : prompted;
  }

  /** `looked`: what came after this byte is new to a caller who says nothing else. */
  async wait(spec: WaitSpec, cancelled?: Cancelled, looked?: number): Promise<WaitResult | Fault> {
    if (this.over) this.display.over(); // Nobody told the display if the session ended before this daemon began.
    const atPrompt = await this.commands.lines.isAtPrompt();
    // From here on nothing that is printed may be missed.
    const { before, now } = await entryOf(this.display, spec.since, looked);
    const blockEnded = spec.since !== undefined && (this.commands.blocks.last?.cursor_end ?? 0) > spec.since;
    return this.display.wait(spec, { before, now, follows: "nothing", blockEnded, atPrompt }, cancelled);
  }

  async see(options: SeeOptions) {
    await this.awake();
    const { echo, foreground } = await this.#pieces.program.quickProbe();
    const playback = await this.display.ready(); // A quiet session's engine may have gone meanwhile.
    const [{ who, reason, note }, { behind }] = [this.gate.hold, this.flow];
    const program = {
      // The file tells what the holder's messages, which may wait in a socket, do not tell yet.
      ...(behind > 0 ? { behind_bytes: behind } : {}),
      echo,
      foreground: foreground && { pid: foreground.pid, name: foreground.name },
      state: this.state,
      hold: who,
      // While an agent has handed over, the note is what it asks.
      ...(note === null || reason === "handed_over" ? {} : { hold_note: note }),
      ts: this.#parts.clock.now(),
    };
    return { session_id: this.id, ...screenOf(playback, options), ...program };
  }

  async resize(size: Size): Promise<Fault | undefined> {
    if (this.over) return endedFault(this.id, this.state);
    const failed = await this.start();
    if (!failed) await this.#pieces.program.resize(size);
    return failed;
  }

  signal(name: string): Promise<boolean | Fault> {
    return this.#pieces.program.signal(name);
  }

  /** Ends the program and waits until its last output was played. */
  async close(actor: Actor): Promise<void> {
    if (this.over) return;
    this.gate.log({ kind: "close", ...notedAs(actor) });
    this.#pieces.program.closing();
    if (this.over) return;
    await this.start();
    // One that could not start is over now.
    this.#pieces.program.closing();
    await this.#pieces.program.close();
  }

  /** A viewer joins. It gets a greeting, then exactly the missing bytes or a repaint, then live bytes. */
  async attach(spec: ViewerSpec): Promise<Viewer | Fault> {
    const { link, role, start = "now" } = spec;
    const playback = role === "input" && start === "now" && !this.over ? await this.#use() : await this.display.ready();
    if (isFault(playback)) return playback;
    const { size, fed: cursor, screen } = playback;
    link.text({ type: "hello", session_id: this.id, cursor, ...size, seq: screen.seq, state: this.state });
    const viewer = this.display.watch(spec);
    const { halfLine, program } = this.#pieces;
    const asked = this.#parts.approvals.list("pending", this.id);
    for (const frame of joiningFrames(this.gate, asked)) link.text(frame);
    if (halfLine.now.text !== "") link.text(halfLine.frame);
    if (program.end) link.text(exitFrame(program.end));
    return viewer;
  }

  /** Raw input of a viewer. The gate judges an agent's input here as it does elsewhere. */
  async type(actor: Actor, bytes: Uint8Array, number?: InputNumber): Promise<Fault | undefined> {
    // Sent again after a daemon's death, and written by the earlier daemon.
    if (!this.typed.isNew(number)) return undefined;
    if (actor.kind !== "agent") {
      const failed = ["pending", "provisioning"].includes(this.state) ? await this.start() : undefined;
      const cut = this.#pieces.keyboard.refusesLong([bytes]);
      const refused = failed ?? (cut && (await cut));
      if (!refused) this.gate.submit(actor, bytes, number);
      // Afterwards: what is played at once for the answer must not hold up the key.
      if (!refused) this.#pieces.program.flow.flood.typed();
      return refused;
    }
    const typed = await this.gate.agentLane.keys(actor, bytes, { timeout_ms: 0 });
    return isFault(typed) ? typed : undefined;
  }

  /** Somebody typed this at the shell's prompt and did not enter it. */
  get halfLine(): { readonly text: string; readonly actor: string } {
    return this.#pieces.halfLine.now;
  }

  /** Takes the half line away from the shell: this very text, or any. Its text is null when the shell is not at a prompt. */
  async liftLine(only?: string): Promise<{ readonly text: string | null; readonly actor: string }> {
    const actor = this.#pieces.halfLine.owner;
    const text = this.over ? undefined : await this.commands.lines.lift(only);
    if (text !== undefined) this.#pieces.halfLine.gone();
    return { text: text ?? null, actor };
  }

  /** Something was asked or settled here. A refused line does not stay at the prompt, where the next Enter would run it. */
  approvalChanged(approval: Approval): void {
    const { kind, state, text, actor } = approval;
    // The note names its author, so that other agents do not take it for the person's words.
    if (state === "pending" && handsOver(kind)) this.gate.handToPerson(`${actor} asks: ${exact(text)}`);
    this.gate.settled(approval);
    if (kind !== "run" || state === "pending" || state === "approved" || actor !== this.#pieces.halfLine.owner) return;
    void this.liftLine(text);
  }

  /** Whether this command line may run here. A person's line always may. */
  async admit(...[actor, line, ...more]: Parameters<Gate["agentLane"]["line"]>): Promise<Admitted | Fault> {
    if (actor.kind !== "agent") {
      const nested = this.commands.blocks.nested?.id ?? null;
      return { text: line, how: "plain", where: this.meta.box ? "box" : "outside", rule: "person", names: [], nested };
    }
    return this.gate.agentLane.line(actor, line, ...more);
  }

  /** A person's yes to this line was not used. */
  giveBack(actor: Actor, line: string): void {
    this.#parts.approvals.giveBack(this.id, actorName(actor), line);
  }

  /** Keeps the person's files before an agent's line may change them. */
  keepFiles(...line: Parameters<KeptFiles["beforeLine"]>): Promise<boolean | "lacking"> {
    return this.#pieces.keptFiles.beforeLine(...line);
  }

  /** A person has begun to type and is not done. */
  get isTyped(): boolean {
    return isPerson(this.gate.hold.who) && this.gate.hold.reason === "typing";
  }
  /** A person has taken the keyboard on purpose. */
  get isTaken(): boolean {
    const { who, reason } = this.gate.hold;
    return isPerson(who) && (reason === "manual" || reason === "stop");
  }

  /** Frees the engine of an ended session. The next reader makes it again from the journal. */
  cool(): void {
    if (this.over) this.display.cool();
  }

  /** Frees the engine of a program that is quiet. Nobody may be in the middle of something. */
  rest(quietMs: number): void {
    const isBusy = this.commands.blocks.running || this.gate.asks || this.gate.hold.reason === "handed_over";
    if (!this.#pieces.program.alive || isBusy) return;
    if (this.display.rest(quietMs)) this.commands.waitingWatch.rest();
  }

  dispose(): void {
    this.#pieces.dispose();
  }

  async #start(): Promise<Fault | undefined> {
    if (this.state !== "pending") return undefined;
    const playback = this.display.life.prepare({ cursor: 0, answerFrom: 0 });
    this.#pieces.connect();
    const failed = await this.#pieces.program.open();
    if (failed) this.#starting = undefined;
    playback.begin();
    return failed;
  }

  /** The playback of a running program. */
  async #use(): Promise<Playback | Fault> {
    if (this.over) return endedFault(this.id, this.state);
    return (await this.start()) ?? this.display.ready();
  }
}
