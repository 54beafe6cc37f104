// The record of one conversation: events, history, settings of the turn. Owns: conversation.jsonl, and the
// conversation's state. After dispose nothing is written, so that an interrupted turn stays open.
import type { Cancelled } from "../../base/cancellation.ts";
import { openCalls } from "../driver/calls.ts";
import { charsOf, newest } from "../driver/trim.ts";
import type { AgentEvent, StampedEvent } from "../events.ts";
import type { Entry } from "../history.ts";
import { HISTORY_IN_MEMORY_CHARS_MAX } from "../limits.ts";
import { EventLog, type EventLogParts } from "./event-log.ts";
import { type ConversationState, NEW_CONVERSATION, stateAfter } from "./state.ts";
import { type Thread, type TurnSettings, threadAfter, transcriptOf } from "./transcript.ts";

/** The observations for a call that was running and for those queued after it. */
interface Unanswered {
  readonly ran: string;
  readonly queued: string;
}

export class Ledger {
  #parts: EventLogParts;
  #log: EventLog;
  #state: ConversationState;
  #history: Entry[];
  #historyChars: number;
  #settings: TurnSettings | null;
  #thread: Thread | null;
  #closed = false;

  constructor(parts: EventLogParts) {
    this.#parts = parts;
    const { events, history, turn, thread } = transcriptOf(parts.lines.read());
    this.#log = new EventLog(parts, events);
    this.#state = events.reduce(stateAfter, NEW_CONVERSATION);
    this.#history = [...newest(history, HISTORY_IN_MEMORY_CHARS_MAX)];
    this.#historyChars = charsOf(this.#history);
    this.#settings = turn;
    this.#thread = thread;
  }

  get state(): ConversationState {
    return this.#state;
  }

  /** The newest part, which for an agent is all of it (see limits.ts). */
  get history(): readonly Entry[] {
    return this.#history;
  }

  get settings(): TurnSettings | null {
    return this.#settings;
  }

  /** The thread of the agent that has the turn. */
  get thread(): string | null {
    return this.#thread?.id ?? null;
  }

  get seq(): number {
    return this.#log.seq;
  }

  get awaited(): boolean {
    return this.#log.awaited;
  }

  tell(event: AgentEvent): void {
    if (this.#closed) return;
    // We update the state first, because a listener may ask for it.
    this.#state = stateAfter(this.#state, event);
    this.#log.tell(event);
  }

  remember(entry: Entry): void {
    if (this.#closed) return;
    this.#history.push(entry);
    this.#historyChars += charsOf([entry]);
    if (this.#historyChars > HISTORY_IN_MEMORY_CHARS_MAX) {
      this.#history = [...newest(this.#history, HISTORY_IN_MEMORY_CHARS_MAX)];
      this.#historyChars = charsOf(this.#history);
    }
    this.#parts.lines.append({ entry });
  }

  set(turn: TurnSettings): void {
    if (this.#closed) return;
    this.#settings = turn;
    this.#thread = threadAfter(this.#thread, turn);
    this.#parts.lines.append({ turn });
  }

  noteThread(id: string | null): void {
    if (this.#closed || id === this.thread) return;
    const thread = { agent: this.#settings?.agent ?? "", id };
    this.#thread = thread;
    this.#parts.lines.append({ thread });
  }

  /** Adds observations for calls that will get no other. */
  answerOpenCalls({ ran, queued }: Unanswered): void {
    const running = this.#state.call;
    for (const { id, tool } of openCalls(this.#history)) {
      const text = id === running?.call_id ? ran : queued;
      this.remember({ role: "observation", call_id: id, tool, ok: false, text, again: null });
    }
    if (running) this.tell({ type: "observation", ...running, ok: false, text: ran, block_id: null, suggests: null });
  }

  events(since: number, limit: number): readonly StampedEvent[] {
    return this.#log.events(since, limit);
  }

  next(since: number, timeout_ms: number, cancelled?: Cancelled): Promise<void> {
    return this.#closed ? Promise.resolve() : this.#log.next(since, timeout_ms, cancelled);
  }

  close(): void {
    this.#closed = true;
    this.#log.close();
  }
}
