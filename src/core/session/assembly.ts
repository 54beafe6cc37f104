// Puts a session together: program, screen, commands, gate, and how these hear of each other. Made in the order in which
// they need each other; what they tell, they tell later, when all of them are there.
import type { Clock } from "../base/clock.ts";
import type { Fault } from "../base/fault.ts";
import type { Block } from "../block/block.ts";
import type { Shells } from "../block/shells.ts";
import type { Actor } from "../gate/actor.ts";
import type { Approvals } from "../gate/approvals.ts";
import { Gate } from "../gate/gate.ts";
import type { Hold } from "../gate/hold.ts";
import { Origins } from "../gate/origins.ts";
import type { PersonRules } from "../gate/person-rules.ts";
import type { Holder } from "../journal/holding.ts";
import { isJournalRecord, type JournalRecord } from "../journal/records.ts";
import type { Meta, SessionFiles, Store } from "../journal/store.ts";
import type { PtyCommand } from "../pty/pty.ts";
import type { MakeEngine } from "../screen/engine.ts";
import { Commands } from "./commands.ts";
import { Display } from "./display.ts";
import { Keyboard } from "./keyboard.ts";
import { exitFrame, pastOf } from "./life.ts";
import { holdFrame, policyFrames, policyOf } from "./policy-events.ts";
import { Program } from "./program.ts";
import { Replies } from "./replies.ts";

export interface SessionParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly makeEngine: MakeEngine;
  readonly holder: Holder;
  readonly shells: Shells;
  readonly approvals: Approvals;
  /** Why no agent may do anything anywhere: a person stopped them all. */
  halted(actor: Actor): Fault | undefined;
  /** A person's own rules that count in a folder. */
  rules(cwd: string | null): readonly PersonRules[];
  readonly command: PtyCommand;
  /** Lines of history that the engine keeps for everyone. */
  readonly scrollback: number;
  /** Whoever works in the session without watching it. */
  onNews(session_id: string, news: SessionNews): void;
}

export type SessionNews =
  | { readonly kind: "held"; readonly hold: Hold }
  /** Its state, name or command: what lists show. */
  | { readonly kind: "changed" }
  | { readonly kind: "ended"; readonly exit_code: number | null; readonly signal: string | null };

export interface SessionPieces {
  readonly meta: Meta;
  readonly parts: SessionParts;
  readonly files: SessionFiles;
  readonly origins: Origins;
  program: Program;
  commands: Commands;
  display: Display;
  gate: Gate;
  replies: Replies;
  keyboard: Keyboard;
  guard: { close(): void } | undefined;
  log(event: object): void;
}

export function assemble(meta: Meta, parts: SessionParts): SessionPieces {
  const { clock, store } = parts;
  const files = store.files(meta.session_id, "daemon");
  const records = files.readLines("records").filter(isJournalRecord);
  const events = files.readLines("events");
  const log = (event: object) => void files.appendLine("events", { ts: clock.now(), ...event });
  const pieces = { meta, parts, files, origins: new Origins(events), guard: undefined, log } as SessionPieces;
  pieces.program = programOf(pieces, pastOf(records, events, store.started(meta.session_id)));
  pieces.commands = commandsOf(pieces);
  pieces.display = displayOf(pieces, records);
  pieces.gate = gateOf(pieces, events);
  pieces.replies = repliesOf(pieces);
  const { program, gate } = pieces;
  pieces.keyboard = new Keyboard({ clock, gate, probe: () => program.probe() });
  return pieces;
}

function programOf(pieces: SessionPieces, past: ReturnType<typeof pastOf>): Program {
  const { meta, parts, files } = pieces;
  const { clock, holder, shells, command } = parts;
  const fed = () => pieces.display.facts.fed;
  return new Program({ meta, files, clock, holder, shells, command, fed }, past, {
    opened: (holding) => {
      pieces.gate.open(holding);
      if (meta.integration)
        pieces.guard = shells.guard(meta.session_id, (question) => pieces.gate.agentLane.ask(question));
      pieces.commands.waitingWatch.active();
    },
    grew: (cursor) => pieces.display.grew(cursor),
    record: (record) => {
      if (record.kind === "gap") pieces.commands.blocks.gap();
      pieces.display.record(record);
    },
    notice: (message) => notice(pieces, message),
    state: (state) => {
      pieces.log({ kind: "state", state });
      pieces.display.viewers.tell({ type: "state", state });
      parts.onNews(meta.session_id, { kind: "changed" });
    },
    over: () => {
      pieces.gate.shut();
      pieces.guard?.close();
      pieces.commands.over();
      pieces.display.finish();
      const { end } = pieces.program;
      if (end) pieces.display.viewers.tell(exitFrame(end));
      const { code: exit_code = null, signal = null } = end ?? {};
      parts.onNews(meta.session_id, { kind: "ended", exit_code, signal });
    },
  });
}

