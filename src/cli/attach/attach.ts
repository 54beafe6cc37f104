// A session in this terminal: drawn into it with a status line below (composed.ts), or its bytes in all of it (raw.ts).
// Without a name it opens a new session for talking to the agent. Its shell starts when it is needed.
// Refuses: to be anything but a viewer; input and answers go to the daemon.
import { WebSocket } from "ws";
import { terminalAddress } from "../../client/address.ts";
import { type Client, clientOver, isAbsent } from "../../client/client.ts";
import { startingTransport, unixTransport } from "../../client/local.ts";
import type { SessionInfo } from "../../protocol/ops/session.ts";
import type { Home } from "../../protocol/plain/home.ts";
import { placeOf } from "../../protocol/plain/host-place.ts";
import { UsageError } from "../args.ts";
import { findSession } from "../connect.ts";
import { environment, identityFrom, isPerson } from "../identity.ts";
import { parseLocal } from "../local-args.ts";
import { checkFits, ending, terminalSize } from "../text/terminal-state.ts";
import { attachComposed, sessionArea } from "./composed.ts";
import { attachRaw } from "./raw.ts";
import { AttachSocket } from "./socket.ts";

export async function attach(home: Home, words: string[]): Promise<number> {
  const { values, positionals } = parseLocal("attach", words);
  const [ref] = positionals;
  if (ref === undefined && (values.raw || values.watch || values.fit))
    throw new UsageError("attach with a flag needs SESSION (duetty attach --help)");
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw new UsageError("attach needs a terminal; use see and send");
  const transport = unixTransport(home, () => identityFrom(home, undefined));
  // Only at first. While we are attached the holder starts a daemon that died.
  const starting = clientOver(startingTransport(home, transport));
  const info = ref === undefined ? await openToTalk(starting) : await findSession(starting, ref);
  const client = clientOver(transport);
  const { session_id } = info;
  // An ended session has only its last screen, which may be larger than this terminal.
  const over = overBefore(info);
  const isRaw = values.raw === true && over === undefined;
  const size = isRaw ? terminalSize() : sessionArea();
  if (values.fit && over === undefined) await client.pty_resize({ session_id, ...size });
  else if (isRaw && info.sizing !== "follow") checkFits(info);
  const identity = identityFrom(home, undefined);
  // Talking to the agent needs no shell yet.
  const isLater = !isRaw && info.state === "pending" && info.policy.mode === "agent";
  const view = isRaw ? "paint=screen" : "view=composed";
  const query = `${view}${values.watch ? "&role=watch" : ""}${isLater ? "&start=later" : ""}`;
  const address = terminalAddress(`ws+unix://${home.daemonSocket}:`, session_id, new URLSearchParams(query));
  if (isRaw) {
    const headers = { authorization: `Bearer ${identity.token}` };
    const socket = new WebSocket(address, { headers, perMessageDeflate: false });
    return attachRaw(socket, values.watch ? "watch" : "input");
  }
  const socket = new AttachSocket(address, identity.token, placeOf(session_id)?.host);
  // Only a person's keys answer agents' questions. The daemon judges by the same token.
  const role = values.watch ? "watch" : isPerson(home, identity) ? "person" : "agent";
  let next: string | undefined;
  const go = (id: string) => {
    next = id;
  };
  const label = info.name ?? info.command.join(" ");
  const code = await attachComposed({ socket, client, session_id, role, label, over, go });
  if (ref === undefined) await closeUnused(client, session_id);
  return next === undefined ? code : attach(home, [next]);
}

async function openToTalk(client: Client): Promise<SessionInfo> {
  const { session_id, ...info } = await client.pty_open({ lazy: true, cwd: process.cwd(), base_env: environment() });
  const { mode } = await client.mode({ session_id, mode: "agent" });
  return { ...info, session_id, policy: { ...info.policy, mode } };
}

/** Nothing was said and nothing ran, so nobody would miss it. */
async function closeUnused(client: Client, session_id: string): Promise<void> {
  try {
    const { session } = await client.status({ session_id });
    const { status } = await client.agent_events({ session_id });
    if (session?.state === "pending" && status.seq === 0) await client.pty_close({ session_id });
  } catch (error) {
    // We may have left because the daemon is gone.
    if (!isAbsent(error)) throw error;
  }
}

/** How it ended. Undefined: it goes on. */
function overBefore({ state, exit_code, signal }: SessionInfo): string | undefined {
  if (state === "lost") return "its program is gone; duetty restore starts it again";
  return state === "done" || state === "failed" ? ending({ exit_code, signal }) : undefined;
}
