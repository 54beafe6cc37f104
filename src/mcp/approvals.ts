// Asks a person: through the client where it can, else by waiting for an answer on duetty's own surfaces. The
// daemon's queue owns the question and the first answer counts; nothing runs before it. Owns: the signed state
// that ties a client's answer to exactly this call.
import { createHash } from "node:crypto";
import {
  createRequestStateCodec,
  type InputRequiredResult,
  type InputResponseView,
  inputRequired,
  inputResponse,
  type RequestStateCodec,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { CallError } from "../client/client.ts";
import type { Approval } from "../protocol/ops/gate.ts";
import { placeOf } from "../protocol/plain/host-place.ts";
import { type Attempt, attempt, denied, type Wish, withUrl } from "./attempt.ts";
import { type McpParts, stateKey } from "./parts.ts";
import type { Peer } from "./peer.ts";
import type { Progress } from "./progress.ts";
import { isForm, questionOf, said } from "./questions.ts";
import { invalid } from "./tools.ts";

interface State {
  readonly approval_id: string;
  /** A digest of tool, arguments and agent: an answer counts for exactly what was asked. */
  readonly digest: string;
  /** Where it would run. A call that named no session continues in the session of the question. */
  readonly session_id: string | null;
  /** SHA-256 of the text that the client shows. */
  readonly shown?: string;
}

const ASKED = "approve";
/** Next to no time, but not zero: zero would say that we come back for the answer. */
const LEAVING_MS = 1;

interface Asking extends Wish {
  readonly ctx: ServerContext;
  readonly peer: Peer;
  readonly progress: Progress;
}

export class McpApprovals {
  #parts: McpParts;

  constructor(parts: McpParts) {
    this.#parts = parts;
  }

  /** Without a key we never signed anything, so no state is ours. */
  async verify(state: string, ctx: ServerContext): Promise<State> {
    const codec = this.#codec();
    if (!codec) throw new Error("nothing was asked here");
    return codec.verify(state, ctx);
  }

  /** The operation's answer, or a question for the client to ask before it calls again with the person's answer. */
  async through(asking: Asking): Promise<object | CallError | InputRequiredResult> {
    if (isFleeting(asking.input)) return (await attempt(asking)).answer;
    const state = stateOf(asking);
    const answered = state && (await this.#answered(asking, state));
    if (answered) return answered;
    const first = await attempt(there(asking, state), 0);
    if (first.is === "done") return first.answer;
    const place = await this.#placeOf(asking, first.approval_id);
    const { person, setUp } = this.#parts;
    const isAllowed = place.elicitation === "on" || (place.elicitation === "stdio" && setUp);
    const mayAsk = asking.peer.elicits && person !== null && isAllowed;
    const codec = mayAsk ? this.#codec() : undefined;
    if (codec && place.card && isForm(place.card)) return question(asking, place.card, codec);
    asking.progress.say(`waiting for a person: approval ${first.approval_id}, ${place.url}`);
    const second: Attempt = await attempt(there(asking, place.card));
    return second.is === "done" ? second.answer : withUrl(second.answer, place.url);
  }

  /** Undefined when nobody has answered yet, or when the call may go ahead. */
  async #answered(asking: Asking, state: State): Promise<object | CallError | undefined> {
    const response = inputResponse(asking.ctx.mcpReq.inputResponses, ASKED);
    if (response.kind !== "elicit") return undefined;
    const verdict = await this.#settle(asking, state, response);
    if (verdict === "go") return undefined;
    if (verdict !== "open") return verdict;
    const { url } = await this.#placeOf(asking, state.approval_id);
    return stillOpen(there(asking, state), url);
  }

  async #settle(
    asking: Asking,
    state: State,
    { action, content }: Extract<InputResponseView, { kind: "elicit" }>,
  ): Promise<"go" | "open" | object | CallError> {
    const { approval_id } = state;
    const via = `mcp:${asking.peer.name}`;
    const person = this.#parts.person?.();
    if (!person) return "open";
    try {
      if (action === "cancel") return await this.#meanwhile(asking, approval_id);
      if (action === "accept") {
        const answer = asking.op === "ask_person" ? said(content, "answer") : undefined;
        await person.approve({ approval_id, via, ...(answer === undefined ? {} : { answer }), ...shownOf(state) });
        return "go";
      }
      const reason = said(content, "reason");
      await person.deny({ approval_id, via, ...(reason === undefined ? {} : { reason }) });
      return denied(asking, `a person did not allow it${reason ? `: ${reason}` : ""}`, "Find another way, or ask.");
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      // Somebody else was quicker, and their answer counts.
      if (error.code === "approval.settled" || error.code === "not_found") return this.#meanwhile(asking, approval_id);
      if (error.code === "auth.forbidden" || error.code === "role.inside") return "open";
      throw error;
    }
  }

  /** How a question was settled elsewhere. */
  async #meanwhile(asking: Asking, approval_id: string): Promise<"go" | "open" | object | CallError> {
    const card = await this.#card(asking, approval_id);
    if (!card) {
      const hint = "The daemon was restarted, so the question is gone. Call again.";
      return denied(asking, "nobody answered", hint);
    }
    if (card.state === "pending") return "open";
    if (card.state === "approved") return "go";
    const why = card.answer ? `: ${card.answer}` : card.state === "denied" ? "" : ` (${card.state})`;
    return denied(asking, `a person did not allow it${why}`, "Find another way, or ask.");
  }

  async #card({ agent, signal }: Wish, approval_id: string): Promise<Approval | undefined> {
    // The machine that asks knows how it was settled.
    const host = placeOf(approval_id)?.host;
    const { approvals } = await agent.approvals({ all: true, ...(host !== undefined && { host }) }, { signal });
    return approvals.find((one) => one.approval_id === approval_id);
  }

  /** The question itself, and where people answer it. */
  async #placeOf(asking: Asking, approval_id: string) {
    const { http, elicitation } = await asking.agent.status({}, { signal: asking.signal });
    const card = await this.#card(asking, approval_id);
    const url = `http://127.0.0.1:${http.port}/${card?.session_id ? `#/${card.session_id}` : ""}`;
    return { card, url, elicitation };
  }

  /** Made at each use, because the first daemon may write the token after we start. Undefined without a token. */
  #codec(): RequestStateCodec<State> | undefined {
    const token = this.#parts.personToken();
    return token ? createRequestStateCodec<State>({ key: stateKey(token) }) : undefined;
  }
}

