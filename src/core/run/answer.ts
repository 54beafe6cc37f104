// The answer to a run, and the one to a run that a person did not allow, or not yet. Pure.
import type { RunResult } from "../../protocol/ops/run.ts";
import type { Input } from "../../protocol/ops.ts";
import { exact } from "../base/exact.ts";
import { type Fault, fault } from "../base/fault.ts";
import type { Block } from "../block/block.ts";
import type { Session } from "../session/session.ts";

/** The wire's answer, without the screen and the page's address, which the handlers add. */
export type RunAnswer = Readonly<Omit<RunResult, "screen" | "changes" | "above" | "url">>;

/** An answer, and where it came from. */
export interface RunOutcome {
  readonly answer: RunAnswer;
  readonly session?: Session;
  readonly blocks: readonly Block[];
}

interface Asked {
  readonly command: string;
  readonly session: Session | undefined;
  readonly mode: Input<"run_command">["mode"];
}

/** Only a question or a no is an answer. The rest failed. */
export function refusedRun(
  { command, session, mode }: Asked,
  { code, message, hint, approval_id }: Fault,
): RunOutcome | Fault {
  if (code !== "approval.pending" && code !== "gate.denied") return fault(code, message, hint);
  const answer: RunAnswer = {
    status: code === "gate.denied" ? "denied" : "approval_pending",
    exit_code: null,
    session_id: session?.id ?? null,
    block_id: null,
    run_id: "",
    mode: mode === "pipe" ? "pipe" : "pty",
    command,
    cwd: null,
    output: { head: "", tail: "", omitted_bytes: 0 },
    duration_ms: 0,
    cursor: session?.display.facts.fed ?? 0,
    waiting: null,
    boxed: false,
    hint: `${message}. ${hint}`,
    ...(approval_id === undefined ? {} : { approval_id }),
  };
  return { answer, blocks: [] };
}

/** Whoever asked must not think that their own line ran. */
export function withEdit({ command }: Pick<Asked, "command">, outcome: RunOutcome): RunOutcome {
  const { answer } = outcome;
  if (answer.command === command) return outcome;
  const edited = `a person changed the line, and this ran instead: ${exact(answer.command)}`;
  return { ...outcome, answer: { ...answer, note: answer.note ? `${answer.note} · ${edited}` : edited } };
}

/** Several hints as one. */
export function joined(...hints: readonly (string | undefined)[]): string {
  return hints.filter((hint) => hint !== undefined).join(" ");
}
