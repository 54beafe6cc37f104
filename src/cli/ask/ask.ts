// `duetty ask`: gives an agent a task and follows it until the turn is over. The answer goes to standard output, what
// happens on the way to standard error. Owns: following the turn. Refuses: to control the agent, except for Ctrl+C,
// a yes or no, and the next step.
import { CallError, type Client, clientOver } from "../../client/client.ts";
import type { AgentEvent, TurnOutcome } from "../../protocol/ops/agent.ts";
import type { Approval } from "../../protocol/ops/gate.ts";
import type { Call } from "../../protocol/ops.ts";
import { EXIT } from "../../protocol/plain/exit.ts";
import type { Home } from "../../protocol/plain/home.ts";
import type { CommonFlags } from "../args.ts";
import { connected } from "../connect.ts";
import { identityFrom, isPerson } from "../identity.ts";
import { JsonLines, Progress, type Teller } from "./progress.ts";
import { TypedAnswers } from "./typed-answers.ts";

/** The length of one poll: long enough to be rare, short enough for any proxy. */
const POLL_MS = 25_000;
/** Larger than any event number, so that only new events follow. */
const NEWEST = Number.MAX_SAFE_INTEGER;

export async function askAgent(home: Home, input: Record<string, unknown>, common: CommonFlags): Promise<number> {
  const identity = () => identityFrom(home, common.as);
  const client = clientOver(connected(home, common.as));
  const task = input as Call<"ask">;
  const since = await newestOf(client, task.session_id);
  const { session_id } = await client.ask(task);
  // Installed before we print anything, because a reader may interrupt at once.
  const release = stopOnInterrupt(client, session_id, (text) => teller.note(text));
  const canAnswer = !common.json && process.stdin.isTTY === true && isPerson(home, identity());
  const teller: Teller = common.json ? new JsonLines() : new Progress(session_id, canAnswer ? "here" : "elsewhere");
  const answers = canAnswer ? new TypedAnswers(client, session_id, (text) => teller.note(text)) : undefined;
  const isWatched = !common.json && process.stderr.isTTY === true;
  const deafen = isWatched
    ? (await import("./live.ts")).listen(home, identity(), session_id, (chunk) => teller.event(chunk))
    : undefined;
  try {
    return codeOf(await follow(client, { session_id, since }, teller, answers));
  } finally {
    release();
    deafen?.();
    answers?.close();
  }
}

async function newestOf(client: Client, session_id: string | undefined): Promise<number> {
  if (session_id === undefined) return 0;
  const { status } = await client.agent_events({ session_id, since: NEWEST });
  return status.seq;
}

/** Runs until the turn is over, however it ended. */
async function follow(
  client: Client,
  from: { readonly session_id: string; readonly since: number },
  teller: Teller,
  answers: TypedAnswers | undefined,
): Promise<TurnOutcome> {
  const { session_id } = from;
  let { since } = from;
  for (;;) {
    const poll = { session_id, since, timeout_ms: POLL_MS };
    const { events, status } = await reached(session_id, () => client.agent_events(poll));
    for (const event of events) {
      since = Math.max(since, event.seq);
      if (event.type === "proposal") teller.proposed(event, await cardOf(client, session_id, event, teller));
      else teller.event(event);
      answered(event, answers);
      if (event.type !== "ended") continue;
      teller.end(status);
      return event.outcome;
    }
    // The end came before we asked, or is no longer kept.
    if (events.length > 0 || status.state !== "idle" || status.outcome === null) continue;
    teller.end(status);
    return status.outcome;
  }
}

/** The question as other surfaces show it. */
async function cardOf(
  client: Client,
  session_id: string,
  { approval_id }: Extract<AgentEvent, { type: "proposal" }>,
  { proposals }: Teller,
): Promise<Approval | undefined> {
  if (proposals === "bare") return undefined;
  const { approvals } = await reached(session_id, () => client.approvals({ all: true }));
  return approvals.find((one) => one.approval_id === approval_id);
}

async function reached<T>(session_id: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof CallError) throw error;
    throw new CallError({
      code: "daemon.unreachable",
      message: `the daemon went away: ${error instanceof Error ? error.message : error}`,
      hint: `What was said is kept: duetty conversation ${session_id}`,
    });
  }
}

function answered(event: AgentEvent, answers: TypedAnswers | undefined): void {
  if (event.type === "proposal") answers?.propose(event.approval_id);
  else if (event.type === "status" && event.state === "paused") answers?.pause();
  else if (event.type === "status") answers?.settle("pause");
  // Any other event means that the agent has moved on from the question.
  else if (event.type === "observation") answers?.settle("proposal");
  else if (event.type === "ended") answers?.close();
}

/** The first Ctrl+C stops the agent, which says so itself. The second one leaves at once. */
function stopOnInterrupt(client: Client, session_id: string, note: (text: string) => void): () => void {
  let times = 0;
  const stop = () => {
    times += 1;
    if (times > 1) process.exit(EXIT.needs_person);
    note("stopping the agent (Ctrl+C once more leaves at once)");
    client.agent_control({ session_id, action: "stop" }).catch((error) => note(String(error)));
  };
  process.on("SIGINT", stop);
  return () => void process.off("SIGINT", stop);
}

function codeOf(outcome: TurnOutcome): number {
  switch (outcome) {
    case "done":
      return EXIT.ok;
    case "failed":
      return EXIT.error;
    case "stopped":
      return EXIT.needs_person;
    case "limit":
      return EXIT.deadline;
    default:
      return outcome satisfies never;
  }
}
