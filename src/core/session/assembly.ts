// Puts a session together. The constructor makes its pieces in the order in which they need each other. The methods below
// say, for each piece, what the others do when it tells something; all pieces are there by then.

import type { SessionInfo } from "../../protocol/ops/session.ts";
import { isPerson } from "../../protocol/plain/person-name.ts";
import type { Preset } from "../agent-cli/preset.ts";
import type { Clock } from "../base/clock.ts";
import type { Fault } from "../base/fault.ts";
import type { Block } from "../block/block.ts";
import type { GuardAnswer, GuardQuestion, Shells } from "../block/shells.ts";
import { BoxNetwork } from "../box/box-network.ts";
import type { SessionBoxes } from "../box/boxes.ts";
import { NetworkGrant } from "../box/network-grant.ts";
import type { Actor } from "../gate/actor.ts";
import type { AgentLaneParts } from "../gate/agent-lane.ts";
import { Gate, type GateEvents } from "../gate/gate.ts";
import { Origins } from "../gate/origins.ts";
import type { Holder } from "../journal/holding.ts";
import { maskedOutput } from "../journal/masked-output.ts";
import { isJournalRecord } from "../journal/records.ts";
import type { Meta, SessionFiles, Store } from "../journal/store.ts";
import type { PtyCommand } from "../pty/pty.ts";
import { Commands, type CommandsEvents } from "./commands.ts";
import { Display, type DisplayEvents, type DisplayParts } from "./display.ts";
import type { Floods } from "./flow/floods.ts";
import { HalfLine } from "./half-line.ts";
import { HandOver } from "./hand-over.ts";
import { KeptFiles, type KeptFilesParts } from "./keeping/kept-files.ts";
import { Keyboard } from "./keyboard.ts";
import { exitFrame, pastOf, type SessionNews, trapNotice } from "./life.ts";
import { NestedShells } from "./nested/nested-shells.ts";
import { plainShellParts } from "./nested/plain-shell.ts";
import { holdFrame, policyFrames, policyOf } from "./policy-events.ts";
import { Program, type ProgramEvents } from "./program.ts";
import { Replies } from "./replies.ts";
import { placeOf, Whereabouts } from "./whereabouts.ts";

type GateParts = Pick<AgentLaneParts, "approvals" | "isFree" | "rules" | "waysOf">;

export interface SessionParts
  extends GateParts,
    KeptFilesParts,
    Pick<DisplayParts, "eyes" | "makeEngine" | "scrollback"> {
  readonly store: Store;
  readonly clock: Clock;
  readonly holder: Holder;
  readonly floods: Floods;
  readonly shells: Shells;
  readonly boxes: SessionBoxes;
  /** The agent CLIs whose states are read. */
  readonly presets: readonly Preset[];
  /** The reason when a person stopped all agents everywhere. */
  halted(actor: Actor): Fault | undefined;
  /** Shells inside of others that mark their commands by a person's rule. */
  readonly integrates: readonly string[];
  /** Whether agents' lines are boxed. */
  boxing(): "on" | "none" | "missing";
  /** The git branch of a folder; null where there is none. The worktree of a session, as it was last seen. */
  branchOf(cwd: string): string | null;
  worktreeOf(meta: Meta): SessionInfo["worktree"];
  /** What it runs, asked for when it starts. */
  command(): PtyCommand;
  /** Tells those who work in the session without watching it. */
  onNews(session_id: string, news: SessionNews): void;
}

export class SessionPieces {
  readonly files: SessionFiles;
  readonly keptFiles: KeptFiles;
  readonly program: Program;
  readonly commands: Commands;
  readonly display: Display;
  readonly gate: Gate;
  readonly keyboard: Keyboard;
  readonly halfLine: HalfLine;
  readonly handOver: HandOver;
  readonly whereabouts: Whereabouts;
  /** What its box may reach. Null: it has none. */
  readonly network: BoxNetwork | null;
  #meta: Meta;
  #parts: SessionParts;
  #replies: Replies;
  /** Answers what the shell asks before it runs an agent's line. */
  #guard: { close(): void } | undefined;
  #proxy: { close(): void } | undefined;

