// A hosted agent's permission requests for its own tools, shown to people like any other question. Calls of our own
// tools are judged by the gate when they come, so nobody is asked twice. We only ever choose the agent's "once" option,
// because we do not know how far its "always" reaches, and a person's own rule already answers the next time.

import type {
  PermissionOptionKind,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from "@agentclientprotocol/sdk";
import type { Cancelled } from "../../core/base/cancellation.ts";
import { ConcurrencyLimit } from "../../core/base/concurrency-limit.ts";
import { isFault } from "../../core/base/fault.ts";
import { shortened } from "../../core/base/head-tail.ts";
import { APPROVAL_LIFE_MS } from "../../core/base/question-words.ts";
import type { Approvals, Question } from "../../core/gate/approvals.ts";
import { alwaysRule } from "../../core/gate/person-rules.ts";
import type { Session } from "../../core/session/session.ts";
import { type HostedCall, shellCommand, titleOf, toolName } from "./calls.ts";
import { ToolFields, textOfContent, textOfValue } from "./messages.ts";
import type { Updates } from "./updates.ts";

/** More than a person reads before a yes. We say that the rest is left out. */
const QUESTION_CHARS_MAX = 20_000;
const CANCELLED: RequestPermissionResponse = { outcome: { outcome: "cancelled" } };

interface PermissionsParts {
  /** agent:NAME */
  readonly actor: string;
  readonly session: Session;
  readonly approvals: Approvals;
  readonly updates: Updates;
}

type Decision = "allow" | "reject" | "cancel";

export class Permissions {
  #parts: PermissionsParts;
  /** One at a time, because two equal questions would be one card, and a yes counts for one. */
  #line = new ConcurrencyLimit(1);

  constructor(parts: PermissionsParts) {
    this.#parts = parts;
  }

  async answer(request: RequestPermissionRequest, cancelled: Cancelled & { readonly ended: boolean }) {
    const fields = ToolFields.safeParse(request.toolCall).data;
    if (!fields) return CANCELLED;
    const call = this.#parts.updates.proposed(fields);
    const decision = await this.#line.run(() => this.#decide(call, request, cancelled));
    if (decision === "reject") this.#parts.updates.denied(call);
    return chosen(request, cancelled.ended ? "cancel" : decision);
  }

  async #decide(
    call: HostedCall,
    request: RequestPermissionRequest,
    cancelled: Cancelled & { readonly ended: boolean },
  ) {
    if (cancelled.ended) return "cancel";
    const { session, actor } = this.#parts;
    const log = (verdict: Decision | "ask", rule: string) =>
      session.gate.log({ kind: "verdict", verdict, rule, actor, what: "tool", tool: toolName(call) });
    if (call.own !== null && offered(request, "allow_once") !== undefined) {
      log("allow", "hosted.own_tool");
      return "allow";
    }
    const line = shellCommand(call);
    const likely = line ?? likelyCommand(call);
    const judged = likely === null ? null : session.gate.agentLane.explain(actor, likely, {});
    const rule = judged?.verdict.rule ?? "";
    if (rule === "rules.deny" || (rule === "rules.allow" && line !== null)) {
      const decision = rule === "rules.allow" ? "allow" : "reject";
      log(decision, rule);
      return decision;
    }
    log("ask", "hosted.permission");
    return this.#ask(questionOf(call, line, judged?.risk ?? null, this.#parts), cancelled);
  }

  /** The conversation learns of the question from the queue and reports it. */
  async #ask(question: Question, cancelled: Cancelled): Promise<Decision> {
    const { approvals } = this.#parts;
    const answer = await approvals.ask(question, APPROVAL_LIFE_MS, cancelled);
    if (isFault(answer)) return "reject";
    if ("pending" in answer) {
      // Nobody waits for it any more.
      approvals.settle(answer.pending.approval_id, { state: "cancelled", answer: null });
      return "cancel";
    }
    if (answer.state === "approved") return "allow";
    return answer.state === "denied" ? "reject" : "cancel";
  }
}

/** gemini sends its command as the title. That is good enough for a warning, but not for permission. */
function likelyCommand({ kind, input, title }: HostedCall): string | null {
  return kind === "execute" && input === undefined && title !== "" ? title : null;
}

function questionOf(
  call: HostedCall,
  line: string | null,
  risk: Question["risk"],
  { actor, session }: PermissionsParts,
): Question {
  const input = line ?? textOfValue(call.input) ?? textOfContent(call.content);
  const title = call.title || titleOf(call);
  const text = title === input || input === "" ? title : `${title}\n${input}`;
  return {
    session_id: session.id,
    actor,
    kind: "tool",
    text: shortened(text, QUESTION_CHARS_MAX),
    risk,
    rule: "hosted.permission",
    cwd: session.info().cwd,
    stdin: null,
    program: toolName(call),
    choices: [],
    confidence: null,
    description: null,
    always: risk === null || line === null ? null : alwaysRule(risk.normal),
  };
}

function offered({ options }: RequestPermissionRequest, kind: PermissionOptionKind): string | undefined {
  return options.find((option) => option.kind === kind)?.optionId;
}

function chosen(request: RequestPermissionRequest, decision: Decision): RequestPermissionResponse {
  const optionId =
    decision === "cancel" ? undefined : offered(request, decision === "allow" ? "allow_once" : "reject_once");
  return optionId === undefined ? CANCELLED : { outcome: { outcome: "selected", optionId } };
}
