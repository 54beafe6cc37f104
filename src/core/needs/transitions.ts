// The last changes of sessions, agent CLIs, commands, questions and needs, for those who follow them. Owns: the last changes,
// numbered, and what each session's state was. A follower who comes late, or was with another daemon, gets what is so now.
import type { Need } from "../../protocol/words/need.ts";
import type { Transition } from "../../protocol/words/transition.ts";
import { Changes } from "../base/changes.ts";
import type { Clock } from "../base/clock.ts";
import type { Block } from "../block/block.ts";
import type { Approval } from "../gate/approvals.ts";
import { firstLine, type Hide, type NeedFacts } from "./need.ts";
import type { NeedsChange } from "./needs.ts";

/** A follower asks again at once, so it misses none of so many. */
const KEPT_MAX = 2_000;
const LINE_CHARS_MAX = 200;

type Info = NeedFacts["info"];
type Said = Omit<Transition, "ts">;

interface States {
  readonly session: string;
  readonly agent: string | null;
}

export class Transitions {
  readonly changes: Changes;
  #clock: Clock;
  #hide: Hide;
  #tell: (transition: Transition) => void;
  /** Tells this daemon's cursors from those of the one before it. */
  readonly #name: string;
  #kept: Transition[] = [];
  /** How many were there before those that are kept. */
  #dropped = 0;
  #states = new Map<string, States>();
  #running = new Set<string>();

  constructor(clock: Clock, hide: Hide, tell: (transition: Transition) => void) {
    [this.#hide, this.#tell] = [hide, tell];
    [this.#clock, this.changes, this.#name] = [clock, new Changes(clock), clock.now().toString(36)];
  }

  /** Behind the last one. */
  get cursor(): string {
    return `${this.#name}.${this.#dropped + this.#kept.length}`;
  }

  /** All after a cursor. Undefined: they are not all kept, or the cursor is of another daemon. */
  after(cursor: string): Transition[] | undefined {
    const [name, number] = cursor.split(".");
    const from = Number(number) - this.#dropped;
    return name === this.#name && from >= 0 ? this.#kept.slice(from) : undefined;
  }

  /** A follower was told that this command runs. */
  runs(block_id: string): void {
    this.#running.add(block_id);
  }

  /** No info: there is no such session any more. `last`: its last command, which may have ended before the session was read. */
  session(session_id: string, info: Info | undefined, last: Block | undefined): void {
    const was = this.#states.get(session_id);
    if (!info) return void this.#states.delete(session_id);
    const now = { session: info.state, agent: info.agent_state?.state ?? null };
    this.#states.set(session_id, now);
    if (was?.session !== now.session) this.#add({ ...sessionOf(info, this.#hide), from: was?.session ?? null });
    if ((was?.agent ?? null) !== now.agent) this.#add({ ...agentOf(info, this.#hide), from: was?.agent ?? null });
    if (last && last.ts_end !== null && this.#running.has(last.block_id)) this.block(session_id, info.name, last);
  }

  block(session_id: string, name: string | null, block: Block): void {
    const from = this.#running.delete(block.block_id) ? "running" : null;
    if (block.ts_end === null) this.#running.add(block.block_id);
    this.#add({ ...blockOf({ session_id, name }, block, this.#hide), from });
  }

  approval(approval: Approval, name: string | null): void {
    this.#add({ ...approvalOf(approval, name, this.#hide), from: approval.state === "pending" ? null : "pending" });
  }

  needs({ opened, settled }: NeedsChange): void {
    for (const need of settled) this.#add({ ...standingNeed(need), from: need.kind, to: null });
    for (const need of opened) this.#add(standingNeed(need));
  }

  #add(said: Said): void {
    const transition = { ts: this.#clock.now(), ...said };
    this.#kept.push(transition);
    if (this.#kept.length > KEPT_MAX) this.#dropped += this.#kept.splice(0, KEPT_MAX / 2).length;
    this.changes.bump();
    this.#tell(transition);
  }
}

/** What is so now of one session, as if it had just become so. */
export function standing(info: Info, last: Block | undefined, hide: Hide): Said[] {
  const block = last ? [{ ...blockOf(info, last, hide), from: null }] : [];
  const agent = info.agent_state ? [{ ...agentOf(info, hide), from: null }] : [];
  return [{ ...sessionOf(info, hide), from: null }, ...agent, ...block];
}

export function standingNeed({ tag, kind, session_id, name, who, why }: Need): Said {
  return { kind: "need", session_id, name, id: tag, from: null, to: kind, who, why };
}

export function standingApproval(approval: Approval, name: string | null, hide: Hide): Said {
  return { ...approvalOf(approval, name, hide), from: null };
}

function sessionOf(info: Info, hide: Hide): Omit<Said, "from"> {
  const { session_id, name, state, exit_code, signal, waiting, command } = info;
  const why = signal ?? (waiting ? `${waiting.program}: ${waiting.kind}` : lineOf(command.join(" "), hide));
  const end = info.ended_at === null ? {} : { exit_code };
  return { kind: "session", session_id, name, id: session_id, to: state, why, ...end };
}

function agentOf({ session_id, name, agent, agent_state: now }: Info, hide: Hide): Omit<Said, "from"> {
  const why = now && `${now.kind ? `${now.kind}: ` : ""}${now.why}`;
  return {
    ...{ kind: "agent", session_id, name, id: session_id, to: now?.state ?? null },
    ...(agent ? { who: agent } : {}),
    ...(why ? { why: lineOf(why, hide) } : {}),
  };
}

type Place = Pick<Info, "session_id" | "name">;

function blockOf({ session_id, name }: Place, block: Block, hide: Hide): Omit<Said, "from"> {
  const { block_id, actor, cmd, state, exit_code, ts_end } = block;
  const end = ts_end === null ? {} : { exit_code };
  return { kind: "block", session_id, name, id: block_id, to: state, who: actor, why: lineOf(cmd ?? "", hide), ...end };
}

function approvalOf({ approval_id, session_id, actor, text, state }: Approval, name: string | null, hide: Hide) {
  return {
    kind: "approval",
    session_id,
    name,
    id: approval_id,
    to: state,
    who: actor,
    why: lineOf(text, hide),
  } as const;
}

function lineOf(text: string, hide: Hide): string {
  return firstLine(text, hide, LINE_CHARS_MAX);
}
