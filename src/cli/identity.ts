// Who the CLI acts for: a person only when its input is a terminal outside any session, otherwise an agent.
import { resolve } from "node:path";
import type { Identity } from "../client/http.ts";
import { tokenIn } from "../client/local.ts";
import type { Home } from "../protocol/plain/home.ts";
import { placeOf } from "../protocol/plain/host-place.ts";
import type { Verb } from "./verb-table.ts";

export function identityFrom(home: Home, as: string | undefined): Identity {
  const given = process.env.DUETTY_TOKEN;
  if (given) return { token: given, as };
  // Inside a session an agent may be typing.
  const person = process.stdin.isTTY && process.env.DUETTY_SESSION_ID === undefined;
  return { token: tokenIn(person ? home.personToken : home.agentToken) ?? "none", as };
}

/** Judged by the same token that the daemon sees. */
export function isPerson(home: Home, { token, as }: Identity): boolean {
  return as === undefined && tokenIn(home.personToken) === token;
}

/** The environment for a new session, and for the choice of model and key. */
export function environment(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])));
}

/** The input with what the CLI adds. A folder is meant from where the CLI was called. */
export function withPlace({ adds = [] }: Verb, input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  // Another machine has other folders and other variables.
  if (input.host !== undefined || placeOf(input.session_id) || placeOf(input.resume)) return { ...input };
  const isHere = adds.includes("cwd") && input.session_id === undefined;
  const cwd = input.cwd ?? (isHere ? "." : undefined);
  return {
    ...input,
    ...(cwd === undefined ? {} : { cwd: resolve(String(cwd)) }),
    ...(adds.includes("base_env") ? { base_env: environment() } : {}),
    ...(adds.includes("agent_socket") && process.env.SSH_AUTH_SOCK ? { agent_socket: process.env.SSH_AUTH_SOCK } : {}),
  };
}
