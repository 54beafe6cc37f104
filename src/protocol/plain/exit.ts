// Exit codes of the CLI, by fault code. No imports: the CLI loads it.

export const EXIT = {
  ok: 0,
  error: 1,
  usage: 2,
  not_found: 3,
  ended: 4,
  needs_person: 5,
  echo_off: 6,
  deadline: 11,
} as const;

const BY_CODE: Readonly<Record<string, number>> = {
  "input.invalid": EXIT.usage,
  "key.unknown": EXIT.usage,
  "session.not_found": EXIT.not_found,
  "session.ambiguous": EXIT.not_found,
  "host.unknown": EXIT.not_found,
  not_found: EXIT.not_found,
  "session.ended": EXIT.ended,
  "auth.forbidden": EXIT.needs_person,
  "role.inside": EXIT.needs_person,
  "prompt.busy": EXIT.needs_person,
  "agent.blocked": EXIT.needs_person,
  "gate.held": EXIT.needs_person,
  "gate.denied": EXIT.needs_person,
  "approval.pending": EXIT.needs_person,
  "gate.echo_off": EXIT.echo_off,
  "session.busy": EXIT.deadline,
  "block.not_found": EXIT.not_found,
  "run.not_found": EXIT.not_found,
  "tests.not_found": EXIT.not_found,
};

export function exitCodeOf(faultCode: string): number {
  return Object.hasOwn(BY_CODE, faultCode) ? (BY_CODE[faultCode] ?? EXIT.error) : EXIT.error;
}