function commandsOf(pieces: SessionPieces): Commands {
  const { meta, files, origins, program, parts } = pieces;
  const told = (type: "block_begin" | "block_end", block: Block) => {
    const { block_id, actor, exit_code, cursor_begin, cursor_end } = block;
    pieces.log({ kind: type, block_id, actor, exit_code, cursor_begin, cursor_end });
    pieces.display.viewers.tell({ type, block: { ...block, session_id: meta.session_id } });
    parts.onNews(meta.session_id, { kind: "changed" });
  };
  const { clock, shells } = parts;
  const gate = () => pieces.gate;
  const glance = () => pieces.display.glance();
  return new Commands(
    { meta, files, clock, shells, origins, gate, glance, program: () => program },
    {
      began: (block) => told("block_begin", block),
      ended: (block) => {
        pieces.replies.ended();
        told("block_end", block);
        pieces.display.blockEnded();
      },
      prompted: () => {
        pieces.gate.lapse();
        pieces.display.prompted();
      },
      waiting: (waiting) => program.waits(waiting !== null),
    },
  );
}

function displayOf(pieces: SessionPieces, records: JournalRecord[]): Display {
  const { meta, files, program, commands, parts } = pieces;
  const { clock, makeEngine, scrollback } = parts;
  const probe = async () => ({ probe: await program.probe(), leader: program.pid });
  const marked = () => commands.marked;
  return new Display(
    { meta, files, clock, makeEngine, scrollback, records, probe, marked },
    {
      // Of one that is over, the blocks are read apart.
      scan: (bytes, cursor) => (program.over ? 0 : commands.blocks.scan(bytes, cursor)),
      replied: (bytes, cursor) => pieces.replies.add(bytes, cursor),
      turned: (behind) => {
        program.balance(behind);
        commands.turned();
        pieces.replies.turned(behind);
        program.played(pieces.display.facts.fed);
      },
      ended: (status, ts) => program.ended(status, ts),
      fit: (size) => void program.resize(size),
      trapped: (at, n) => notice(pieces, `The screen engine failed at byte ${at}; it was rebuilt without ${n} bytes.`),
    },
  );
}

function gateOf(pieces: SessionPieces, events: readonly unknown[]): Gate {
  const { meta, files, origins, commands, display, parts } = pieces;
  const { clock, approvals } = parts;
  const gate = new Gate({
    session_id: meta.session_id,
    files,
    clock,
    origins,
    approvals,
    rules: (cwd) => parts.rules(cwd),
    halted: (actor) => parts.halted(actor),
    policy: policyOf(meta, events),
    cursor: () => display.facts.fed,
    probe: () => pieces.program.probe(),
    place: () => ({
      cwd: commands.blocks.cwd ?? meta.cwd,
      shell: commands.marked === "silent" ? null : (meta.integration?.shell ?? null),
      atPrompt: commands.blocks.atPrompt,
    }),
    held: (hold, before) => {
      display.viewers.tell(holdFrame(hold));
      parts.onNews(meta.session_id, { kind: "held", hold });
      if (hold.who === "person") display.held(before.who);
      commands.poke();
    },
    typed: () => commands.waitingWatch.active(),
    changed: (policy) => {
      for (const frame of policyFrames(policy)) display.viewers.tell(frame);
      parts.onNews(meta.session_id, { kind: "changed" });
    },
  });
  // One of them may still run: its shell goes on asking.
  gate.restore(events);
  return gate;
}

function repliesOf({ parts, program, commands, gate }: SessionPieces): Replies {
  return new Replies({
    clock: parts.clock,
    running: () => commands.marked === "running",
    probe: () => program.probe(),
    leader: () => program.pid,
    send: (bytes, to) => gate.reply(bytes, to),
  });
}

function notice(pieces: SessionPieces, message: string): void {
  pieces.log({ kind: "notice", message });
  pieces.display.viewers.tell({ type: "notice", message });
}
