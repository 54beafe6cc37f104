// Short schemas for models: what they must know to write a call and to read its answer. Made from
// the strict ones, which check the input. Pure.
import * as z from "zod";
import type { McpForm } from "../protocol/op.ts";
import { Condition, SimpleCondition } from "../protocol/ops/drive.ts";

export type Json = { readonly [key: string]: unknown };
export type Offered = Json & { readonly properties: Json };
type Wishes = Pick<McpForm, "hide" | "defaults">;

const OPTIONS = { io: "input", unrepresentable: "any" } as const;

/** The input schema without its hidden fields. */
export function offered(input: z.ZodObject, wishes: Wishes): Offered {
  const strict = z.toJSONSchema(input, {
    ...OPTIONS,
    override: ({ zodSchema, jsonSchema }) => {
      if ((zodSchema as unknown) === Condition) Object.assign(clear(jsonSchema), CONDITION);
      if ((zodSchema as unknown) === SimpleCondition) Object.assign(clear(jsonSchema), { type: "object" });
    },
  });
  return fieldsOf(strict as Json, wishes);
}

/** No field is required, because a fault or a shortened answer is also an answer of the tool. */
export function answered(output: z.ZodType, { tells }: Pick<McpForm, "tells">): Json {
  const all = Object.entries(shape(z.toJSONSchema(output, OPTIONS) as Json, 0).properties ?? {});
  const told = tells ? all.filter(([field]) => tells.includes(field)) : all;
  // What was left out of an answer (`cut`) is told in its text.
  return { type: "object", properties: { ...Object.fromEntries(told), error: { type: "object" } } };
}

/** One flat object instead of a dozen alternatives, four times. The strict schema still checks the input. */
const CONDITION: Json = {
  type: "object",
  description: "row only with text",
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
    input: { type: "boolean" },
    block_end: { type: "boolean" },
    echo_off: { type: "boolean" },
    state: { type: "string" },
    all: { type: "array", items: { type: "object" } },
  },
};

const STOP: Json = { type: "array", items: { type: "object" }, description: "give up when one of these, as in any" };

function clear(schema: object): object {
  for (const key of Object.keys(schema)) delete (schema as Record<string, unknown>)[key];
  return schema;
}

/** What a model must know to write a value. A call beyond a limit gets a fault that names it. */
const INPUT_WORDS = new Set("type description enum const items default".split(" "));

function fieldsOf(schema: Json, { hide = [], defaults = {} }: Wishes, says: Says = {}): Offered {
  const { properties = {}, required = [] } = schema as { properties?: Json; required?: string[] };
  const shown = Object.entries(properties).filter(([field]) => !hide.includes(field));
  const fields = shown.map(([field, one]) => {
    const small = { ...(field === "stop" ? STOP : brief(one as Json)), ...says[field] };
    return [field, field in defaults ? { ...small, default: defaults[field] } : small];
  });
  // A field with our own default is optional.
  const needed = required.filter((field) => !hide.includes(field) && !(field in defaults));
  const must = needed.length > 0 ? { required: needed } : {};
  return { type: "object", properties: Object.fromEntries(fields), ...must };
}

function brief(schema: Json): Json {
  const { anyOf, properties, additionalProperties, required } = schema;
  // There are several ways to write it. We show the first and plain one, and accept the others.
  if (Array.isArray(anyOf)) return { ...brief(anyOf[0]), ...plain(schema) };
  const small = plain(schema);
  if (typeof schema.items === "object") small.items = brief(schema.items as Json);
  if (properties) Object.assign(small, fieldsOf({ properties, required }, NESTED, NESTED_SAYS));
  if (typeof additionalProperties === "object") small.additionalProperties = brief(additionalProperties as Json);
  return small;
}

/** Fields that are rare at the top are rarer inside. */
const NESTED = { hide: ["region", "ignore_rows"] };

type Says = Readonly<Record<string, Json>>;
/** What pty_wait explains at length is not explained again in pty_send's `then`. */
const NESTED_SAYS: Says = {
  any: { items: { type: "object" }, description: "one of these, such as {text: …}; as in pty_wait" },
  all: { description: "all of these at a time" },
};

function plain(schema: Json): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schema).filter(([word]) => INPUT_WORDS.has(word)));
}

/** At deeper levels a model reads the answer itself. */
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

/** A list of values would leave out null, which is allowed too. */
function withoutEnum({ enum: _, ...rest }: Json): Json {
  return rest;
}

function mapped(fields: Json, change: (one: Json) => Json): Json {
  return Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, change(one as Json)]));
}
