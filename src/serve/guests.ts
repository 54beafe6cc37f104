// The calls of guests, devices and browsers: a guest's are checked against the table, and all end with what they came by.
// Refuses: to decide (pass/guest-rules.ts).
import { Cancel } from "../core/base/cancellation.ts";
import { type Fault, fault, isFault } from "../core/base/fault.ts";
import type { AnyOp } from "../protocol/ops.ts";
import { type Auth, type Call, peopleOnly } from "./auth.ts";
import { refusesAway } from "./pass/device-rules.ts";
import { refusesGuest } from "./pass/guest-rules.ts";
import type { Visits } from "./pass/visits.ts";
import type { Perform } from "./perform.ts";

const SIGNED_OUT = fault("auth.required", "you were signed out", "Sign in or pair this device again.");
const OVER = fault(
  "auth.forbidden",
  "what was shared with you is over",
  "Ask the person who shared it for a new link.",
);

interface GuestsParts {
  readonly visits: Visits;
  readonly auth: Pick<Auth, "isGood">;
  /** The session of a question. */
  sessionOf(approval_id: string): string | null | undefined;
}

export class Guests {
  #parts: GuestsParts;

  constructor(parts: GuestsParts) {
    this.#parts = parts;
  }

  refuses(op: AnyOp, input: unknown, call: Call): Fault | undefined {
    if (!call.guest) return refusesAway(call.away, op.name);
    const inside = call.inside && peopleOnly(call, "what was shared is for people");
    return inside ?? refusesGuest(call.guest, op.name, Object(input ?? {}), (id) => this.#parts.sessionOf(id));
  }

  /** The same operations; they wait no longer than what their caller came by is good. */
  visiting(perform: Perform): Perform {
    return async (op, input, call) => {
      if (call.visit === undefined) return perform(op, input, call);
      const ended = call.guest ? OVER : SIGNED_OUT;
      // It may have been taken back while the rest of the request was on its way.
      if (!this.#parts.auth.isGood(call.visit)) return ended;
      const [cancelled, over] = [new Cancel(), new Cancel()];
      call.cancelled.onCancel(() => cancelled.end());
      const done = this.#parts.visits.begin(call.visit, () => over.end());
      if (isFault(done)) return done;
      over.onCancel(() => cancelled.end());
      try {
        const answer = await perform(op, input, { ...call, cancelled });
        return over.ended ? ended : answer;
      } finally {
        done();
      }
    };
  }
}
