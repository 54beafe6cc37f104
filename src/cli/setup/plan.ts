// Decides what a client's file should become, from texts, before anything is touched. Pure.
import { type Command, HOME_VARIABLE, type McpClient } from "./clients.ts";
import { type Json, jsonEntry, removeJson, setJson } from "./json-edit.ts";
import { removeToml, setToml, tomlEntry } from "./toml-edit.ts";
import { setTomlVariable, tomlVariable } from "./toml-env.ts";

type EntryState = "absent" | "different" | "same";

/** The whole text with our entry; a missing file comes in as "". `home`: where duetty's own files are, if not at the default. */
export function withEntry(client: McpClient, text: string, command: Command, home?: string): string {
  if (entryState(client, text, command, home) === "same") return text;
  if (client.format === "toml") {
    const path = [...client.path, client.variables];
    return setTomlVariable(setToml(text, client.path, client.entry(command)), path, HOME_VARIABLE, home);
  }
  const base = text.trim() === "" ? (client.opening ?? text) : text;
  const path = client.path(base);
  // A person's own additions (env, timeouts) stay.
  const old = jsonEntry(base, path);
  const kept = isRecord(old) ? (old as Record<string, Json>) : {};
  return setJson(base, path, withHome({ ...kept, ...client.entry(command) }, client.variables, home));
}

/** The whole text without our entry; undefined when the file was made for it and has nothing else. */
export function withoutEntry(client: McpClient, text: string, command: Command, home?: string): string | undefined {
  if (text === withEntry(client, "", command) || text === withEntry(client, "", command, home)) return undefined;
  if (client.format === "toml") return removeToml(text, client.path);
  return removeJson(text, client.path(text));
}

export function entryState(client: McpClient, text: string, command: Command, home?: string): EntryState {
  const path = client.format === "toml" ? client.path : client.path(text);
  const found = client.format === "toml" ? tomlEntry(text, client.path) : jsonEntry(text, path);
  if (found === undefined) return "absent";
  const wanted = Object.entries(client.entry(command));
  const isSame =
    isRecord(found) && wanted.every(([key, value]) => JSON.stringify(found[key]) === JSON.stringify(value));
  if (!isSame) return "different";
  const there =
    client.format === "toml"
      ? tomlVariable(text, [...client.path, client.variables], HOME_VARIABLE)
      : variablesIn(found, client.variables)[HOME_VARIABLE];
  return there === home ? "same" : "different";
}

/** What a person would paste into an empty file. */
export function snippet(client: McpClient, command: Command, home?: string): string {
  if (client.format === "toml") return withEntry(client, "", command, home).trimEnd();
  return setJson("", client.path(""), entryOf(client, command, home)).trimEnd();
}

export function entryOf(client: McpClient, command: Command, home: string | undefined): Readonly<Record<string, Json>> {
  return withHome(client.entry(command), client.variables, home);
}

/** We set only the home variable. Other variables are the person's. */
function withHome(entry: Readonly<Record<string, Json>>, key: string, home: string | undefined): Record<string, Json> {
  const { [HOME_VARIABLE]: old, ...others } = variablesIn(entry, key);
  if (home !== undefined) return { ...entry, [key]: { ...others, [HOME_VARIABLE]: home } };
  if (old === undefined) return { ...entry };
  const { [key]: _, ...rest } = entry;
  return Object.keys(others).length === 0 ? rest : { ...entry, [key]: others };
}

function variablesIn(entry: Readonly<Record<string, unknown>>, key: string): Record<string, Json> {
  const variables = entry[key];
  return isRecord(variables) ? (variables as Record<string, Json>) : {};
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
