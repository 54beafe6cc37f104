// The states of a session and what remains of one that ended.

import type { SessionState } from "../../protocol/ops/session.ts";
import { advice } from "../base/advice.ts";
import { type Fault, fault } from "../base/fault.ts";
import type { Block } from "../block/block.ts";
import type { Hold } from "../gate/hold.ts";
import type { JournalRecord } from "../journal/records.ts";
import type { ExitStatus } from "../pty/pty.ts";
import type { Frame } from "../viewer/viewer.ts";

/** What those hear who work in a session, or list it, without watching it. */
export type SessionNews =
  | { readonly kind: "held"; readonly hold: Hold }
  /** Something that lists show changed: state, name or command. */
  | { readonly kind: "changed" }
  /** A command began or ended. */
  | { readonly kind: "block"; readonly block: Block }
  /** A person looked at it. */
  | { readonly kind: "seen" }
  | { readonly kind: "ended"; readonly exit_code: number | null; readonly signal: string | null };

export interface End extends ExitStatus {
  readonly at: number;
}

export function isOver(state: SessionState): boolean {
  return state === "done" || state === "failed" || state === "lost";
}

/** A session that was asked to close is done, whatever signal did it. */
export function stateAfter(status: ExitStatus, why: "itself" | "closed"): "done" | "failed" {
  return why === "closed" || status.code === 0 ? "done" : "failed";
}

/** What the files say about a session that ended before this process. */
export function pastOf(
  records: readonly JournalRecord[],
  events: readonly unknown[],
  started: boolean,
): { state: SessionState; end: End | undefined } {
  const exit = records.find((record) => record.kind === "exit");
  const closed = wasClosed(events);
  if (exit) {
    const end = { code: exit.code, signal: exit.signal, at: exit.ts };
    return { state: stateAfter(exit, closed ? "closed" : "itself"), end };
  }
  return { state: started ? "lost" : closed ? "done" : "pending", end: undefined };
}

/** Whether somebody closed it, by its events. */
export function wasClosed(events: readonly unknown[]): boolean {
  return events.some((event) => hasKind(event, "close"));
}

function hasKind(event: unknown, kind: string): boolean {
  return typeof event === "object" && event !== null && "kind" in event && event.kind === kind;
}

export function endedFault(id: string, state: SessionState): Fault {
  return fault("session.ended", `session ${id} is ${state}`, advice("read_ended", id));
}

/** The message to viewers about the end. */
export function exitFrame({ code, signal }: ExitStatus): Frame {
  return { type: "exit", exit_code: code, signal };
}

/** The screen engine failed at a cursor, and was replaced: without so many bytes, or with an empty screen at another size. */
export function trapNotice(at: number, bytes: number): string {
  const kept =
    bytes > 0 ? `without ${bytes} bytes` : "with an empty screen of the new size; the history has the old one";
  return `The screen engine failed at byte ${at}; it was rebuilt ${kept}.`;
}