async function question(asking: Asking, card: Approval, codec: RequestStateCodec<State>): Promise<InputRequiredResult> {
  const { approval_id, session_id } = card;
  const shown = createHash("sha256").update(card.text).digest("hex");
  const requestState = await codec.mint({ approval_id, session_id, digest: digestOf(asking), shown });
  return inputRequired({ inputRequests: { [ASKED]: questionOf(card) }, requestState });
}

/** State of an earlier version says nothing of it. */
function shownOf({ shown }: State): { shown?: string } {
  return shown === undefined ? {} : { shown };
}

/** The state that we gave the client with a question. Its signature was checked on the way in. */
function stateOf(asking: Asking): State | undefined {
  const state = asking.ctx.mcpReq.requestState<State>();
  if (!state || state.digest === digestOf(asking)) return state;
  throw invalid("the answer belongs to another call", "Call again with the arguments that were asked about.");
}

/** Repeating the call must repeat the question, and a command without a session has found one by now. */
function there<T extends Wish>(wish: T, about: { readonly session_id: string | null } | undefined): T {
  const { op, input } = wish;
  const named = input.session_id !== undefined || (op !== "run_command" && op !== "run_tests");
  return named || !about?.session_id ? wish : { ...wish, input: { ...input, session_id: about.session_id } };
}

/** A session with its own variables ends with the call, and its question too. Only an answer during the call counts. */
function isFleeting({ env, mode }: Record<string, unknown>): boolean {
  return env !== undefined && mode === "pty";
}

/** The question stays open for others, and the operation's answer says so. */
async function stillOpen(asking: Wish, url: string): Promise<object | CallError> {
  const again = await attempt(asking, LEAVING_MS);
  return again.is === "done" ? again.answer : withUrl(again.answer, url);
}

function digestOf({ op, input, peer }: Asking): string {
  return createHash("sha256")
    .update(JSON.stringify([op, peer.name, sorted(input)]))
    .digest("base64url");
}

/** The order of fields does not matter. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, one]) => [key, sorted(one)]));
}
