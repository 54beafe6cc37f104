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
import type { Rules } from "../gate/rules.ts";
import type { Holder } from "../journal/holding.ts";
import { isJournalRecord, type JournalRecord } from "../journal/records.ts";
import type { Meta, SessionFiles, Store } from "../journal/store.ts";
import type { PtyCommand } from "../pty/pty.ts";
import type { MakeEngine } from "../screen/engine.ts";
import { Commands } from "./commands.ts";
import { Show } from "./display.ts";
import { Keyboard } from "./keyboard.ts";
import { exitMessage, pastOf } from "./life.ts";
import { holdMessage, policyMessages, policyOf } from "./policy-events.ts";
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
  rules(cwd: string | null): readonly Rules[];
  readonly command: PtyCommand;
  /** Lines of history that the engine keeps for everyone. */
  readonly scrollback: number;
  /** Whoever works in the session without watching it. */
  heard(session_id: string, news: SessionNews): void;
}

export type SessionNews =
  | { readonly kind: "held"; readonly hold: Hold }
  /** Its state, name or command: what lists show. */
  | { readonly kind: "changed" }
  | { readonly kind: "ended"; readonly exit_code: number | null; readonly signal: string | null };

export interface Organs {
  readonly meta: Meta;
  readonly parts: SessionParts;
  readonly files: SessionFiles;
  readonly origins: Origins;
  program: Program;
  commands: Commands;
  show: Show;
  gate: Gate;
  replies: Replies;
  keyboard: Keyboard;
  guard: { close(): void } | undefined;
  log(event: object): void;
}

export function assemble(meta: Meta, parts: SessionParts): Organs {
  const { clock, store } = parts;
  const files = store.files(meta.session_id, "daemon");
  const records = files.readLines("records").filter(isJournalRecord);
  const events = files.readLines("events");
  const log = (event: object) => void files.appendLine("events", { ts: clock.now(), ...event });
  const organs = { meta, parts, files, origins: new Origins(events), guard: undefined, log } as Organs;
  organs.program = programOf(organs, pastOf(records, events, store.started(meta.session_id)));
  organs.commands = commandsOf(organs);
  organs.show = showOf(organs, records);
  organs.gate = gateOf(organs, events);
  organs.replies = repliesOf(organs);
  const { program, gate } = organs;
  organs.keyboard = new Keyboard({ clock, gate, probe: () => program.probe() });
  return organs;
}

function programOf(organs: Organs, past: ReturnType<typeof pastOf>): Program {
  const { meta, parts, files } = organs;
  const { clock, holder, shells, command } = parts;
  return new Program({ meta, files, clock, holder, shells, command }, past, {
    opened: (holding) => {
      organs.gate.open(holding);
      if (meta.integration)
        organs.guard = shells.guard(meta.session_id, (question) => organs.gate.agents.ask(question));
      organs.commands.attention.active();
    },
    grew: (cursor) => organs.show.grew(cursor),
    record: (record) => {
      if (record.kind === "gap") organs.commands.blocks.gap();
      organs.show.record(record);
    },
    notice: (message) => notice(organs, message),
    state: (state) => {
      organs.log({ kind: "state", state });
      organs.show.viewers.tell({ type: "state", state });
      parts.heard(meta.session_id, { kind: "changed" });
    },
    over: () => {
      organs.gate.shut();
      organs.guard?.close();
      organs.commands.over();
      organs.show.finish();
      const { end } = organs.program;
      if (end) organs.show.viewers.tell(exitMessage(end));
      const { code: exit_code = null, signal = null } = end ?? {};
      parts.heard(meta.session_id, { kind: "ended", exit_code, signal });
    },
  });
}

function commandsOf(organs: Organs): Commands {
  const { meta, files, origins, program, parts } = organs;
  const told = (type: "block_begin" | "block_end", block: Block) => {
    const { block_id, actor, exit_code, cursor_begin, cursor_end } = block;
    organs.log({ kind: type, block_id, actor, exit_code, cursor_begin, cursor_end });
    organs.show.viewers.tell({ type, block: { ...block, session_id: meta.session_id } });
    parts.heard(meta.session_id, { kind: "changed" });
  };
  const { clock, shells } = parts;
  const gate = () => organs.gate;
  const glance = () => organs.show.glance();
  return new Commands(
    { meta, files, clock, shells, origins, gate, glance, program: () => program },
    {
      began: (block) => told("block_begin", block),
      ended: (block) => {
        organs.replies.ended();
        told("block_end", block);
        organs.show.blockEnded();
      },
      prompted: () => {
        organs.gate.lapse();
        organs.show.prompted();
      },
      waiting: (waiting) => program.waits(waiting !== null),
    },
  );
}

function showOf(organs: Organs, records: JournalRecord[]): Show {
  const { meta, files, program, commands, parts } = organs;
  const { clock, makeEngine, scrollback } = parts;
  const probe = async () => ({ probe: await program.probe(), leader: program.pid });
  const marked = () => commands.marked;
  return new Show(
    { meta, files, clock, makeEngine, scrollback, records, probe, marked },
    {
      // Of one that is over, the blocks are read apart.
      scan: (bytes, cursor) => (program.over ? 0 : commands.blocks.scan(bytes, cursor)),
      replied: (bytes, cursor) => organs.replies.add(bytes, cursor),
      turned: (behind) => {
        program.balance(behind);
        commands.turned();
        organs.replies.turned(behind);
      },
      ended: (status, ts) => program.ended(status, ts),
      fit: (size) => void program.resize(size),
      trapped: (at, n) => notice(organs, `The screen engine failed at byte ${at}; it was rebuilt without ${n} bytes.`),
    },
  );
}

function gateOf(organs: Organs, events: readonly unknown[]): Gate {
  const { meta, files, origins, commands, show, parts } = organs;
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
    cursor: () => show.facts.fed,
    place: () => ({
      cwd: commands.blocks.cwd ?? meta.cwd,
      shell: commands.marked === "silent" ? null : (meta.integration?.shell ?? null),
      atPrompt: commands.blocks.atPrompt,
    }),
    held: (hold, before) => {
      show.viewers.tell(holdMessage(hold));
      parts.heard(meta.session_id, { kind: "held", hold });
      if (hold.who === "person") show.held(before.who);
      commands.poke();
    },
    typed: () => commands.attention.active(),
    changed: (policy) => {
      for (const message of policyMessages(policy)) show.viewers.tell(message);
      parts.heard(meta.session_id, { kind: "changed" });
    },
  });
  // One of them may still run: its shell goes on asking.
  gate.restore(events);
  return gate;
}

function repliesOf({ parts, program, commands, gate }: Organs): Replies {
  return new Replies({
    clock: parts.clock,
    running: () => commands.marked === "running",
    probe: () => program.probe(),
    leader: () => program.pid,
    send: (bytes, to) => gate.reply(bytes, to),
  });
}

function notice(organs: Organs, message: string): void {
  organs.log({ kind: "notice", message });
  organs.show.viewers.tell({ type: "notice", message });
}
