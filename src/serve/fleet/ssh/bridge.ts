// What `duetty bridge` says on the other side: one line of JSON, then nothing until its input ends. Pure.
import * as z from "zod";
import { type Fault, fault } from "../../../core/base/fault.ts";
import { API_PROTOCOL, VERSION } from "../../../protocol/plain/version.ts";

/** What every version says, so that each can tell how old the other is. */
const Version = z.object({ duetty: z.string().max(40), protocol: z.int() });
const Bridge = Version.extend({
  /** The daemon's socket over there. */
  socket: z
    .string()
    .max(400)
    // ssh would put variables of ours in place of $ and %.
    .regex(/^\/[^$%:\p{C}]+$/u),
  /** The person's token: who may log in there as them is them. */
  token: z.string().min(1).max(200),
});
export type Bridge = z.output<typeof Bridge>;

/** The folder that `hosts add --install` fills, below the home folder over there. */
export const INSTALLED = ".local/share/duetty/app";
/** What the shell over there answers when there is no duetty. */
export const NOT_THERE = 127;

/** What a person let us install comes before what else is on the PATH, or renewing it would change nothing. */
const SCRIPT = `D="$HOME/${INSTALLED}/node_modules/.bin/duetty"; [ -x "$D" ] || D=$(command -v duetty) || exit ${NOT_THERE}; exec "$D" bridge`;
/**
 * ssh hands this to the login shell over there, which may be fish: so it is one word for sh. That asks a login shell, which has the
 * PATH that a person set up, for sh again: the script itself goes past it in a variable.
 */
export const START_BRIDGE = `sh -c 'S="${SCRIPT.replace(/["$]/g, "\\$&")}"; export S; exec "\${SHELL:-/bin/sh}" -lc "exec sh -c \\"\\$S\\""'`;

/** A greeting has some lines. What says more before its name is no duetty. */
export const LINES_MAX = 200;
const SHOWN_CHARS_MAX = 80;

/** Undefined: the line is something else, of a greeting for example. A fault: this machine and ours cannot work together. */
export function readBridge(name: string, line: string): Bridge | Fault | undefined {
  const said = parsed(line);
  const version = Version.safeParse(said);
  if (!version.success) return undefined;
  const wrong = mismatch(name, version.data);
  if (wrong !== undefined) return fault("host.refused", wrong, "Renew the older one.");
  return Bridge.safeParse(said).data;
}

/** What it said, for a person who looks for the reason. Of what may be a bridge's nothing is told: it has a token. */
export function notDuetty(line: string): string {
  const shown = line
    .replace(/\p{C}+/gu, " ")
    .trim()
    .slice(0, SHOWN_CHARS_MAX);
  return /[{}]|token/i.test(line) ? "it said something else than its name" : `it said "${shown}" instead of its name`;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // A greeting of the shell over there, for example.
    return undefined;
  }
}

/** Why two versions cannot work together, which side is older, and how it is renewed. */
function mismatch(name: string, { duetty, protocol }: z.output<typeof Version>): string | undefined {
  if (protocol === API_PROTOCOL) return undefined;
  const [older, renew] =
    protocol < API_PROTOCOL
      ? [`duetty on ${name} is older`, "renew it there, or add it again with --install"]
      : ["duetty here is older", "renew it here"];
  return `${older}: ${name} has ${duetty} (protocol ${protocol}), this machine ${VERSION} (protocol ${API_PROTOCOL}); ${renew}`;
}
