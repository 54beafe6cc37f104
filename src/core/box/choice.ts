// Whether a new session is boxed. Pure: a table of who asks, for what, and what this machine can do.
import { type Fault, fault } from "../base/fault.ts";

interface Wish {
  readonly role: "person" | "agent";
  /** What the caller said. Undefined: nothing. */
  readonly asked: boolean | undefined;
  /** What the person's config says for this role. */
  readonly usual: boolean;
  /** Why there are no boxes here. Null: there are. */
  readonly missing: Fault | null;
}

export function chooseBox({ role, asked, usual, missing }: Wish): "boxed" | "plain" | Fault {
  const wanted = asked ?? usual;
  if (!wanted) return asked === false && role === "agent" && usual && missing === null ? OUT_OF_THE_BOX : "plain";
  if (missing === null) return "boxed";
  // An agent that said nothing gets what it got before there were boxes: every unknown line is asked.
  return role === "agent" && asked === undefined ? "plain" : missing;
}

const OUT_OF_THE_BOX = fault(
  "box.refused",
  "a person wants agents to work in a box",
  "Leave box out. Only a person can open a session without one.",
);
