// Both directions of a stream at one end. Owns: the numbers of what is told of the state, on both sides. What is said must arrive
// without a gap; of the state only the newest counts, so it may be lost. Refuses: to know time.
import {
  type Kind,
  kindByte,
  NUMBER_MAX,
  readFrame,
  readState,
  SAID_NUMBER_MAX,
  type State,
  writeFrame,
  writeState,
} from "../frame.ts";
import { type Came, Inbox } from "./inbox.ts";
import { Outbox, type Posted } from "./outbox.ts";
import type { Seals, Side } from "./side.ts";

type Heard =
  | Came
  | { readonly is: "state"; readonly state: State }
  /** Only a hint: anybody can say it. */
  | { readonly is: "unknown" };

interface LineParts {
  send(frame: Uint8Array): "sent" | "away";
  readonly seals: Seals;
  readonly window: number;
  readonly side: Side;
}

/** What the other side may say. */
const HEARS: Readonly<Record<Side, { readonly state: Kind; readonly said: readonly Kind[] }>> = {
  host: { state: "ack", said: ["text", "input", "close"] },
  device: { state: "beat", said: ["bytes", "text", "close"] },
};

export class Line {
  readonly outbox: Outbox;
  readonly inbox: Inbox;
  #parts: LineParts;
  #told = SAID_NUMBER_MAX;
  #heard = SAID_NUMBER_MAX;

  constructor(parts: LineParts) {
    this.#parts = parts;
    const { send, seals, window, side } = parts;
    this.outbox = new Outbox({ send, seal: side === "host" ? seals.out : seals.in, window, side });
    this.inbox = side === "host" ? new Inbox(seals.in, "device") : new Inbox(seals.out, "host");
  }

  /** Says where we stand. `taken`: what of the other side needs no credit any more. */
  tell(asks: State["asks"], taken: number): Posted {
    if (this.#told >= NUMBER_MAX) return "worn";
    this.#told += 1;
    const { send, seals, side } = this.#parts;
    const body = writeState({ asks, said: this.outbox.newest, taken, typed: this.outbox.typed });
    const [kind, seal] = side === "host" ? (["beat", seals.out] as const) : (["ack", seals.in] as const);
    const sealed = seal.seal(kindByte(kind, "whole"), this.#told, body);
    return send(writeFrame({ kind, part: "whole", number: this.#told, sealed })) === "sent" ? "ok" : "away";
  }

  heard(bytes: Uint8Array): Heard {
    const frame = readFrame(bytes);
    if (!frame) return { is: "broken" };
    const { side, seals } = this.#parts;
    if (frame.kind === "unknown") return side === "device" ? { is: "unknown" } : { is: "broken" };
    const { state: kind, said } = HEARS[side];
    const isState = frame.number > SAID_NUMBER_MAX;
    if (!isState) return said.includes(frame.kind) ? this.inbox.take(frame) : { is: "broken" };
    if (frame.kind !== kind || frame.part !== "whole") return { is: "broken" };
    if (frame.number <= this.#heard) return { is: "old" };
    const seal = side === "host" ? seals.in : seals.out;
    const body = seal.open(kindByte(kind, "whole"), frame.number, frame.sealed);
    const state = body && readState(body);
    // It cannot have taken what nobody has said.
    if (!state || state.taken > this.outbox.newest) return { is: "broken" };
    this.#heard = frame.number;
    return { is: "state", state };
  }
}
