// Performs one operation, whether it came over HTTP, the WebSocket, MCP or from our own agent. Checks role
// and input, calls the handler, and makes the answer fit for the caller. Refuses: to know transports and JSON.

import { withAdvice } from "../core/base/advice.ts";
import { type Fault, fault, isFault, shortageOf } from "../core/base/fault.ts";
import { marked } from "../core/base/invisible.ts";
import type { AnyOp } from "../protocol/ops.ts";
import { namesOf, wrongInput, wrongShape } from "../protocol/words/wrong-input.ts";
import { type Call, type Caller, isMasked, peopleOnly } from "./auth.ts";
import type { Forward } from "./fleet/forward.ts";
import type { Guests } from "./guests.ts";
import type { Handlers } from "./handlers/context.ts";
import type { BoxLimits, Perform } from "./perform.ts";
import { DOTS, type Secrets } from "./secrets.ts";
import type { UnderWay } from "./under-way.ts";

interface OperationsParts {
  readonly handlers: Handlers;
  readonly secrets: Secrets;
  readonly underWay: UnderWay;
  readonly guests: Guests;
  /** Asks other machines for what is theirs. */
  readonly forward: Forward;
  /** What the caller's own box forbids. */
  readonly limits: BoxLimits;
}

export function operationsOf({ handlers, secrets, underWay, guests, limits, forward }: OperationsParts): Perform {
  return guests.visiting(async (op, input, call) => {
    const mayNot = guests.refuses(op, input, call) ?? checkRole(op, call) ?? limits(op, input, call);
    const refused = mayNot ?? underWay.refuses(call.actor);
    if (refused) return refused;
    // A browser that left before we looked is nobody who is here.
    const done = underWay.begin(call.actor, call.inside === "unseen" ? undefined : { op: op.name, input });
    let answer: object | undefined;
    try {
      const seen = { ...call, eyes: secrets.eyesOf(call) };
      answer = await forward(op, input, seen, () => handled(handlers, op, input, seen));
      return answerFor(call, withAdvice(answer, call.surface ?? "tool"), secrets, op.cli?.answer);
    } catch (error) {
      const shortage = shortageOf(error);
      if (!shortage) throw error;
      return withAdvice(shortage, call.surface ?? "tool");
    } finally {
      done(answer);
    }
  });
}

function checkRole({ name, effect, cli }: AnyOp, call: Call): Fault | undefined {
  const what = call.surface === "cli" && cli ? `duetty ${cli.verb}` : name;
  return effect === "control" && call.role !== "guest" ? peopleOnly(call, `${what} is for people`) : undefined;
}

async function handled(handlers: Handlers, op: AnyOp, given: unknown, call: Call): Promise<object | Fault> {
  const misshapen = wrongShape(given);
  if (misshapen !== undefined) return fault("input.invalid", misshapen, manual(op, call));
  const strange = Object.keys(given ?? {}).filter((field) => !(field in op.input.shape));
  // Somebody meant something by it: an approval with a misspelt edit must not run the text that was not edited.
  if (strange.length > 0) return fault("input.invalid", `no field ${namesOf(strange)}`, manual(op, call));
  // A command that is run again, or a question that is edited, would have dots in it.
  if (call.masked && JSON.stringify(given).includes(DOTS))
    return fault("input.invalid", "a secret is masked in this text", "Show secrets again, then repeat it.");
  const input = op.input.safeParse(given);
  if (!input.success) return fault("input.invalid", wrongInput(input.error), manual(op, call));
  // Each handler takes its own operation's input; the table ties name and schema together.
  const handler = handlers[op.name] as (input: unknown, call: Call) => Promise<object | Fault>;
  return handler(input.data, call);
}

/** Where the input is described. */
function manual(op: AnyOp, { surface }: Call): string {
  if (surface === "page") return "This page and the daemon may differ in version: reload it.";
  return surface === "cli" && op.cli ? `See: duetty ${op.cli.verb} --help` : `See ${op.name} in /v1/openapi.json.`;
}

/**
 * People get the answer as it is, or with dots where they mask secrets on their page. No agent, and nobody who shall see no secrets,
 * gets secrets or the token that would make it a person, and no text that a person would not see: invisible characters are marked in
 * every field of every answer.
 */
export function answerFor<T extends object>(
  caller: Pick<Caller, "role" | "guest" | "masked">,
  answer: T,
  secrets: Secrets,
  form?: "file" | "events",
): T {
  if (!isMasked(caller)) return answer;
  // The texts of a file were hidden one by one: in their JSON a mark could stand where a quote belongs.
  const has = form === "file" && !isFault(answer) ? "marks" : "secrets";
  if (caller.role === "person") return secrets.dotted(answer, has) as T;
  // Controls stay: JSON escapes them, and a screen as ANSI is made of them.
  return secrets.without(answer, (text) => marked(text, { controls: "keep" }), has) as T;
}
