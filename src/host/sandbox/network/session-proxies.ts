// The proxies of boxed sessions. Owns: where their sockets lie. The socket's folder is all that a box sees of it.
import fs from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import type { BoxNetwork } from "../../../core/box/box-network.ts";
import { PROXY_SOCKET } from "../../../core/box/bridge.ts";
import { packageFile } from "../../../package.ts";
import { makeLookup } from "../../lookup.ts";
import { NetworkProxy } from "./proxy.ts";

const FOLDER = "network";
const PERL = "/usr/bin/perl";
const script = (name: string) => packageFile(`shell/${name}`);

/** perl takes 2 ms and 6 MB, node 40 ms and 40 MB. */
export function findBridge(): readonly [string, string] {
  return fs.existsSync(PERL) ? [PERL, script("bridge.pl")] : [process.execPath, script("bridge.mjs")];
}

/** The folder to bind into a session's box. Made, if it is not there yet. */
export function proxyFolder(sessions: string, session_id: string): string {
  const folder = join(sessions, session_id, FOLDER);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  return fs.realpathSync(folder);
}

export function openProxies(sessions: string, ownPorts: () => readonly number[]) {
  const lookup = makeLookup();
  /** Listens when it returns. */
  return (session_id: string, network: BoxNetwork, failed: (message: string) => void): { close(): void } => {
    const proxy = new NetworkProxy({ network, lookup, ownAddresses, ownPorts });
    proxy.listen(join(proxyFolder(sessions, session_id), PROXY_SOCKET), failed);
    return proxy;
  };
}

/** Now: networks come and go. */
function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
}
