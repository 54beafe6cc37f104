// `duetty bridge`: what another machine of the person runs here over ssh. Whoever may log in as the person may read the person's token.

import { startingTransport, tokenIn, unixTransport } from "../../client/local.ts";
import { EXIT } from "../../protocol/plain/exit.ts";
import type { Home } from "../../protocol/plain/home.ts";
import { API_PROTOCOL, VERSION } from "../../protocol/plain/version.ts";
import { UsageError } from "../args.ts";
import { json } from "../text/output.ts";

export async function bridge(home: Home): Promise<number> {
  // What it prints would stand in the session's journal.
  if (process.env.DUETTY_SESSION_ID !== undefined) throw new UsageError("bridge is for ssh, and not for a session");
  const transport = unixTransport(home, () => ({ token: tokenIn(home.personToken) ?? "none", as: undefined }));
  // A daemon of another version is replaced; its sessions go on.
  await startingTransport(home, transport)("news", '{"timeout_ms":0}');
  const told = { duetty: VERSION, protocol: API_PROTOCOL, socket: home.daemonSocket, token: tokenIn(home.personToken) };
  json(told);
  process.stdin.resume();
  await new Promise((resolve) => void process.stdin.once("close", resolve));
  return EXIT.ok;
}
