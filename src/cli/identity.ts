// As whom and from where the CLI speaks: a person only when one sits at a terminal, outside of sessions; an agent otherwise.
import fs from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { Identity } from "../client/local.ts";
import { type Home, homeOf } from "../protocol/plain/home.ts";
import type { Verb } from "./verb-table.ts";

export function localHome(): Home {
  const { DUETTY_HOME, XDG_STATE_HOME } = process.env;
  // The daemon runs elsewhere: a relative folder would mean another one there.
  return homeOf({ HOME: homedir(), XDG_STATE_HOME, DUETTY_HOME: DUETTY_HOME && resolve(DUETTY_HOME) });
}

export function identityFrom(home: Home, as: string | undefined): Identity {
  const given = process.env.DUETTY_TOKEN;
  if (given) return { token: given, as };
  // Inside a session the keyboard may be an agent's.
  const person = process.stdin.isTTY && process.env.DUETTY_SESSION_ID === undefined;
  return { token: tokenIn(person ? home.personToken : home.agentToken) ?? "none", as };
}

/** By the same token as the daemon judges. */
export function isPerson(home: Home, { token, as }: Identity): boolean {
  return as === undefined && tokenIn(home.personToken) === token;
}

/** Missing before the first daemon ran: that call fails, starts one, and reads again. */
export function tokenIn(file: string): string | undefined {
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim() || undefined : undefined;
}

/** What a new session begins with, and which model is asked with which key. */
export function environment(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])));
}

/** The input with what the CLI adds. A folder is meant from where the CLI was called. */
export function withPlace({ adds = [] }: Verb, input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isHere = adds.includes("cwd") && input.session_id === undefined;
  const cwd = input.cwd ?? (isHere ? "." : undefined);
  return {
    ...input,
    ...(cwd === undefined ? {} : { cwd: resolve(String(cwd)) }),
    ...(adds.includes("base_env") ? { base_env: environment() } : {}),
  };
}
