// Which process is at the other end of a connection on this machine. Null: it has closed its end, or lives where we do not see
// it. Hidden: it is there, but of another user.
import { spawnSync } from "node:child_process";
import { readdirSync, readlinkSync } from "node:fs";
import type { Socket } from "node:net";
import { isHidden } from "../process/table.ts";
import { libc } from "../pty/libc.ts";
import { endOfPeer, plainAddress, type TcpEnd } from "./tcp.ts";

/** Browsers open many connections from one process, so we look first where we found the last ones. */
const KNOWN_OWNERS_MAX = 16;

const knownOwners = new Set<number>();

export function peerPid(socket: Socket): number | "hidden" | null {
  const { remotePort, localPort, remoteAddress = "", localAddress = "" } = socket;
  if (remotePort !== undefined && localPort !== undefined)
    return tcpPeer({ address: remoteAddress, port: remotePort }, { address: localAddress, port: localPort });
  // Node's public interface does not tell the descriptor.
  const fd = (socket as unknown as { readonly _handle?: { readonly fd?: number } | null })._handle?.fd;
  return fd === undefined || fd < 0 ? null : libc().peerOf(fd);
}

/**
 * Whether another user made the peer's end, also where we are root and see their processes. What holds it now says nothing: sudo
 * takes over what it was started with. Nobody else's reach the unix socket, which stands in a private folder.
 */
export function isOthersEnd(socket: Socket): boolean {
  const { remotePort, localPort, remoteAddress = "", localAddress = "" } = socket;
  if (remotePort === undefined || localPort === undefined || process.platform !== "linux") return false;
  const [remote, local] = [
    { address: remoteAddress, port: remotePort },
    { address: localAddress, port: localPort },
  ];
  return endOfPeer(remote, local)?.user !== process.geteuid?.();
}

/** The process that has the peer's own end of the connection open. */
function tcpPeer(remote: TcpEnd, local: TcpEnd): number | "hidden" | null {
  if (process.platform !== "linux") return listedPeer(remote);
  const end = endOfPeer(remote, local);
  return end === null ? null : (ownerOf(`socket:[${end.inode}]`) ?? "hidden");
}

/** macOS. Both ends are listed, so one of them is ours. Untested. */
function listedPeer({ address, port }: TcpEnd): number | null {
  const plain = plainAddress(address);
  const end = `-iTCP@${plain.includes(":") ? `[${plain}]` : plain}:${port}`;
  const { stdout } = spawnSync("lsof", ["-nP", "-Fp", end], { encoding: "latin1" });
  const pids = [...(stdout ?? "").matchAll(/^p(\d+)$/gm)].map(([, pid]) => Number(pid));
  return pids.find((pid) => pid !== process.pid) ?? null;
}

/** The youngest processes first, after the known ones: who connects has often just begun. */
function ownerOf(link: string): number | null {
  const isOwner = (pid: number) => hasOpen(pid, link);
  const all = () => readdirSync("/proc").map(Number).filter(Number.isInteger).reverse();
  const found = [...knownOwners].find(isOwner) ?? all().find(isOwner);
  if (found === undefined) return null;
  knownOwners.delete(found);
  knownOwners.add(found);
  for (const oldest of knownOwners) if (knownOwners.size > KNOWN_OWNERS_MAX) knownOwners.delete(oldest);
  return found;
}

function hasOpen(pid: number, link: string): boolean {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).some((fd) => linkOf(`${folder}/${fd}`) === link);
  } catch (error) {
    if (isHidden(error)) return false;
    throw error;
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch (error) {
    // Closed meanwhile.
    if (isHidden(error)) return "";
    throw error;
  }
}
