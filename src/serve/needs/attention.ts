// What happens in sessions, for those who are elsewhere: leads each piece of news to the list of needs and to the transitions,
// and tells listeners what is new in them. Owns: nothing.
import type { Changes } from "../../core/base/changes.ts";
import { isFault } from "../../core/base/fault.ts";
import type { Approval, Approvals } from "../../core/gate/approvals.ts";
import { Needs, WAKING_MS } from "../../core/needs/needs.ts";
import { standing, standingApproval, standingNeed, Transitions } from "../../core/needs/transitions.ts";
import type { SessionNews } from "../../core/session/life.ts";
import type { Session } from "../../core/session/session.ts";
import type { Sessions } from "../../core/session/sessions.ts";
import { nodeClock } from "../../host/clock.ts";
import type { Home } from "../../protocol/plain/home.ts";
import type { Need } from "../../protocol/words/need.ts";
import type { Transition } from "../../protocol/words/transition.ts";
import type { Log } from "../log.ts";
import type { EventCommands } from "./event-commands.ts";
import { keepNeeds, keptNeeds } from "./kept.ts";

interface AttentionParts {
  readonly home: Home;
  readonly longMs: number;
  readonly changes: Changes;
  readonly commands: EventCommands;
  readonly log: Log;
  /** Takes secrets out of a text. */
  hide(text: string): string;
  sessions(): Sessions;
  approvals(): Approvals;
}

export class Attention {
  readonly needs: Needs;
  readonly transitions: Transitions;
  #parts: AttentionParts;
  #began = nodeClock.now();
  #listeners: ((opened: readonly Need[]) => void)[] = [];

  constructor(parts: AttentionParts) {
    this.#parts = parts;
    this.onNeeds((opened) => {
      for (const need of opened) parts.commands.need(need);
    });
    this.transitions = new Transitions(nodeClock, parts.hide, (one) => {
      if (!this.#isOld(one)) parts.commands.transition(one);
    });
    const path = parts.home.needs;
    const { longMs, hide, log } = parts;
    const rule = { clock: nodeClock, rule: { longMs, hide }, kept: keptNeeds(path, log) };
    const facts = (id: string) => {
      const session = this.#session(id);
      return session && factsOf(session);
    };
    const pending = () => parts.approvals().list("pending");
    this.needs = new Needs({ ...rule, facts, pending, keep: (kept) => keepNeeds(path, kept, log) }, (change) => {
      this.transitions.needs(change);
      parts.changes.bump();
      for (const tell of this.#listeners) tell(change.news);
    });
  }

  /** Hears of each need once. What is there already is not news. */
  onNeeds(tell: (opened: readonly Need[]) => void): void {
    this.#listeners.push(tell);
  }

  stop(): void {
    this.needs.stop();
    this.#parts.commands.stop();
  }

  news(session_id: string, news: SessionNews): void {
    this.needs.touched(session_id);
    if (news.kind === "seen" || news.kind === "held") return;
    const session = this.#session(session_id);
    if (news.kind === "block") return this.transitions.block(session_id, session?.meta.name ?? null, news.block);
    this.transitions.session(session_id, session?.info(), session?.commands.blocks.last ?? undefined);
  }

  asked(approval: Approval): void {
    this.needs.asked();
    this.transitions.approval(approval, this.#nameOf(approval));
  }

  /** What is so now, of one session or of all that run. */
  standing(ref: Session | undefined): Transition[] {
    const [ts, { live }] = [nodeClock.now(), this.#parts.sessions()];
    const lines = (ref ? [ref] : live).flatMap((session) => {
      const { running, last } = session.commands.blocks;
      if (running) this.transitions.runs(running.block_id);
      return standing(session.info(), running ?? last ?? undefined, this.#parts.hide);
    });
    const asked = this.#parts.approvals().list("pending", ref?.id);
    const needs = this.needs.list().filter(({ session_id }) => !ref || session_id === ref.id);
    const open = [
      ...asked.map((one) => standingApproval(one, this.#nameOf(one), this.#parts.hide)),
      ...needs.map(standingNeed),
    ];
    return [...lines, ...open].map((one) => ({ ts, ...one }));
  }

  /** A session that ran before this daemon is read again: what it tells at first happened before. */
  #isOld({ session_id }: Transition): boolean {
    const now = nodeClock.now();
    const made = session_id === null ? undefined : this.#session(session_id)?.meta.created_at;
    return made !== undefined && made < this.#began && now < this.#began + WAKING_MS;
  }

  /** One that the daemon before this one knew may not have been read yet. */
  #session(id: string): Session | undefined {
    const sessions = this.#parts.sessions();
    const found = sessions.known(id) ?? (sessions.has(id) ? sessions.find(id) : undefined);
    return isFault(found) ? undefined : found;
  }

  #nameOf({ session_id }: Approval): string | null {
    return session_id === null ? null : (this.#session(session_id)?.meta.name ?? null);
  }
}

function factsOf(session: Session) {
  const { waitingWatch, agentWatch, blocks } = session.commands;
  const { isTurnOver } = agentWatch;
  const [info, { seenAt }] = [session.info(), session.display.viewers];
  return { info, seenAt, waitsSince: waitingWatch.since, isTurnOver, last: blocks.last ?? undefined };
}
