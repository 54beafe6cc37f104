// Which process is at the other end of a connection on this machine. Null: it has closed its end, or lives where we do not see
// it. Hidden: it is there, but of another user.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import type { Socket } from "node:net";
import { isHidden } from "../process/table.ts";
import { libc } from "../pty/libc.ts";

/** Browsers open many connections from one process, so we look first where we found the last ones. */
const KNOWN_OWNERS_MAX = 16;

const knownOwners = new Set<number>();

export function peerPid(socket: Socket): number | "hidden" | null {
  const { remotePort, localPort } = socket;
  if (remotePort !== undefined && localPort !== undefined) return tcpPeer(remotePort, localPort);
  // Node's public interface does not tell the descriptor.
  const fd = (socket as unknown as { readonly _handle?: { readonly fd?: number } | null })._handle?.fd;
  return fd === undefined || fd < 0 ? null : libc().peerOf(fd);
}

/** Linux only: the peer's own end of the connection has a number, and the process that has it open is the peer. */
function tcpPeer(remotePort: number, localPort: number): number | "hidden" | null {
  if (process.platform !== "linux") return null;
  const inode = inodeOf("tcp", remotePort, localPort) ?? inodeOf("tcp6", remotePort, localPort);
  return inode === null ? null : (ownerOf(`socket:[${inode}]`) ?? "hidden");
}

/** Loopback ends as the kernel writes them, 127.0.0.1 also inside an IPv6 address. 0 belongs to nobody any more. */
function inodeOf(file: "tcp" | "tcp6", remotePort: number, localPort: number): string | null {
  const [theirs, ours] = [endOf(remotePort), endOf(localPort)];
  for (const line of readFileSync(`/proc/net/${file}`, "latin1").split("\n")) {
    const [, local = "", remote = "", , , , , , , inode = "0"] = line.trim().split(/\s+/);
    if (local.endsWith(theirs) && remote.endsWith(ours)) return inode === "0" ? null : inode;
  }
  return null;
}

function endOf(port: number): string {
  return `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")}`;
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
