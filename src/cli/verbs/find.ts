// The session that was named, from a daemon that is started when it is missing: for verbs that run on our side.
import type { Client } from "../../client/client.ts";
import { isAbsent, startDaemon } from "../../client/local.ts";
import type { SessionInfo } from "../../protocol/ops/session.ts";
import type { Home } from "../../protocol/plain/home.ts";

export async function findSession(home: Home, client: Client, ref: string): Promise<SessionInfo> {
  const ask = async () => {
    const { session } = await client.status({ session_id: ref });
    if (!session) throw new Error("the daemon did not say which session that is");
    return session;
  };
  try {
    return await ask();
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
  await startDaemon(home);
  return ask();
}
