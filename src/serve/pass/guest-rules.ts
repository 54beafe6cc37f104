// What somebody may do whom a session was shared with: one table by role, for that session only. Everything else is refused. Pure.
import type { DeepReadonly } from "../../core/base/deep-readonly.ts";
import { type Fault, fault } from "../../core/base/fault.ts";
import { sessionOfBlock } from "../../core/block/block.ts";
import type { ShareRole } from "../../protocol/ops/share.ts";
import type { OpName } from "../../protocol/ops.ts";
import type { ToViewer } from "../../protocol/stream.ts";
import type { SharePass } from "./passes.ts";

/** Somebody who came by a link. */
export type Guest = Pick<SharePass, "id" | "session_id" | "role" | "masked">;

const WATCHES: readonly OpName[] = [
  "shared",
  "pty_read_screen",
  "pty_read_screen_deltas",
  "pty_screen_status",
  "pty_wait",
  "blocks",
  "block",
  "timeline",
  "approvals",
];
const TYPES: readonly OpName[] = [...WATCHES, "pty_send", "take", "release", "lift_line"];

const MAY: Readonly<Record<ShareRole, ReadonlySet<OpName>>> = {
  watch: new Set(WATCHES),
  type: new Set(TYPES),
  approve: new Set<OpName>([...TYPES, "approve", "deny"]),
};

/** Says once, and for this question only: a rule would outlive the link. */
const ANSWERS: ReadonlySet<string> = new Set(["approval_id", "edit", "answer", "reason"]);

/** Why a guest may not do this. `sessionOf`: whose question it is. */
export function refusesGuest(
  guest: Guest,
  op: OpName,
  input: object,
  sessionOf: (approval_id: string) => string | null | undefined,
): Fault | undefined {
  if (!MAY[guest.role].has(op)) return refusal(`${op} is not part of what was shared with you`);
  const { session_id, approval_id, block_id, format, ...more }: Readonly<Record<string, unknown>> = { ...input };
  if (more.host !== undefined || more.hosts !== undefined) return refusal("no other machine was shared with you");
  switch (op) {
    case "shared":
      return undefined;
    case "approve":
    case "deny": {
      const strange = Object.keys(input).find((field) => !ANSWERS.has(field));
      if (strange !== undefined) return refusal(`only the owner answers with ${strange}`);
      const isTheirs = typeof approval_id === "string" && sessionOf(approval_id) === guest.session_id;
      return isTheirs ? undefined : refusal("this question is not of the session that was shared with you");
    }
    case "block": {
      const isTheirs = typeof block_id === "string" && sessionOfBlock(block_id) === guest.session_id;
      return isTheirs && format !== "raw" ? undefined : refusal("this output is not part of what was shared with you");
    }
    default:
      return session_id === guest.session_id ? undefined : refusal("another session was shared with you");
  }
}

const FRAMES: ReadonlySet<ToViewer["type"]> = new Set([
  "hello",
  "typed",
  "snapshot",
  "resize",
  "state",
  "hold",
  "mode",
  "line",
  "lifted",
  "block_begin",
  "block_end",
  "after",
  "paint",
  "exit",
  "presence",
  "notice",
]);

/** Whether a guest is told this of the session. Questions without a session go to everybody else. */
export function isForGuest({ session_id }: Guest, frame: DeepReadonly<ToViewer>): boolean {
  const isQuestion = frame.type === "approval" || frame.type === "approval_settled";
  return isQuestion ? frame.approval.session_id === session_id : FRAMES.has(frame.type);
}

function refusal(message: string): Fault {
  return fault("auth.forbidden", message, "Ask the person who shared it.");
}