  constructor(meta: Meta, parts: SessionParts, note: (change: Partial<Meta>) => void) {
    [this.#meta, this.#parts] = [meta, parts];
    const { session_id } = meta;
    const { store, clock, holder, shells, boxes, command, approvals, rules, halted } = parts;
    const exact = store.files(session_id, "daemon");
    const nested = new NestedShells(meta, note);
    // Only those who read marks get their nonces. Who else has one could forge them.
    const files = maskedOutput(exact, () => nested.nonces);
    const records = files.readLines("records").filter(isJournalRecord);
    const events = files.readLines("events");
    const origins = new Origins(events);
    const past = pastOf(records, events, store.started(session_id));
    const policy = policyOf(events);
    // What one piece asks another that is made later.
    const [gate, place] = [() => this.gate, () => this.#place()];
    const [glance, screen] = [() => this.display.glance(), () => this.display.screen];
    const [marked, fed] = [() => this.commands.marked, () => this.display.fed];
    const [catchUp, attend] = [() => this.display.gathering.catchUp(), () => this.display.gathering.end()];
    const keptFiles = new KeptFiles(meta, parts, () => place().cwd);
    [this.files, this.keptFiles] = [files, keptFiles];
    const flows = { floods: parts.floods, watched: () => this.display.viewers.isWatched };
    const starts = { meta, files, clock, holder, shells, boxes, command, fed, catchUp, ...flows };
    const program = new Program(starts, past, this.#onProgram());
    const kernel = { leader: () => program.pid, probe: () => program.probe(), quickProbe: () => program.quickProbe() };
    this.program = program;
    const network = new NetworkGrant(() => this.network);
    const hide = (text: string) => parts.eyes.text(text);
    const agents = { presets: parts.presets, screen: () => screen()?.picture(parts.eyes), hide };
    const nests = { nested, integrates: parts.integrates, isHalf: () => this.halfLine.mayBe };
    const reads = { glance, catchUp, attend, ready: () => this.display.ready() };
    const runs = { meta, files: exact, clock, shells, origins, program, gate, network, agents };
    this.commands = new Commands({ ...runs, ...nests, ...reads }, this.#onCommands());
    const shown = { ...parts, meta, files, records, program, marked, awaited: () => this.commands.isAwaited };
    this.display = new Display(shown, this.#onDisplay());
    const { blocks } = this.commands;
    const typist = () => origins.typist(Number.POSITIVE_INFINITY);
    const typed = { clock, screen, typist, shell: () => blocks.shell, atPrompt: () => blocks.atPrompt };
    this.halfLine = new HalfLine({ ...typed, tell: (frame) => this.display.viewers.tell(frame) });
    const { waysOf, isFree, eyes, branchOf } = parts;
    this.whereabouts = new Whereabouts({ cwd: () => place().cwd, branchOf, changed: () => this.#changed() });
    const decides = { approvals, rules, halted, policy, waysOf, isFree, eyes };
    const edit = this.commands.lines.edit.bind(this.commands.lines);
    const knows = { cursor: fed, place, keptFiles, keysComing: () => shells.keysComing(session_id) };
    const plain = plainShellParts(meta, { ...parts, glance }, () => this.halfLine);
    this.gate = new Gate(
      { session_id, files, clock, origins, edit, ...decides, ...knows, ...plain, ...kernel },
      this.#onGate(),
    );
    const log = (event: object) => this.gate.log(event);
    this.network = meta.box ? new BoxNetwork(meta.box.network, log, () => clock.now()) : null;
    this.#replies = new Replies({ clock, program, gate: this.gate, marked });
    this.keyboard = new Keyboard({ clock, program, gate: this.gate });
    const running = () => place().block_id;
    this.handOver = new HandOver({ session_id, clock, approvals, ...kernel, screen, running, gate: this.gate });
    // The program may still run. A hold that a person took on purpose stays, and the shell still asks about a guarded line.
    this.gate.restore(events);
  }

  /** Before the program starts, or when it is found running: it may want the network at once. */
  connect(): void {
    const { boxes } = this.#parts;
    this.#proxy?.close();
    if (this.network) this.#proxy = boxes.proxy(this.#meta.session_id, this.network, (why) => this.#notice(why));
  }

  dispose(): void {
    this.commands.stop();
    this.halfLine.stop();
    this.handOver.end();
    this.program.played(Number.POSITIVE_INFINITY);
    this.#guard?.close();
    this.#proxy?.close();
    this.display.dispose();
    this.files.close();
  }

  #onProgram(): ProgramEvents {
    return {
      opened: (holding) => {
        const { session_id, integration } = this.#meta;
        this.gate.open(holding);
        if (integration) this.#guard = this.#parts.shells.guard(session_id, (asked) => this.#answer(asked));
      },
      grew: (cursor) => this.display.gathering.grew(cursor),
      record: (record) => {
        if (record.kind === "gap") this.commands.blocks.gap();
        this.display.record(record);
      },
      notice: (message) => this.#notice(message),
      state: (state) => {
        this.gate.log({ kind: "state", state });
        this.display.viewers.tell({ type: "state", state });
        this.#changed();
      },
      over: () => {
        this.gate.shut();
        this.#guard?.close();
        this.#proxy?.close();
        this.commands.over();
        this.display.finish();
        if (this.program.end) this.display.viewers.tell(exitFrame(this.program.end));
        const { code: exit_code = null, signal = null } = this.program.end ?? {};
        this.#parts.onNews(this.#meta.session_id, { kind: "ended", exit_code, signal });
      },
    };
  }

  #onCommands(): CommandsEvents {
    const tell = (type: "block_begin" | "block_end", block: Block) => {
      const { block_id, actor, exit_code, cursor_begin, cursor_end } = block;
      this.gate.log({ kind: type, block_id, actor, exit_code, cursor_begin, cursor_end });
      this.display.viewers.tell({ type, block: { ...block, session_id: this.#meta.session_id } });
      this.#parts.onNews(this.#meta.session_id, { kind: "block", block });
    };
    return {
      began: (block) => {
        this.halfLine.entered(block.run_id);
        tell("block_begin", block);
      },
      ended: (block) => {
        this.#replies.ended();
        tell("block_end", block);
        this.display.waits.blockEnded();
        this.handOver.blockEnded(block.block_id);
      },
      prompted: (at) => {
        this.gate.lapse(at);
        this.display.prompted();
        this.halfLine.prompted();
        this.whereabouts.look();
      },
      after: ({ block_id }) => this.display.viewers.tell({ type: "after", block_id }),
      waiting: (waiting) => {
        this.program.waits(waiting !== null);
        this.display.waits.asks(waiting);
        this.#changed();
      },
      agent: (status, rule) => {
        const now = status ? { name: status.name, state: status.now.state } : undefined;
        this.gate.log({ kind: "agent", cursor: this.display.fed, rule, ...now, why: status?.now.kind });
        this.display.waits.agentIs(now);
        this.#changed();
      },
    };
  }

  #onDisplay(): DisplayEvents {
    return {
      scan: (bytes, cursor) => this.commands.scan(cursor, bytes.length),
      status: (bytes, cursor) => this.commands.agentWatch.read(bytes, cursor),
      replied: (bytes, cursor) => this.#replies.add(bytes, cursor),
      ended: (status, ts) => this.program.ended(status, ts),
      trapped: (at, n) => this.#notice(trapNotice(at, n)),
      turned: (behind, printed) => {
        this.program.flow.balance(behind);
        this.commands.turned(printed);
        this.display.blockLines.follow(this.commands.blocks.running, this.display.fed);
        this.halfLine.turned();
        this.#replies.turned(behind);
        this.program.played(this.display.fed);
      },
      begins: (cursor) => this.commands.blocks.catchUp(cursor),
      seen: () => this.#parts.onNews(this.#meta.session_id, { kind: "seen" }),
      fit: (size) => void this.program.resize(size),
    };
  }

  #onGate(): GateEvents {
    return {
      held: (hold, before) => {
        this.display.viewers.tell(holdFrame(hold));
        this.#parts.onNews(this.#meta.session_id, { kind: "held", hold });
        if (isPerson(hold.who)) this.display.waits.held(before.who);
        if (hold.reason === "handed_over") void this.handOver.begin();
        else this.handOver.end();
        this.commands.poke();
      },
      typed: (bytes) => {
        this.commands.typed(bytes);
        this.display.gathering.typed();
        this.halfLine.typed(bytes);
        this.handOver.typed();
      },
      beforeRun: () => this.halfLine.waits(),
      changed: (policy) => {
        for (const frame of policyFrames(policy)) this.display.viewers.tell(frame);
        this.#changed();
      },
    };
  }

  /** The shell asks about an agent's line. */
  async #answer(question: GuardQuestion): Promise<GuardAnswer> {
    await this.display.ready();
    const answer = await this.gate.agentLane.ask(question).finally(() => this.commands.poke());
    const { shell, cwd } = this.#place();
    const { roots } = this.gate.agentLane.judged;
    if (answer === "allow boxed" && shell) this.#parts.shells.layBox(this.#meta.session_id, { shell, cwd, roots });
    return answer;
  }

  #place() {
    return placeOf(this.#meta, this.commands, this.#parts.boxing());
  }

  #changed(): void {
    this.#parts.onNews(this.#meta.session_id, { kind: "changed" });
  }

  #notice(message: string): void {
    this.gate.log({ kind: "notice", message });
    this.display.viewers.tell({ type: "notice", message });
  }
}
