// One try of an operation, and whether a person must be asked first. Knows how each operation says so.
import { CallError, type CallOptions, type Client } from "../client/client.ts";
import type { OpName, Output } from "../protocol/ops.ts";
import { answeredAt } from "./answer/pending-text.ts";

/** A tool call: its operation, input and client. */
export interface Wish {
  readonly op: OpName;
  readonly input: Record<string, unknown>;
  readonly agent: Client;
  readonly signal: AbortSignal;
}

export type Attempt =
  | { readonly is: "done"; readonly answer: object }
  /** `answer` is the operation's own answer that says so, or a fault where it has none. */
  | { readonly is: "pending"; readonly approval_id: string; readonly answer: object | CallError };

export async function attempt({ op, input, agent, signal }: Wish, approvalWaitMs?: number): Promise<Attempt> {
  // The table ties name and input together, and the schema has checked the input.
  const run = agent[op] as (input: object, options: CallOptions) => Promise<object>;
  try {
    const output = await run(input, { signal, approvalWaitMs });
    const approval_id = pendingIn(op, output);
    return approval_id === undefined ? { is: "done", answer: output } : { is: "pending", approval_id, answer: output };
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== "approval.pending" || !error.approval_id) throw error;
    return { is: "pending", approval_id: error.approval_id, answer: error };
  }
}

function pendingIn(op: OpName, output: object): string | undefined {
  if (op === "ask_person") {
    const { outcome, approval_id } = output as Output<"ask_person">;
    return outcome === "pending" ? approval_id : undefined;
  }
  const run = op === "run_tests" ? (output as Output<"run_tests">).run : (output as Partial<Output<"run_command">>);
  return run?.status === "approval_pending" ? run.approval_id : undefined;
}

/** How the operation says that a person denied it. */
export async function denied(wish: Wish, why: string, hint: string): Promise<object | CallError> {
  const { op, input, agent, signal } = wish;
  const refusal = new CallError({ code: "gate.denied", message: why, hint });
  if (op === "ask_person") return { outcome: "denied", answer: why, approval_id: "" };
  if (op === "run_command") return deniedRun(input, `${why}. ${hint}`);
  if (op !== "run_tests") return refusal;
  const plan = await agent.run_tests({ ...input, dry_run: true }, { signal });
  return { ...plan, run: deniedRun({ ...input, command: plan.plan.command }, `${why}. ${hint}`) };
}

function deniedRun({ session_id, command, mode }: Record<string, unknown>, hint: string) {
  return {
    status: "denied",
    exit_code: null,
    block_id: null,
    run_id: "",
    ...(typeof session_id === "string" && /^(?:[\w.-]{1,40}\/)?s_\w{8}$/.test(session_id) ? { session_id } : {}),
    mode: mode === "pipe" ? "pipe" : "pty",
    command: Array.isArray(command) ? command.join(" ") : String(command ?? ""),
    output: { head: "", tail: "", omitted_bytes: 0 },
    duration_ms: 0,
    cursor: 0,
    hint,
  };
}

/** Where a person finds the question. */
export function withUrl(answer: object | CallError, url: string): object | CallError {
  if (answer instanceof CallError) {
    const { code, message, hint, approval_id } = answer;
    const withAddress = { code, message, hint: answeredAt(hint, url) };
    return new CallError(approval_id === undefined ? withAddress : { ...withAddress, approval_id });
  }
  if (!("run" in answer)) return { ...answer, url };
  return { ...answer, run: { ...(answer.run as object), url } };
}
