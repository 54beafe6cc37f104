// Writes dist/cli/verbs.json: the operations' CLI forms as plain data, derived from their schemas.
import { writeFileSync } from "node:fs";
import * as z from "zod";
import { ops } from "../build/protocol/ops.js";

const TYPES = {
  string: "string",
  integer: "number",
  number: "decimal",
  boolean: "boolean",
  array: "strings",
  object: "pairs",
};
const SHORTER = { timeout_ms: "timeout", wait_ms: "wait", session_id: "session" };
const kebab = (name) => name.replaceAll("_", "-");

/** What help calls the value of a flag. */
const VALUES = { session_id: "SESSION", cwd: "FOLDER", agent: "NAME", regex: "PATTERN" };
const shownFor = (field, type) =>
  VALUES[field] ?? (field.endsWith("_ms") ? "MS" : { number: "N", decimal: "N", pairs: "KEY[=VALUE]" }[type]) ?? "TEXT";

function verbOf({ name, summary, input, cli }) {
  const { choice, parts = {}, hide = [], ...form } = cli;
  const { typed, file } = form;
  const schema = z.toJSONSchema(input, { io: "input", unrepresentable: "any" });
  const required = schema.required ?? [];
  const flags = {};
  for (const [field, property] of Object.entries(schema.properties ?? {})) {
    if (field === choice) {
      for (const value of property.enum)
        flags[value] = { field, type: "boolean", help: `${property.description}: ${value}`, value };
    } else if (parts[field]) {
      Object.assign(flags, partsOf(field, property, parts[field]));
    } else if (!hide.includes(field) && isFlag(field, form, required)) {
      const flag = flagOf(field, property);
      if (field === typed?.field)
        Object.assign(flag, { type: "boolean", help: "type it in the terminal", shown: undefined });
      flags[SHORTER[field] ?? kebab(field)] = field === file ? { ...flag, shown: "FILE" } : flag;
    }
  }
  if (form.conditions?.field)
    flags["wait-timeout"] = flagOf("timeout_ms", { type: "integer", description: "give up waiting after this long" });
  return { ...form, op: name, summary, required: required.filter((field) => form.args.includes(field)), flags };
}

/** One that stands alone means true; with no- before it, false. */
function partsOf(within, { anyOf }, parts) {
  const { properties } = anyOf.find(({ type }) => type === "object");
  return Object.fromEntries(
    Object.entries(parts).map(([flag, part]) => {
      const { shown, ...made } = flagOf(part, properties[part]);
      if (flag !== within) return [flag, { ...made, shown: flag === "from" ? "REF" : shown, within }];
      return [flag, { ...made, shown: `[${part.toUpperCase()}]`, within, bare: true }];
    }),
  );
}

function flagOf(field, { type: given, anyOf = [], description = "", enum: values, default: usual }) {
  // What may be a boolean or more is on or off on the command line.
  const isSwitch = anyOf.some(({ type }) => type === "boolean");
  const type = isSwitch ? "boolean" : (TYPES[given] ?? "string");
  // One that is on already is offered as --no-NAME.
  if (type === "boolean")
    return { field, type, help: usual ? `do not ${description}` : description, ...(usual && { on: true }) };
  const facts = [values?.join(", "), usual !== undefined && usual !== 0 && `default: ${usual}`].filter(Boolean);
  const more = facts.join("; ");
  const help = description && more ? `${description} (${more})` : description || more;
  return { field, type, help, shown: shownFor(field, type) };
}

/** Not flags: what follows --, a required session, and the environment, which the CLI adds itself. */
function isFlag(field, { args, rest }, required) {
  if (field === rest || field === "base_env") return false;
  // Other positional arguments can also be written as flags.
  return !(field === "session_id" && args.includes(field) && required.includes(field));
}

const verbs = ops.filter((op) => op.cli).map(verbOf);
writeFileSync(new URL("../dist/cli/verbs.json", import.meta.url), `${JSON.stringify(verbs)}\n`);
