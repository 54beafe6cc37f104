// What handlers work with, and the one helper they share: finding the session that was named.
import type { Conversations } from "../../core/agent/conversation/conversations.ts";
import type { Changes } from "../../core/base/changes.ts";
import { type Fault, isFault } from "../../core/base/fault.ts";
import type { Approvals } from "../../core/gate/approvals.ts";
import type { NoSessionGate } from "../../core/gate/no-session.ts";
import type { Holder } from "../../core/journal/holding.ts";
import type { Runner } from "../../core/run/runner.ts";
import type { Session } from "../../core/session/session.ts";
import type { Sessions } from "../../core/session/sessions.ts";
import type { Input, OpName, Output } from "../../protocol/ops.ts";
import type { Home } from "../../protocol/plain/home.ts";
import type { Agents } from "../agent/agents.ts";
import type { Auth, Call } from "../auth.ts";
import type { Admission } from "../opening/admission.ts";
import type { OpenRequests } from "../opening/open.ts";
import type { RuleFiles } from "../opening/rule-files.ts";

export interface Context {
  readonly sessions: Sessions;
  readonly holder: Holder;
  readonly auth: Auth;
  readonly opening: OpenRequests;
  readonly admission: Admission;
  readonly noSessionGate: NoSessionGate;
  readonly approvals: Approvals;
  readonly ruleFiles: RuleFiles;
  readonly runner: Runner;
  readonly changes: Changes;
  readonly conversations: Conversations;
  readonly agents: Agents;
  readonly env: NodeJS.ProcessEnv;
  readonly home: Home;
  readonly webRoot: string;
  readonly startedAt: number;
  httpPort(): number;
  shutdown(what: "daemon" | "everything"): Promise<number>;
}

/** One handler per operation. An operation without one does not compile. */
export type Handlers = { [N in OpName]: (input: Input<N>, call: Call) => Promise<Output<N> | Fault> };

/** Runs with the named session, or answers that there is none. */
export async function onSession<T>(
  ctx: Context,
  ref: string,
  run: (session: Session) => Promise<T | Fault>,
): Promise<T | Fault> {
  const session = ctx.sessions.find(ref);
  return isFault(session) ? session : run(session);
}

/** An agent's answer, with what a person said when they gave the keyboard back, if this agent has not heard it yet. */
export function withNote<T extends { readonly hint?: string | undefined }>(
  session: Session | undefined,
  { actor }: Call,
  answer: T,
): T {
  const note = actor.kind === "agent" ? session?.gate.noteFor(actor) : null;
  if (!note) return answer;
  const said = `A person gave the keyboard back and says: ${note}`;
  return { ...answer, hint: answer.hint === undefined ? said : `${answer.hint} ${said}` };
}
