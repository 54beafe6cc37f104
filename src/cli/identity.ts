// As whom the CLI speaks: a person only when one sits at a terminal, outside of sessions; an agent otherwise.
import fs from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { Identity } from "../client/local.ts";
import { type Home, homeOf } from "../protocol/plain/home.ts";

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
  const file = person ? home.personToken : home.agentToken;
  // Missing before the first daemon ran; that call fails, starts one, and comes back here.
  return { token: fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim() : "none", as };
}

/** By the same token as the daemon judges. */
export function isPerson(home: Home, { token, as }: Identity): boolean {
  return (
    as === undefined && fs.existsSync(home.personToken) && fs.readFileSync(home.personToken, "utf8").trim() === token
  );
}
