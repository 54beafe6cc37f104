// Short schemas for models: what they must know to write a call. Made from the strict ones, which check the input. Pure.
import * as z from "zod";
import type { McpForm } from "../protocol/op.ts";
import { FIELD_WORDS } from "./field-words.ts";

export type Json = { readonly [key: string]: unknown };
export type Offered = Json & { readonly properties: Json };
type Wishes = Pick<McpForm, "hide" | "defaults">;

const OPTIONS = { io: "input", unrepresentable: "any" } as const;

/** The input schema of a tool, without its hidden fields. */
export function offered(tool: string, input: z.ZodObject, { hide = [], defaults = {} }: Wishes): Offered {
  const strict = z.toJSONSchema(input, OPTIONS) as { properties?: Json; required?: string[] };
  const shown = Object.entries(strict.properties ?? {}).filter(([field]) => !hide.includes(field));
  const fields = shown.map(([field, one]) => {
    const words = FIELD_WORDS[`${tool}.${field}`] ?? FIELD_WORDS[field];
    // Our words tell of its inner fields, too. A dozen alternatives, four times, would be most of the list.
    const small = worded(brief(one as Json, words === undefined ? "deep" : "flat"), words);
    return [field, field in defaults ? { ...small, default: defaults[field] } : small];
  });
  // A field with our own default is optional.
  const needed = (strict.required ?? []).filter((field) => !hide.includes(field) && !(field in defaults));
  const must = needed.length > 0 ? { required: needed } : {};
  return { type: "object", properties: Object.fromEntries(fields), ...must };
}

function worded({ description, ...small }: Json, words: string | undefined): Json {
  const said = words ?? description;
  return said === undefined || said === "" ? small : { ...small, description: said };
}

/** What a model must know to write a value. A call beyond a limit gets a fault that names it. */
const INPUT_WORDS = new Set("type description enum const default".split(" "));

function brief(schema: Json, how: "flat" | "deep"): Json {
  const { anyOf, items, properties, required, additionalProperties, default: standard } = schema;
  // There are several ways to write it. We show the first and plain one, and accept the others.
  if (Array.isArray(anyOf)) return { ...brief(anyOf[0], how), ...plain(schema) };
  const small = plain(schema);
  // What is off or none unless somebody asks for it.
  if (standard === false || standard === 0) delete small.default;
  if (typeof items === "object") small.items = brief(items as Json, how);
  if (properties && how === "deep") {
    const inner = Object.entries(properties).map(([field, one]) => [field, brief(one as Json, how)]);
    Object.assign(small, { properties: Object.fromEntries(inner), ...(required ? { required } : {}) });
  }
  if (typeof additionalProperties === "object" && how === "deep")
    small.additionalProperties = brief(additionalProperties as Json, how);
  return small;
}

function plain(schema: Json): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schema).filter(([word]) => INPUT_WORDS.has(word)));
}
