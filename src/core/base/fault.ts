// An expected failure as a value: what went wrong, and what to do about it. Bugs throw; faults are returned.

type FaultCode =
  | "input.invalid"
  | "input.full"
  | "command.not_found"
  | "cwd.not_found"
  | "spawn.failed"
  | "session.not_found"
  | "session.ambiguous"
  | "session.ended"
  | "session.limit"
  | "gate.held"
  | "gate.echo_off"
  | "gate.denied"
  | "approval.pending"
  | "approval.settled"
  | "session.busy"
  | "prompt.busy"
  | "block.not_found"
  | "run.no_marks"
  | "run.no_answer"
  | "run.not_found"
  | "tests.not_found"
  | "agent.unavailable"
  | "agent.busy"
  | "key.unknown"
  | "box.unavailable"
  | "box.refused"
  | "auth.required"
  | "auth.forbidden"
  | "role.inside"
  | "version.mismatch"
  | "daemon.unreachable"
  | "daemon.lost"
  | "holder.lost"
  | "restore.failed"
  | "restore.full"
  | "restore.none"
  | "restore.changed"
  | "not_found"
  | "internal";

export interface Fault {
  readonly fault: true;
  readonly code: FaultCode;
  readonly message: string;
  readonly hint: string;
  /** The question that a person must answer first. */
  readonly approval_id?: string;
}

export function fault(code: FaultCode, message: string, hint: string): Fault {
  return { fault: true, code, message, hint };
}

export function isFault(value: unknown): value is Fault {
  return typeof value === "object" && value !== null && "fault" in value && value.fault === true;
}

/** Said of a line that the shell does not take as a whole command. The page knows it by this and lets the person go on writing. */
export const INCOMPLETE_LINE = "this command is not complete: a quote, bracket, `done` or here-document is still open";
