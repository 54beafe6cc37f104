// What hosted agents cannot do. Apart from hosted.ts, which loads the protocol of such agents.
import { type Fault, fault } from "../../core/base/fault.ts";

/** The refusal for what only the built-in agent can do. */
export function notLed(what: string): Fault {
  return fault(
    "agent.unavailable",
    `a hosted agent cannot ${what}`,
    "Take the keyboard to keep it from the terminal; stop it to end what it does.",
  );
}
