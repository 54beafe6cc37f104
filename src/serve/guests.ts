// The calls of guests: checked against the table, and ended with their pass. Refuses: to decide (pass/guest-rules.ts).
import { Cancel } from "../core/base/cancellation.ts";
import { type Fault, fault, isFault } from "../core/base/fault.ts";
import type { AnyOp } from "../protocol/ops.ts";
import { type Call, peopleOnly } from "./auth.ts";
import { refusesGuest } from "./pass/guest-rules.ts";
import type { Visits } from "./pass/visits.ts";
import type { Perform } from "./perform.ts";

const OVER = fault(
  "auth.forbidden",
  "what was shared with you is over",
  "Ask the person who shared it for a new link.",
);

interface GuestsParts {
  readonly visits: Visits;
  /** The session of a question. */
  sessionOf(approval_id: string): string | null | undefined;
}

export class Guests {
  #parts: GuestsParts;

  constructor(parts: GuestsParts) {
    this.#parts = parts;
  }

  refuses(op: AnyOp, input: unknown, call: Call): Fault | undefined {
    if (!call.guest) return undefined;
    const inside = call.inside && peopleOnly(call, "what was shared is for people");
    return inside ?? refusesGuest(call.guest, op.name, Object(input ?? {}), (id) => this.#parts.sessionOf(id));
  }

  /** The same operations; a guest's wait no longer than their pass. */
  visiting(perform: Perform): Perform {
    return async (op, input, call) => {
      if (!call.guest) return perform(op, input, call);
      const [cancelled, over] = [new Cancel(), new Cancel()];
      call.cancelled.onCancel(() => cancelled.end());
      const done = this.#parts.visits.begin(call.guest.id, () => over.end());
      if (isFault(done)) return done;
      over.onCancel(() => cancelled.end());
      try {
        const answer = await perform(op, input, { ...call, cancelled });
        return over.ended ? OVER : answer;
      } finally {
        done();
      }
    };
  }
}
