// The peer's own end of a TCP connection on this machine: its number, by which its process can be found, and the user who made it,
// which stays whatever its process becomes. Linux only. Null when it has been closed. Asks the kernel for this one connection; where that is not possible, reads the list of all, which takes long.
import { readFileSync } from "node:fs";
import { libc } from "../pty/libc.ts";

const NETLINK_SOCK_DIAG = 4;
const SOCK_DIAG_BY_FAMILY = 20;
const NLM_F_REQUEST = 1;
const [AF_INET, AF_INET6, IPPROTO_TCP] = [2, 10, 6];
/** struct nlmsghdr and struct inet_diag_req_v2. */
const REQUEST_BYTES = 72;
/** In struct nlmsghdr and struct inet_diag_msg. */
const [USER_AT, INODE_AT] = [80, 84];

/** IPv4, also as IPv6 writes it, or IPv6. */
export interface TcpEnd {
  readonly address: string;
  readonly port: number;
}

interface PeerEnd {
  readonly inode: number;
  readonly user: number;
}

export function endOfPeer(remote: TcpEnd, local: TcpEnd): PeerEnd | null {
  const answer = libc().askKernel(NETLINK_SOCK_DIAG, requestFor(remote, local));
  const isAnswered = answer !== null && answer.length >= INODE_AT + 4 && answer.readUInt16LE(4) === SOCK_DIAG_BY_FAMILY;
  const end = isAnswered
    ? { inode: answer.readUInt32LE(INODE_AT), user: answer.readUInt32LE(USER_AT) }
    : endInList(remote, local);
  return end.inode === 0 ? null : end;
}

/** A question for exactly one connection, as its other end sees it. It finds IPv6 sockets with mapped addresses as well. */
function requestFor(remote: TcpEnd, local: TcpEnd): Buffer {
  const request = Buffer.alloc(REQUEST_BYTES);
  request.writeUInt32LE(REQUEST_BYTES, 0);
  request.writeUInt16LE(SOCK_DIAG_BY_FAMILY, 4);
  request.writeUInt16LE(NLM_F_REQUEST, 6);
  request.set([bytesOf(remote).length === 4 ? AF_INET : AF_INET6, IPPROTO_TCP], 16);
  // All states.
  request.writeUInt32LE(0xffffffff, 20);
  request.writeUInt16BE(remote.port, 24);
  request.writeUInt16BE(local.port, 26);
  request.set(bytesOf(remote), 28);
  request.set(bytesOf(local), 44);
  // No cookie.
  request.fill(0xff, 64, 72);
  return request;
}

function endInList(remote: TcpEnd, local: TcpEnd): PeerEnd {
  const [theirs, ours] = [endOf(remote), endOf(local)];
  for (const file of ["/proc/net/tcp", "/proc/net/tcp6"])
    for (const line of readFileSync(file, "latin1").split("\n")) {
      const [, local = "", remote = "", , , , , user, , inode] = line.trim().split(/\s+/);
      if (local.endsWith(theirs) && remote.endsWith(ours)) return { inode: Number(inode), user: Number(user) };
    }
  return { inode: 0, user: 0 };
}

/** As the kernel writes it, also at the end of an IPv6 address. */
function endOf(end: TcpEnd): string {
  const address = Buffer.from(bytesOf(end)).swap32().toString("hex");
  return `${address}:${end.port.toString(16).padStart(4, "0")}`.toUpperCase();
}

function bytesOf({ address }: TcpEnd): number[] {
  const plain = plainAddress(address);
  return plain.includes(":") ? bytesOfV6(plain) : plain.split(".").map(Number);
}

/** Two colons stand for all groups that are left out. */
function bytesOfV6(address: string): number[] {
  const [before = [], after] = address.split("::").map((part) => part.split(":").filter(Boolean));
  const left = after ? 8 - before.length - after.length : 0;
  const groups = [...before, ...Array<string>(left).fill("0"), ...(after ?? [])];
  return groups.map((group) => Number.parseInt(group, 16)).flatMap((word) => [word >> 8, word & 0xff]);
}

/** As others write it: IPv4 as such, and without the interface that belongs to a link-local one. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=[\d.]+$)/, "").replace(/%.*$/, "");
}
