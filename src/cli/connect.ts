// The daemon as a verb calls it: as this caller, and started when it is missing.
import type { Client, Transport } from "../client/client.ts";
import { startingTransport, unixTransport } from "../client/local.ts";
import type { SessionInfo } from "../protocol/ops/session.ts";
import type { Home } from "../protocol/plain/home.ts";
import { identityFrom } from "./identity.ts";

export function connected(home: Home, as: string | undefined): Transport {
  return startingTransport(
    home,
    unixTransport(home, () => ({ ...identityFrom(home, as), surface: "cli" })),
  );
}

/** The session that was named: for verbs that need to know it before they begin. */
export async function findSession(client: Client, ref: string): Promise<SessionInfo> {
  const { session } = await client.status({ session_id: ref });
  if (!session) throw new Error("the daemon did not say which session that is");
  return session;
}
