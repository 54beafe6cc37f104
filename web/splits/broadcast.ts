// One line in several sessions. Each is the person's own run there, begun at once; what came of all of them is told in one sentence.
import type { Output } from "../../src/protocol/ops.ts";
import { hostFor } from "../hosts/words.ts";
import { call, isFault } from "../wire/api.ts";

/** We use nothing of the output: every session shows its own. */
const BEGIN = { timeout_ms: 0, max_output_chars: 100 } as const;
/** One question at a time, each so long: a browser has few connections, and other parts of the page need them. */
const LOOK_MS = 1_000;
/** After this long the sentence says what still runs. */
const PATIENCE_MS = 60_000;

/** `word`: how it ended, or why it did not begin. Undefined: it ended well. */
interface Outcome {
  readonly label: string;
  readonly word: string | undefined;
}

interface Target {
  readonly session_id: string;
  readonly label: string;
}

export async function runEverywhere(command: string, targets: readonly Target[]): Promise<readonly Outcome[]> {
  const begun = await Promise.all(
    targets.map(async ({ session_id, label }) => ({
      ...{ label, session_id },
      run: await call("run_command", { session_id, command, ...BEGIN }),
    })),
  );
  const until = Date.now() + PATIENCE_MS;
  const outcomes: Outcome[] = [];
  for (const { label, session_id, run: first } of begun) {
    let run = first;
    while (!isFault(run) && run.status === "running" && Date.now() < until)
      run = await call("run_command", { resume: run.run_id, ...hostFor(session_id), ...BEGIN, timeout_ms: LOOK_MS });
    outcomes.push({ label, word: isFault(run) ? run.message : wordOf(run) });
  }
  return outcomes;
}

function wordOf({ status, exit_code }: Output<"run_command">): string | undefined {
  if (status === "running") return "still runs";
  if (status === "waiting_for_input") return "waits for input";
  return exit_code === 0 ? undefined : `exit ${exit_code ?? "unknown"}`;
}

/** Everything in one sentence; first how many ended well. */
export function sentenceOf(command: string, outcomes: readonly Outcome[]): string {
  const well = outcomes.filter(({ word }) => word === undefined).length;
  const others = outcomes.flatMap(({ label, word }) => (word === undefined ? [] : [`${label}: ${word}`]));
  const all = outcomes.length === 1 ? "1 session" : `${outcomes.length} sessions`;
  return [`${command} in ${all}: ${well} ended well`, ...others].join("; ");
}
