// A session in this terminal: drawn into it with a status line below (attach-composed), or byte for byte (attach-raw).
// Without a name: a new one, to talk in first; its shell is started when somebody needs it.
// Refuses: to be anything but a viewer; what is typed, asked and answered goes to the daemon.
import { WebSocket } from "ws";
import { type Client, clientOver } from "../../client/client.ts";
import { isAbsent, startingTransport, unixTransport } from "../../client/local.ts";
import type { SessionInfo } from "../../protocol/ops/session.ts";
import type { Home } from "../../protocol/plain/home.ts";
import { UsageError } from "../args.ts";
import { findSession } from "../connect.ts";
import { environment, identityFrom, isPerson } from "../identity.ts";
import { parseLocal } from "../local-args.ts";
import { checkFits, terminalSize } from "../text/terminal-state.ts";
import { attachComposed, sessionArea } from "./composed.ts";
import { attachRaw } from "./raw.ts";

export async function attach(home: Home, words: string[]): Promise<number> {
  const { values, positionals } = parseLocal("attach", words);
  const [ref] = positionals;
  if (ref === undefined && (values.raw || values.watch || values.fit))
    throw new UsageError("attach with a flag needs SESSION (duetty attach --help)");
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw new UsageError("attach needs a terminal; use see and send");
  const transport = unixTransport(home, () => identityFrom(home, undefined));
  // Only at first: a daemon that goes away while we are attached is not started again.
  const starting = clientOver(startingTransport(home, transport));
  const info = ref === undefined ? await openToTalk(starting) : await findSession(starting, ref);
  const client = clientOver(transport);
  const { session_id } = info;
  // Of one that ended only its last screen is left, and that stays on the terminal.
  const isRaw = values.raw === true || hasEnded(info);
  const size = isRaw ? terminalSize() : sessionArea();
  if (values.fit && !hasEnded(info)) await client.pty_resize({ session_id, ...size });
  else if (isRaw && info.sizing !== "follow") checkFits(info);
  const identity = identityFrom(home, undefined);
  // Whoever talks needs no shell yet.
  const isLater = !isRaw && info.state === "pending" && info.policy.mode === "agent";
  const looks = isRaw ? "paint=screen" : "view=composed";
  const query = `${looks}${values.watch ? "&role=watch" : ""}${isLater ? "&start=later" : ""}`;
  const socket = new WebSocket(`ws+unix://${home.daemonSocket}:/v1/sessions/${session_id}/terminal?${query}`, {
    headers: { authorization: `Bearer ${identity.token}` },
    perMessageDeflate: false,
  });
  if (isRaw) return attachRaw(socket, values.watch ? "watch" : "input");
  // Whose keys answer what agents ask: only a person's. The daemon judges by the same token.
  const role = values.watch ? "watch" : isPerson(home, identity) ? "person" : "agent";
  const code = await attachComposed({ socket, client, session_id, role });
  if (ref === undefined) await closeUnused(client, session_id);
  return code;
}

async function openToTalk(client: Client): Promise<SessionInfo> {
  const { session_id, ...info } = await client.pty_open({ lazy: true, cwd: process.cwd(), base_env: environment() });
  const { mode } = await client.mode({ session_id, mode: "agent" });
  return { ...info, session_id, policy: { ...info.policy, mode } };
}

/** Nothing was said and nothing ran: nobody would look for it. */
async function closeUnused(client: Client, session_id: string): Promise<void> {
  try {
    const { session } = await client.status({ session_id });
    const { status } = await client.agent_events({ session_id });
    if (session?.state === "pending" && status.seq === 0) await client.pty_close({ session_id });
  } catch (error) {
    // The daemon may be why we left.
    if (!isAbsent(error)) throw error;
  }
}

function hasEnded({ state }: SessionInfo): boolean {
  return state === "done" || state === "failed" || state === "lost";
}
