// Plays a session's recording part by part, in its own time. Owns: the position, the speed and what is still to come.
// Knows no terminal: bytes go out through `show`. A jump asks the daemon for the recording from there on.
import type { Client } from "../../client/client.ts";
import type { Output } from "../../protocol/ops.ts";

/** Before a recording that begins at the beginning: an empty screen. */
const CLEAR = "\x1b[?1049l\x1b[r\x1b[m\x1b[H\x1b[2J";
/** Nobody sees a difference at a higher rate. */
const TICK_MS_MAX = 100;
const [SPEED_MIN, SPEED_MAX] = [0.1, 100];

interface PlayerParts {
  readonly client: Client;
  readonly timeline: Output<"timeline">;
  readonly speed: number;
  readonly idleMs: number;
  show(bytes: string): void;
  /** Called once: at the end, or with the reason why it could not continue. */
  over(why?: string): void;
}

interface Event {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly text: string;
}

export class Player {
  #parts: PlayerParts;
  #events: Event[] = [];
  #more: Output<"export"> | undefined;
  #position: number;
  #readAt: number;
  #speed: number;
  #paused = false;
  #steps = 0;
  #jump: string | undefined;
  #stopped = false;
  #wake: () => void = () => undefined;

  constructor(parts: PlayerParts) {
    this.#parts = parts;
    this.#speed = parts.speed;
    this.#position = parts.timeline.started_at;
    this.#readAt = this.#position;
  }

  /** The moment that is shown, in milliseconds since the epoch. */
  get position(): number {
    return this.#position;
  }

  play(from: string): void {
    this.#jump = from;
    this.#run().then(
      () => this.#parts.over(),
      (error) => this.#parts.over(error instanceof Error ? error.message : String(error)),
    );
  }

  stop(): void {
    this.#stopped = true;
    this.#wake();
  }

  togglePause(): void {
    this.#paused = !this.#paused;
    this.#wake();
  }

  /** Shows the next thing and stays there. */
  step(): void {
    this.#paused = true;
    this.#steps += 1;
    this.#wake();
  }

  jumpTo(ts: number): void {
    const { started_at } = this.#parts.timeline;
    this.#jump = ts <= started_at ? "0" : `@${Math.round(ts)}`;
    this.#position = Math.max(started_at, ts);
    this.#wake();
  }

  faster(times: number): void {
    this.#speed = Math.min(SPEED_MAX, Math.max(SPEED_MIN, this.#speed * times));
    this.#wake();
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      if (this.#jump !== undefined) await this.#begin(this.#jump);
      if (this.#events.length === 0 && this.#more) await this.#load();
      const [next] = this.#events;
      if (!next && !this.#more) {
        if (!this.#paused) return;
        await this.#sleep(Number.POSITIVE_INFINITY);
      } else if (next) await this.#toward(next);
    }
  }

  /** Shows an event whose time has come, or lets some time pass. */
  async #toward(next: Event): Promise<void> {
    this.#position = Math.max(this.#position, next.at - this.#parts.idleMs);
    if (this.#steps > 0 || (!this.#paused && next.at <= this.#position)) {
      this.#steps = Math.max(0, this.#steps - 1);
      this.#events.shift();
      this.#position = Math.max(this.#position, next.at);
      this.#parts.show(next.text);
      return;
    }
    if (this.#paused) return this.#sleep(Number.POSITIVE_INFINITY);
    const began = performance.now();
    await this.#sleep(Math.min(TICK_MS_MAX, (next.at - this.#position) / this.#speed));
    const passed = (performance.now() - began) * this.#speed;
    if (this.#jump === undefined) this.#position = Math.min(next.at, this.#position + passed);
  }

  async #begin(from: string): Promise<void> {
    const { client, timeline, show } = this.#parts;
    this.#jump = undefined;
    const part = await client.export({ session_id: timeline.session_id, format: "cast", from });
    this.#events = [];
    // The time of the screen that it begins with.
    this.#readAt = timeline.marks.findLast((mark) => mark.cursor < part.from)?.ts ?? timeline.started_at;
    if (!from.startsWith("@")) this.#position = this.#readAt;
    if (part.from === 0) show(CLEAR);
    // The picture at the beginning is shown even while it is paused.
    this.#steps += part.from > 0 ? 1 : 0;
    this.#take(part);
  }

  async #load(): Promise<void> {
    if (!this.#more) return;
    const { session_id, from, to, next } = this.#more;
    if (next !== null)
      this.#take(await this.#parts.client.export({ session_id, format: "cast", from, to, after: next }));
  }

  #take(part: Output<"export">): void {
    this.#more = part.next === null ? undefined : part;
    for (const line of part.content.split("\n")) {
      if (!line.startsWith("[")) continue;
      const [interval, code, text] = JSON.parse(line) as [number, string, string];
      this.#readAt += interval * 1000;
      if (code === "o") this.#events.push({ at: this.#readAt, text });
    }
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = Number.isFinite(ms) ? setTimeout(resolve, ms) : undefined;
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
