// A session in this terminal: drawn into it with a status line below (attach-composed), or byte for byte (attach-raw).
// Refuses: to be anything but a viewer; what is typed, asked and answered goes to the daemon.
import fs from "node:fs";
import { parseArgs } from "node:util";
import { WebSocket } from "ws";
import { clientOver } from "../client/client.ts";
import { type Identity, unixTransport } from "../client/local.ts";
import type { Home } from "../protocol/home.ts";
import type { SessionInfo } from "../protocol/session.ts";
import { UsageError } from "./args.ts";
import { attachComposed, sessionArea } from "./attach-composed.ts";
import { attachRaw } from "./attach-raw.ts";
import type { AttachState } from "./attach-state.ts";
import { findSession } from "./find.ts";
import { identityFrom } from "./identity.ts";
import { checkFits, terminalSize } from "./terminal-state.ts";

export async function attach(home: Home, words: string[]): Promise<number> {
  const { values, positionals } = parse(words);
  const [ref] = positionals;
  if (ref === undefined) throw new UsageError("attach needs SESSION (duetty attach --help)");
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw new UsageError("attach needs a terminal; use see and send");
  const client = clientOver(unixTransport(home, () => identityFrom(home, undefined)));
  const info = await findSession(home, client, ref);
  const { session_id } = info;
  // Of one that ended only its last screen is left, and that stays on the terminal.
  const isRaw = values.raw === true || hasEnded(info);
  const size = isRaw ? terminalSize() : sessionArea();
  if (values.fit && !hasEnded(info)) await client.pty_resize({ session_id, ...size });
  else if (isRaw && info.sizing !== "follow") checkFits(info);
  const identity = identityFrom(home, undefined);
  const query = `${isRaw ? "paint=screen" : "view=composed"}${values.watch ? "&role=watch" : ""}`;
  const socket = new WebSocket(`ws+unix://${home.daemonSocket}:/v1/sessions/${session_id}/terminal?${query}`, {
    headers: { authorization: `Bearer ${identity.token}` },
    perMessageDeflate: false,
  });
  if (isRaw) return attachRaw(socket, values.watch ? "watch" : "input");
  return attachComposed({ socket, client, session_id, role: values.watch ? "watch" : roleOf(home, identity) });
}

function parse(words: string[]) {
  const options = { watch: { type: "boolean" }, fit: { type: "boolean" }, raw: { type: "boolean" } } as const;
  try {
    return parseArgs({ args: words, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(String(error));
  }
}

function hasEnded({ state }: SessionInfo): boolean {
  return state === "done" || state === "failed" || state === "lost";
}

/** Whose keys answer what agents ask: only a person's. The daemon judges by the same token. */
function roleOf(home: Home, { token }: Identity): AttachState["role"] {
  const person = fs.existsSync(home.personToken) ? fs.readFileSync(home.personToken, "utf8").trim() : undefined;
  return token === person ? "person" : "agent";
}
