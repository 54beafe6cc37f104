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

function verbOf(op) {
  const { verb, args, examples, rest, conditions, choice, answer } = op.cli;
  const schema = z.toJSONSchema(op.input, { io: "input", unrepresentable: "any" });
  const hidden = new Set(["any", "stop", "then", "mouse", "base_env", ...args, rest]);
  const flags = {};
  for (const [field, { type, description = "", enum: values = [] }] of Object.entries(schema.properties ?? {})) {
    if (field === choice) {
      for (const value of values) flags[value] = { field, type: "boolean", help: `${description}: ${value}`, value };
      continue;
    }
    // A positional argument can also be written as a flag, except a session that must be named and what follows --.
    const isNamed =
      args.includes(field) && field !== rest && !(field === "session_id" && schema.required?.includes(field));
    if (hidden.has(field) && !isNamed) continue;
    const flag = SHORTER[field] ?? kebab(field);
    flags[flag] = { field, type: TYPES[type] ?? "string", help: description };
  }
  if (conditions?.field)
    flags["wait-timeout"] = { field: "timeout_ms", type: "number", help: "give up waiting after MS" };
  const required = (schema.required ?? []).filter((field) => args.includes(field));
  return { verb, op: op.name, summary: op.summary, args, required, rest, conditions, answer, flags, examples };
}

const verbs = ops.filter((op) => op.cli).map(verbOf);
writeFileSync(new URL("../dist/cli/verbs.json", import.meta.url), `${JSON.stringify(verbs)}\n`);
