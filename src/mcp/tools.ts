// The tools: operations with an MCP form, and their schemas from schemas.ts. Pure data, made once. Refuses: to know
// how a call is made (calls.ts) or what its answer looks like (texts.ts).

import { CallError } from "../client/client.ts";
import type { McpForm, McpTier } from "../protocol/op.ts";
import { type AnyOp, ops } from "../protocol/ops.ts";
import { namesOf, wrongInput } from "../protocol/words/wrong-input.ts";
import { type Offered, offered } from "./schemas.ts";

export interface Tool {
  readonly op: AnyOp;
  readonly form: McpForm;
  readonly input: Offered;
}

const TIERS: readonly McpTier[] = ["readonly", "drive", "all"];

export function isTier(word: string): word is McpTier {
  return (TIERS as readonly string[]).includes(word);
}

/** What only those need who have other machines. */
const OF_HOSTS: readonly string[] = ["host", "hosts"];

export type Machines = "this" | "several";
const made: Partial<Record<Machines, readonly Tool[]>> = {};

/** In the order of the table. Made at the first use, because `duetty mcp` answers its first message without them. */
export function toolsOf(tier: McpTier, machines: Machines = "this"): readonly Tool[] {
  made[machines] ??= ops.flatMap((op) => {
    const form: McpForm | undefined = op.mcp;
    return form && (form.needs === undefined || form.needs === machines) ? [toolOf(op, form, machines)] : [];
  });
  return made[machines].filter(({ form }) => TIERS.indexOf(form.tier) <= TIERS.indexOf(tier));
}

/** Turns a model's arguments into the operation's input. An unknown field is a mistake that we report. */
export function readInput({ op, form, input }: Tool, given: unknown): Record<string, unknown> {
  const fields = typeof given === "object" && given !== null ? given : {};
  const known = Object.keys(input.properties);
  const strange = Object.keys(fields).filter((field) => !known.includes(field));
  const where = known.includes("any") ? ' A condition stands in any, as in any: [{text: "done"}].' : "";
  if (strange.length > 0) throw invalid(`no field ${namesOf(strange)}`, `${op.name} has: ${known.join(", ")}.${where}`);
  const parsed = op.input.safeParse({ ...form.defaults, ...fields });
  if (parsed.success) return parsed.data;
  throw invalid(wrongInput(parsed.error), "Correct the arguments and call again.");
}

export function invalid(message: string, hint: string): CallError {
  return new CallError({ code: "input.invalid", message, hint });
}

function toolOf(op: AnyOp, form: McpForm, machines: Machines): Tool {
  const hide = [...(form.hide ?? []), ...(machines === "this" ? OF_HOSTS : [])];
  return { op, form, input: offered(op.name, op.input, { ...form, hide }) };
}
