// The events of one conversation: numbered, kept in the file, sent to listeners. Owns: the numbers, the newest events,
// and the pending waits. Older events are read back from the file. Chunks are sent but not kept.
import type { Cancelled } from "../../base/cancellation.ts";
import type { Clock } from "../../base/clock.ts";
import type { AgentEvent, StampedEvent } from "../events.ts";
import { type TranscriptLines, transcriptOf } from "./transcript.ts";

/** Turns of some hundred steps, which a page needs when it reloads. */
export const EVENTS_IN_MEMORY_MAX = 2_000;
/** Characters of all of them. Enough for the same turns, unless an agent prints without end. */
export const EVENT_CHARS_IN_MEMORY_MAX = 4_000_000;

export interface EventLogParts {
  readonly clock: Clock;
  readonly lines: TranscriptLines;
  publish(event: StampedEvent): void;
}

export class EventLog {
  #parts: EventLogParts;
  #newest: StampedEvent[];
  #chars: number;
  #seq: number;
  /** Events up to this one are in the file only. */
  #dropped = 0;
  /** Each with the last event it knows. */
  #waiting = new Map<() => void, number>();

  constructor(parts: EventLogParts, events: readonly StampedEvent[]) {
    this.#parts = parts;
    this.#newest = [...events];
    this.#chars = events.reduce((sum, event) => sum + charsOf(event), 0);
    this.#seq = events.at(-1)?.seq ?? 0;
    this.#forget();
  }

  get seq(): number {
    return this.#seq;
  }

  get awaited(): boolean {
    return this.#waiting.size > 0;
  }

  tell(said: AgentEvent): StampedEvent {
    const { clock, lines, publish } = this.#parts;
    if (said.type === "chunk") {
      const chunk = { ...said, seq: this.#seq, ts: clock.now() };
      publish(chunk);
      return chunk;
    }
    this.#seq += 1;
    const event: StampedEvent = { ...said, seq: this.#seq, ts: clock.now() };
    lines.append({ event });
    this.#newest.push(event);
    this.#chars += charsOf(event);
    this.#forget();
    publish(event);
    for (const [end, since] of [...this.#waiting]) if (event.seq > since) end();
    return event;
  }

  events(since: number, limit: number): readonly StampedEvent[] {
    const all = since < this.#dropped ? transcriptOf(this.#parts.lines.read()).events : this.#newest;
    const first = all.findIndex(({ seq }) => seq > since);
    return first < 0 ? [] : all.slice(first, first + limit);
  }

  /** Resolves when there is an event after `since`, at the deadline, or when the caller is gone. */
  next(since: number, timeout_ms: number, cancelled?: Cancelled): Promise<void> {
    if (this.#seq > since || timeout_ms <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        this.#waiting.delete(end);
        cancel();
        resolve();
      };
      const cancel = this.#parts.clock.after(timeout_ms, end);
      this.#waiting.set(end, since);
      cancelled?.onCancel(end);
    });
  }

  /** Ends all waits. */
  close(): void {
    for (const end of [...this.#waiting.keys()]) end();
  }

  /** Drops half of them at once, so that not every event moves all others. */
  #forget(): void {
    const { length } = this.#newest;
    if (length <= EVENTS_IN_MEMORY_MAX && this.#chars <= EVENT_CHARS_IN_MEMORY_MAX) return;
    let over = 0;
    for (const event of this.#newest.slice(0, -1)) {
      if (length - over <= EVENTS_IN_MEMORY_MAX / 2 && this.#chars <= EVENT_CHARS_IN_MEMORY_MAX / 2) break;
      this.#chars -= charsOf(event);
      this.#dropped = event.seq;
      over += 1;
    }
    this.#newest = this.#newest.slice(over);
  }
}

function charsOf(event: StampedEvent): number {
  switch (event.type) {
    case "plan":
      return event.plan.reduce((sum, { text }) => sum + text.length, 0);
    case "step":
      return event.title.length;
    case "status":
      return event.note?.length ?? 0;
    case "trouble":
      return event.message.length + event.hint.length;
    default:
      return "text" in event ? event.text.length : 0;
  }
}
