// Tells from outside whether a foreground program waits for terminal input, by the system call each of its threads
// sleeps in. Owns: call numbers and struct layouts of Linux on x64 and arm64. Refuses: to say what the wait means (a shell
// at its prompt looks like any other reader) and to guess where the kernel does not tell.
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import type { Activity } from "../../core/pty/pty.ts";
import { type GroupMember, groupMembers, memberOf, procLine, type Tty } from "./table.ts";

type Reading = Activity["reading"];
type Call = "read" | "poll" | "select" | "epoll" | "opaque";

/** Threads of the whole group. Each costs 10 to 20 µs, so all take about a millisecond. With more the answer is unknown. */
const THREADS_MAX = 64;
/** Descriptors of one wait, at 4 µs each. Programs open terminals early, so they come first in nearly every set. */
const DESCRIPTORS_MAX = 64;
/** Entries of one poll array, equal to FD_SETSIZE: a select cannot hold more. */
const ENTRIES_MAX = 1024;
/** struct pollfd: int fd, short events, short revents. */
const POLLFD_BYTES = 8;
/** POLLIN and POLLRDNORM, and EPOLLIN and EPOLLRDNORM, which have the same values. */
const READABLE = 0x41;

/** From least to most informative. The most informative thread speaks for its group. */
const RANK: readonly Reading[] = ["no", "unknown", "polled", "blocked"];

/** Opaque calls: io_uring_enter hides its requests, and restart_syscall hides the call it continues. */
const CALLS: Partial<Record<NodeJS.Architecture, Record<Call, readonly number[]>>> = {
  // read readv splice; poll ppoll; select pselect6; epoll_wait epoll_pwait epoll_pwait2; io_uring_enter restart_syscall
  x64: { read: [0, 19, 275], poll: [7, 271], select: [23, 270], epoll: [232, 281, 441], opaque: [426, 219] },
  // The same without poll, select and epoll_wait, which arm64 never had.
  arm64: { read: [63, 65, 76], poll: [73], select: [72], epoll: [22, 441], opaque: [426, 128] },
};

interface Terminal {
  /** Its session: the pid of the session's leader. */
  readonly session: number;
  readonly foregroundGroup: number;
  readonly tty: Tty;
}

export function terminalReading(terminal: Terminal): Reading {
  const calls = CALLS_HERE;
  if (calls === null) return "unknown";
  const { session, foregroundGroup } = terminal;
  // Most programs read in the process that leads their group. Then we need not look at every process of the machine.
  const leader = memberOf(session, foregroundGroup, foregroundGroup);
  if (leader && groupReading([leader], calls, terminal.tty) === "blocked") return "blocked";
  return groupReading(groupMembers(session, foregroundGroup), calls, terminal.tty);
}

function groupReading(members: readonly GroupMember[], calls: ReadonlyMap<number, Call>, tty: Tty): Reading {
  // hidepid hides other users' programs, for example a sudo.
  let best: Reading = members.length === 0 ? "unknown" : "no";
  let threadsSeen = 0;
  for (const { pid, state, threads } of members) {
    if (state === "R" || state === "Z" || state === "X") continue;
    const listed = threads === 1 ? [String(pid)] : inspected(() => readdirSync(`/proc/${pid}/task`));
    if (typeof listed === "string") continue;
    for (const tid of listed) {
      threadsSeen += 1;
      if (threadsSeen > THREADS_MAX) return best === "no" ? "unknown" : best;
      const reading = inspected(() => threadReading(pid, tid, calls, tty));
      if (RANK.indexOf(reading) > RANK.indexOf(best)) best = reading;
      if (best === "blocked") return best;
    }
  }
  return best;
}

/** Null where this kernel (gVisor, or one without tracehooks) or machine does not say. */
const CALLS_HERE = callsHere();

function callsHere(): ReadonlyMap<number, Call> | null {
  const table = process.platform === "linux" && existsSync("/proc/self/syscall") ? CALLS[process.arch] : undefined;
  if (table === undefined) return null;
  const entries = Object.entries(table) as [Call, readonly number[]][];
  return new Map(entries.flatMap(([call, numbers]) => numbers.map((number) => [number, call])));
}

