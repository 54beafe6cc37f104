// What handlers work with, and the helpers they share: finding the named session, and what a person said to agents.
import type { DeepReadonly } from "../../core/base/deep-readonly.ts";
import { type Fault, isFault } from "../../core/base/fault.ts";
import { actorName } from "../../core/gate/actor.ts";
import type { Holder } from "../../core/journal/holding.ts";
import type { Session } from "../../core/session/session.ts";
import type { Input, OpName, Output } from "../../protocol/ops.ts";
import type { Home } from "../../protocol/plain/home.ts";
import type { Auth, Call } from "../auth.ts";
import type { Machine } from "../compose.ts";
import type { LoadedMembers } from "../fleet/members/loaded.ts";
import type { OtherMachines } from "../fleet/other-machines.ts";
import type { Passes } from "../pass/passes.ts";
import type { Visits } from "../pass/visits.ts";
import type { Push } from "../push/push.ts";
import type { Secrets } from "../secrets.ts";
import type { UnderWay } from "../under-way.ts";

/** The machine, and the daemon around it. */
export interface Context extends Machine {
  readonly holder: Holder;
  readonly auth: Auth;
  readonly secrets: Secrets;
  readonly env: NodeJS.ProcessEnv;
  readonly home: Home;
  readonly webRoot: string;
  readonly startedAt: number;
  readonly underWay: UnderWay;
  readonly passes: Passes;
  readonly visits: Visits;
  readonly push: Push;
  readonly far: OtherMachines;
  readonly members: LoadedMembers;
  httpPort(): number;
  /** Where links to the page begin. */
  origin(): string;
  shutdown(what: "daemon" | "everything"): Promise<number>;
}

/** Nobody changes an answer, so nothing is copied for it. */
export type Answer<N extends OpName> = DeepReadonly<Output<N>>;

/** One handler per operation. An operation without one does not compile. */
export type Handlers = { [N in OpName]: (input: Input<N>, call: Call) => Promise<Answer<N> | Fault> };

/** Runs with the named session, or answers that there is none. */
export async function onSession<T>(
  ctx: Context,
  ref: string,
  run: (session: Session) => Promise<T | Fault>,
): Promise<T | Fault> {
  const session = await ctx.sessions.awake(ref);
  return isFault(session) ? session : run(session);
}

/** An agent's answer, with what it has not heard yet: of what it typed, and what a person said who gave the keyboard back. */
export function withNote<T extends { readonly hint?: string | undefined }>(
  session: Session | undefined,
  { actor }: Call,
  answer: T,
): T {
  if (actor.kind !== "agent" || !session) return answer;
  const note = session.gate.noteFor(actor);
  const said = note && `A person gave the keyboard back and says: ${note}`;
  const hints = [answer.hint, session.gate.agentLane.hintFor(actor), said].filter((one) => one);
  return hints.length === 0 ? answer : { ...answer, hint: hints.join(" ") };
}

/** Whose looks are remembered together: an agent's over one connection. Without one, all that come under its name. */
export function lookerOf({ actor, connection }: Pick<Call, "actor" | "connection">): string {
  return connection === undefined ? actorName(actor) : `${actorName(actor)} ${connection}`;
}
