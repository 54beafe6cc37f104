// A viewer's frames, handed on in their order. Owns: those that wait, before the viewer is there and while an earlier one is
// looked at.
import { type Fault, fault } from "../../core/base/fault.ts";
import { FromViewer } from "../../protocol/stream.ts";

/** For example while a long journal is replayed, or after a long paste: a few keys, the viewer's size. */
const WAITING_FRAMES_MAX = 100;
/** A message that is no input: the longest is a command that a person edited. */
const TEXT_BYTES_MAX = 256 << 10;

interface FramesEvents {
  /** A promise: nothing may overtake this frame. */
  frame(data: Buffer, binary: boolean): Promise<unknown> | undefined;
  /** More came than may wait, or at once. */
  full(): void;
}

export class Frames {
  #on: FramesEvents;
  #waiting: [Buffer, boolean][] = [];
  #isHeld = true;

  constructor(on: FramesEvents) {
    this.#on = on;
  }

  push(data: Buffer, binary: boolean): void {
    if (!binary && data.length > TEXT_BYTES_MAX) return this.#on.full();
    if (!this.#isHeld) return this.#hand(data, binary);
    if (this.#waiting.length < WAITING_FRAMES_MAX) this.#waiting.push([data, binary]);
    else this.#on.full();
  }

  go(): void {
    this.#isHeld = false;
    for (const [data, binary] of this.#waiting.splice(0)) this.push(data, binary);
  }

  #hand(data: Buffer, binary: boolean): void {
    const looked = this.#on.frame(data, binary);
    if (!looked) return;
    this.#isHeld = true;
    void looked.then(() => this.go());
  }
}

/** A text frame. */
export function readControl(text: string): FromViewer | Fault {
  try {
    const message = FromViewer.safeParse(JSON.parse(text));
    if (message.success) return message.data;
    return fault("input.invalid", `not a control message: ${text.slice(0, 100)}`, "See the protocol.");
  } catch {
    return fault("input.invalid", `not JSON: ${text.slice(0, 100)}`, "Send input as binary frames.");
  }
}
