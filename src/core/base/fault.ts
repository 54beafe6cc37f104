// An expected failure as a value: what went wrong, and what to do about it. Bugs throw; faults are returned.

type FaultCode =
  | "input.invalid"
  | "request.invalid"
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
  | "approval.changed"
  | "session.busy"
  | "prompt.busy"
  | "block.not_found"
  | "run.no_marks"
  | "run.no_answer"
  | "run.not_found"
  | "tests.not_found"
  | "agent.unavailable"
  | "agent.busy"
  | "agent.blocked"
  | "agent.unread"
  | "key.unknown"
  | "box.unavailable"
  | "box.refused"
  | "auth.required"
  | "auth.forbidden"
  | "auth.too_many"
  | "link.used_up"
  | "role.inside"
  | "version.mismatch"
  | "daemon.unreachable"
  | "daemon.lost"
  | "holder.lost"
  | "host.unknown"
  | "host.gone"
  | "host.quiet"
  | "host.refused"
  | "bus.away"
  | "bus.too_large"
  | "restore.failed"
  | "restore.full"
  | "restore.none"
  | "restore.changed"
  | "worktree.unavailable"
  | "worktree.refused"
  | "worktree.failed"
  | "worktree.gone"
  | "worktree.losses"
  | "machine.full"
  | "screen.failed"
  | "disk.full"
  | "disk.refused"
  | "fleet.forged"
  | "fleet.not_for_me"
  | "fleet.restarted"
  | "fleet.expired"
  | "fleet.revoked"
  | "fleet.not_allowed"
  | "fleet.clock"
  | "fleet.late"
  | "fleet.replayed"
  | "fleet.full"
  | "fleet.used"
  | "fleet.passphrase"
  | "fleet.key"
  | "fleet.none"
  | "fleet.member"
  | "fleet.login"
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

/** The code of an error of the system, such as "EMFILE". */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** The code of an error of the screen engine. It costs one screen. */
export const ENGINE_FAILED = "ENGINE_FAILED";
const SCREEN_FAILED_HINT =
  "Its program goes on, and all that it prints is kept. Ask again: the screen is then made anew.";

/** What a machine that has run out of something says. It is nobody's bug, and the same call works later. Undefined: it is something else. */
export function shortageOf(error: unknown): Fault | undefined {
  switch (codeOf(error)) {
    case "EMFILE":
    case "ENFILE":
      return noDescriptors();
    case "EAGAIN":
      return noProcesses();
    case "ENOSPC":
    case "EDQUOT":
      return fault("disk.full", "the disk is full", "Free some space: what runs goes on, and this works again then.");
    case "EROFS":
    case "EFBIG":
    case "EIO":
      return fault("disk.refused", `the disk refuses to be written: ${String(error)}`, "Sessions can still be read.");
    case ENGINE_FAILED:
      return fault("screen.failed", "the screen of this session cannot be shown", SCREEN_FAILED_HINT);
    default:
      return undefined;
  }
}

export function noDescriptors(): Fault {
  const hint = "Close sessions that you no longer need, or raise `ulimit -n` and start duetty again.";
  return fault("machine.full", "there are too few file descriptors left", hint);
}

export function noProcesses(): Fault {
  const hint = "Close sessions that you no longer need, end other programs, or raise `ulimit -u`.";
  return fault("machine.full", "there are too few processes left", hint);
}
