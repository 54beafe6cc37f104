// A terminal's socket on another machine of the fleet, from the moment somebody wants it: it opens once that machine has answered.
// Frames that come before their keys are known wait. Owns: that time alone; then it is the stream's end (core/fleet/stream).
import { type Fault, isFault } from "../../../core/base/fault.ts";
import type { DeviceEnd, DeviceStream } from "../../../core/fleet/stream/device.ts";
import type { FarSocket } from "../remote-host.ts";

/** What a window holds: 512 KiB of frames of at most 64 KiB, and small ones. */
const EARLY_FRAMES_MAX = 256;
/** A body of 64 KiB, its head and its seal. */
const FRAME_BYTES_MAX = (64 << 10) + 128;
const CONNECTING = 0;
const CLOSED = 3;
/** Try again later. */
const LATER = 1013;

type Made = { readonly stream: DeviceStream } | Fault;

/** What is typed and not confirmed at the end: told to the person, or sent again by their page. */
type Unconfirmed = "told" | "sent_again";

export class LateSocket implements FarSocket {
  #stream: DeviceStream | undefined;
  #early: Uint8Array[] = [];
  #unconfirmed: Unconfirmed;
  #isClosed = false;
  /** Whoever used it has said goodbye, and hears nothing of the stream but how it ended. */
  #isParting = false;
  #onopen: (() => void) | null = null;
  #onmessage: ((event: { readonly data: unknown }) => void) | null = null;
  #onclose: ((event: { readonly code: number; readonly reason?: string }) => void) | null = null;
  binaryType = "arraybuffer";

  /** `make` asks for the stream; it never rejects. */
  constructor(make: () => Promise<Made>, unconfirmed: Unconfirmed) {
    this.#unconfirmed = unconfirmed;
    void make().then((made) => (isFault(made) ? this.#failed(made) : this.#made(made.stream)));
  }

  get readyState(): number {
    if (this.#isClosed) return CLOSED;
    return this.#stream?.readyState ?? CONNECTING;
  }

  get onopen(): unknown {
    return this.#onopen;
  }
  set onopen(run: (() => void) | null) {
    this.#onopen = run;
  }
  get onmessage(): unknown {
    return this.#onmessage;
  }
  set onmessage(run: ((event: { readonly data: unknown }) => void) | null) {
    this.#onmessage = run;
  }
  get onclose(): unknown {
    return this.#onclose;
  }
  set onclose(run: ((event: { readonly code: number; readonly reason?: string }) => void) | null) {
    this.#onclose = run;
  }

  send(data: string | Uint8Array<ArrayBuffer>): void {
    this.#stream?.send(data);
  }

  close(): void {
    this.#isParting = true;
    if (this.#stream) return this.#stream.close();
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#early = [];
    queueMicrotask(() => this.#onclose?.({ code: 1000 }));
  }

  taken(bytes: number): void {
    this.#stream?.taken(bytes);
  }

  /** A frame from the bus. */
  heard(frame: Uint8Array): void {
    if (this.#stream) this.#stream.heard(frame);
    else if (!this.#isClosed && frame.length <= FRAME_BYTES_MAX && this.#early.length < EARLY_FRAMES_MAX)
      this.#early.push(frame);
  }

  /** There is no broker any more. */
  lost(): void {
    this.#stream?.terminate("away");
  }

  #made(stream: DeviceStream): void {
    // Nobody wants it any more.
    if (this.#isClosed) return stream.close();
    this.#stream = stream;
    stream.onopen = () => this.#onopen?.();
    stream.onmessage = (event) => this.#onmessage?.(event);
    stream.onclose = (end: DeviceEnd) => this.#ended(end);
    for (const frame of this.#early.splice(0)) stream.heard(frame);
  }

  #failed(fault: Fault): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#notice(fault.message);
    this.#onclose?.({ code: LATER, reason: fault.code });
  }

  #ended({ code, reason, why, unconfirmed: { bytes } }: DeviceEnd): void {
    this.#isClosed = true;
    // The other side told of those that it knows of, to whoever still listened.
    const told = !this.#isParting && why === "closed" && reason.endsWith("not typed") ? Number.parseInt(reason, 10) : 0;
    if (bytes > told && this.#unconfirmed === "told") {
      const keys = bytes === 1 ? "1 key" : `${bytes} keys`;
      this.#notice(`${keys} may not have been typed: ${reason}. Look at the screen before you type again.`);
    }
    this.#onclose?.({ code, reason });
  }

  #notice(message: string): void {
    this.#onmessage?.({ data: JSON.stringify({ type: "notice", message }) });
  }
}
