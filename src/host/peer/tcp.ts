// The number of the peer's own end of a TCP connection on loopback, by which its process can be found. Linux only. Null when it
// has been closed. Asks the kernel for this one connection; where that is not possible, reads the list of all, which takes long.
import { readFileSync } from "node:fs";
import { libc } from "../pty/libc.ts";

const NETLINK_SOCK_DIAG = 4;
const SOCK_DIAG_BY_FAMILY = 20;
const NLM_F_REQUEST = 1;
const [AF_INET, IPPROTO_TCP] = [2, 6];
const LOOPBACK = [127, 0, 0, 1];
/** struct nlmsghdr and struct inet_diag_req_v2. */
const REQUEST_BYTES = 72;
/** In struct nlmsghdr and struct inet_diag_msg. */
const INODE_AT = 84;

export function inodeOfPeer(remotePort: number, localPort: number): number | null {
  const answer = libc().askKernel(NETLINK_SOCK_DIAG, requestFor(remotePort, localPort));
  const isAnswered = answer !== null && answer.length >= INODE_AT + 4 && answer.readUInt16LE(4) === SOCK_DIAG_BY_FAMILY;
  const inode = isAnswered ? answer.readUInt32LE(INODE_AT) : inodeInList(remotePort, localPort);
  return inode === 0 ? null : inode;
}

/** A question for exactly one connection, as its other end sees it. It finds IPv6 sockets with mapped addresses as well. */
function requestFor(remotePort: number, localPort: number): Buffer {
  const request = Buffer.alloc(REQUEST_BYTES);
  request.writeUInt32LE(REQUEST_BYTES, 0);
  request.writeUInt16LE(SOCK_DIAG_BY_FAMILY, 4);
  request.writeUInt16LE(NLM_F_REQUEST, 6);
  request.set([AF_INET, IPPROTO_TCP], 16);
  // All states.
  request.writeUInt32LE(0xffffffff, 20);
  request.writeUInt16BE(remotePort, 24);
  request.writeUInt16BE(localPort, 26);
  request.set(LOOPBACK, 28);
  request.set(LOOPBACK, 44);
  // No cookie.
  request.fill(0xff, 64, 72);
  return request;
}

function inodeInList(remotePort: number, localPort: number): number {
  const [theirs, ours] = [endOf(remotePort), endOf(localPort)];
  for (const file of ["/proc/net/tcp", "/proc/net/tcp6"])
    for (const line of readFileSync(file, "latin1").split("\n")) {
      const [, local = "", remote = "", , , , , , , inode] = line.trim().split(/\s+/);
      if (local.endsWith(theirs) && remote.endsWith(ours)) return Number(inode);
    }
  return 0;
}

/** As the kernel writes 127.0.0.1, also at the end of an IPv6 address. */
function endOf(port: number): string {
  return `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")}`;
}
