// Writes dist/cli/verbs.json: the operations' CLI forms as plain data, derived from their schemas.
import { writeFileSync } from "node:fs";
import * as z from "zod";
import { ops } from "../dist/protocol/ops.js";

const TYPES = {
  string: "string",
  integer: "number",
  number: "decimal",
  boolean: "boolean",
  array: "strings",
  object: "pairs",
};
const SHORTER = { timeout_ms: "timeout", session_id: "session" };
const kebab = (name) => name.replaceAll("_", "-");

function verbOf({ name, summary, input, cli }) {
  const { choice, hide = [], ...form } = cli;
  const schema = z.toJSONSchema(input, { io: "input", unrepresentable: "any" });
  const required = schema.required ?? [];
  const flags = {};
  for (const [field, { type, description = "", enum: values = [] }] of Object.entries(schema.properties ?? {})) {
    if (field === choice) {
      for (const value of values) flags[value] = { field, type: "boolean", help: `${description}: ${value}`, value };
    } else if (!hide.includes(field) && isFlag(field, form, required)) {
      flags[SHORTER[field] ?? kebab(field)] = { field, type: TYPES[type] ?? "string", help: description };
    }
  }
  if (form.conditions?.field)
    flags["wait-timeout"] = { field: "timeout_ms", type: "number", help: "give up waiting after MS" };
  return { ...form, op: name, summary, required: required.filter((field) => form.args.includes(field)), flags };
}

/** What follows -- is none, nor a session that must be named, nor the environment, which the CLI adds by itself. */
function isFlag(field, { args, rest }, required) {
  if (field === rest || field === "base_env") return false;
  // Other positional arguments can also be written as flags.
  return !(field === "session_id" && args.includes(field) && required.includes(field));
}

const verbs = ops.filter((op) => op.cli).map(verbOf);
writeFileSync(new URL("../dist/cli/verbs.json", import.meta.url), `${JSON.stringify(verbs)}\n`);