/** "63 0x0 0xffff…": the call and its arguments. "running" on a processor, "-1 …" asleep outside of a call. */
function threadReading(pid: number, tid: string, calls: ReadonlyMap<number, Call>, tty: Tty): Reading {
  const [number, first = 0, second = 0] = procLine(`/proc/${pid}/task/${tid}/syscall`).split(" ", 3).map(Number);
  const call = number === undefined ? undefined : calls.get(number);
  switch (call) {
    case undefined:
      return "no";
    case "opaque":
      return "unknown";
    case "read":
      return isTerminal(pid, first, tty) ? "blocked" : "no";
    case "poll":
      return watching(pid, polled(memory(pid, first, Math.min(second, ENTRIES_MAX) * POLLFD_BYTES)), tty);
    case "select":
      return watching(pid, selected(memory(pid, second, Math.ceil(Math.min(first, ENTRIES_MAX) / 8))), tty);
    case "epoll":
      return watching(pid, registered(readFileSync(`/proc/${pid}/fdinfo/${first}`, "latin1")), tty);
    default:
      return call satisfies never;
  }
}

function watching(pid: number, descriptors: readonly number[], tty: Tty): Reading {
  const looked = descriptors.slice(0, DESCRIPTORS_MAX);
  if (looked.some((fd) => isTerminal(pid, fd, tty))) return "polled";
  return looked.length < descriptors.length ? "unknown" : "no";
}

/** /dev/tty, which is the terminal of whoever opens it. */
const OWN_TERMINAL = 5 << 8;

/** By its device, because a program may have opened it again as /dev/tty, or under the name that it has in a box. */
function isTerminal(pid: number, fd: number, { device, filesystem }: Tty): boolean {
  const at = inspected(() => statSync(`/proc/${pid}/fd/${fd}`));
  if (typeof at === "string") return false;
  return at.rdev === OWN_TERMINAL || (at.rdev === device && at.dev === filesystem);
}

function polled(pollfds: Buffer): number[] {
  const fds: number[] = [];
  for (let at = 0; at + POLLFD_BYTES <= pollfds.length; at += POLLFD_BYTES) {
    const fd = pollfds.readInt32LE(at);
    // A negative descriptor is an entry that its owner switched off.
    if (fd >= 0 && (pollfds.readInt16LE(at + 4) & READABLE) !== 0) fds.push(fd);
  }
  return fds;
}

function selected(set: Buffer): number[] {
  const bits = Array.from({ length: set.length * 8 }, (_, fd) => fd);
  return bits.filter((fd) => ((set[fd >> 3] ?? 0) & (1 << (fd & 7))) !== 0);
}

function registered(fdinfo: string): number[] {
  const lines = [...fdinfo.matchAll(/^tfd:\s*(\d+) events:\s*([0-9a-f]+)/gm)];
  return lines.flatMap(([, fd, events]) => (Number.parseInt(events ?? "", 16) & READABLE ? Number(fd) : []));
}

/** Reads another process's memory. Without an address (select's null set) there is nothing to read. */
function memory(pid: number, address: number, size: number): Buffer {
  if (address === 0 || !Number.isSafeInteger(address)) return Buffer.alloc(0);
  const bytes = Buffer.alloc(size);
  const fd = openSync(`/proc/${pid}/mem`, "r");
  try {
    return bytes.subarray(0, readSync(fd, bytes, 0, size, address));
  } finally {
    closeSync(fd);
  }
}

/** The result of `read`: "no" when the process has just gone, "unknown" when we may not inspect it (setuid, yama). */
function inspected<T>(read: () => T): T | "no" | "unknown" {
  try {
    return read();
  } catch (error) {
    const { errno, code } = error as NodeJS.ErrnoException;
    if (errno === undefined) throw error;
    return code === "ENOENT" || code === "ESRCH" ? "no" : "unknown";
  }
}
