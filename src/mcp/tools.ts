// The tools: the operations that have an MCP form, with schemas small enough to stay in a model's sight. Pure data, made
// once. Refuses: to know how a call is made (calls.ts) or what its answer looks like (texts.ts).
import * as z from "zod";
import { CallError } from "../client/client.ts";
import { Condition } from "../protocol/drive.ts";
import type { McpForm, McpTier } from "../protocol/op.ts";
import { type AnyOp, ops } from "../protocol/ops.ts";

export type Json = { readonly [key: string]: unknown };

export interface Tool {
  readonly op: AnyOp;
  readonly form: McpForm;
  readonly input: Json;
  readonly output: Json;
}

const TIERS: readonly McpTier[] = ["readonly", "drive", "all"];

export function isTier(word: string): word is McpTier {
  return (TIERS as readonly string[]).includes(word);
}

let made: readonly Tool[] | undefined;

/** In the order of the table. Made at the first use: `duetty mcp` answers its first message without them. */
export function toolsOf(tier: McpTier): readonly Tool[] {
  made ??= ops.flatMap((op) => (op.mcp ? [toolOf(op, op.mcp)] : []));
  return made.filter(({ form }) => TIERS.indexOf(form.tier) <= TIERS.indexOf(tier));
}

/** What a model wrote, as the operation takes it. A field that is not offered is a mistake worth telling. */
export function readInput({ op, form, input }: Tool, given: unknown): Record<string, unknown> {
  const fields = typeof given === "object" && given !== null ? given : {};
  const known = Object.keys(input.properties as Json);
  const strange = Object.keys(fields).filter((field) => !known.includes(field));
  if (strange.length > 0) throw invalid(`no field ${strange.join(", ")}`, `${op.name} has: ${known.join(", ")}.`);
  const parsed = op.input.safeParse({ ...form.defaults, ...fields });
  if (parsed.success) return parsed.data;
  throw invalid(z.prettifyError(parsed.error), "Correct the arguments and call again.");
}

export function invalid(message: string, hint: string): CallError {
  return new CallError({ code: "input.invalid", message, hint });
}

function toolOf(op: AnyOp, form: McpForm): Tool {
  const options = { io: "input", unrepresentable: "any" } as const;
  const input = z.toJSONSchema(op.input, {
    ...options,
    override: ({ zodSchema, jsonSchema }) => {
      if ((zodSchema as unknown) === Condition) Object.assign(clear(jsonSchema), CONDITION);
    },
  });
  const output = z.toJSONSchema(op.output, options);
  return { op, form, input: offered(input as Json, form), output: answered(output as Json) };
}

/** One flat object instead of eleven alternatives, four times: the schema that checks it is the strict one. */
const CONDITION: Json = {
  type: "object",
  description: "one condition; row only together with text",
  properties: {
    text: { type: "string" },
    regex: { type: "string" },
    gone: { type: "string" },
    row: { type: "integer" },
    change: { type: "boolean" },
    settled_ms: { type: "integer" },
    idle_ms: { type: "integer" },
    exit: { type: "boolean" },
    prompt: { type: "boolean" },
    block_end: { type: "boolean" },
    echo_off: { type: "boolean" },
  },
};

const STOP: Json = { type: "array", items: { type: "object" }, description: "give up when one of these, as in any" };

function clear(schema: object): object {
  for (const key of Object.keys(schema)) delete (schema as Record<string, unknown>)[key];
  return schema;
}

/** What a model has to know to write it; limits are told by whoever goes beyond them. */
const INPUT_WORDS = new Set("type description enum const items default".split(" "));

function offered(schema: Json, { hide = [], defaults = {} }: Pick<McpForm, "hide" | "defaults">): Json {
  const { properties = {}, required = [] } = schema as { properties?: Json; required?: string[] };
  const shown = Object.entries(properties).filter(([field]) => !hide.includes(field));
  const fields = shown.map(([field, one]) => {
    const small = field === "stop" ? STOP : brief(one as Json);
    return [field, field in defaults ? { ...small, default: defaults[field] } : small];
  });
  // What has a default of ours need not be given.
  const needed = required.filter((field) => !hide.includes(field) && !(field in defaults));
  const must = needed.length > 0 ? { required: needed } : {};
  return { type: "object", properties: Object.fromEntries(fields), ...must };
}

function brief(schema: Json): Json {
  const { anyOf, properties, additionalProperties, required } = schema;
  // Several ways to write it: the first is the plain one, and the others are understood all the same.
  if (Array.isArray(anyOf)) return { ...brief(anyOf[0]), ...plain(schema) };
  const small = plain(schema);
  if (typeof schema.items === "object") small.items = brief(schema.items as Json);
  if (properties) Object.assign(small, offered({ properties, required }, NESTED));
  if (typeof additionalProperties === "object") small.additionalProperties = brief(additionalProperties as Json);
  return small;
}

/** What is rare at the top is rarer inside. */
const NESTED = { hide: ["region", "ignore_rows"] };

function plain(schema: Json): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schema).filter(([word]) => INPUT_WORDS.has(word)));
}

/** Nothing is required: a fault, or an answer that had to be cut, is an answer of the same tool. */
function answered(schema: Json): Json {
  const error = { type: "object" };
  const truncated = { type: "array", items: { type: "object" } };
  const shown = { ...shape(schema, 0).properties, error, truncated };
  return { type: "object", properties: shown };
}

/** Deeper than this a model reads the answer itself. */
const OUTPUT_DEPTH = 1;

function shape(schema: Json, depth: number): { properties?: Json } & Json {
  const { anyOf, type, properties, items, enum: values } = schema;
  if (Array.isArray(anyOf)) {
    const [first, ...others] = anyOf.map((one) => shape(one as Json, depth));
    const types = [first, ...others].map((one) => one?.type);
    return types.some((one) => one === undefined) ? {} : { ...withoutEnum(first ?? {}), type: [...new Set(types)] };
  }
  if (properties && depth < OUTPUT_DEPTH)
    return { type, properties: mapped(properties as Json, (one) => shape(one, depth + 1)) };
  if (items && typeof items === "object" && depth < OUTPUT_DEPTH)
    return { type, items: shape(items as Json, depth + 1) };
  if (type === undefined) return {};
  return values ? { type, enum: values } : { type };
}

/** A list of values would leave out the null that is allowed as well. */
function withoutEnum({ enum: _, ...rest }: Json): Json {
  return rest;
}

function mapped(fields: Json, change: (one: Json) => Json): Json {
  return Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, change(one as Json)]));
}
