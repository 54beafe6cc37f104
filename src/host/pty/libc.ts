// The few libc calls Node lacks: a terminal's modes and foreground group, close-on-exec, a read that does not throw, peers, orphans.
// Owns: struct layouts and constants of Linux and macOS. Refuses: async calls (Koromix/koffi#190) and to know sessions.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import type { LibraryHandle } from "koffi";

/** What the terminal does with typed bytes: ECHO and ICANON of termios. */
interface TerminalModes {
  readonly echo: boolean;
  readonly canonical: boolean;
}

/** A terminal's settings, as the kernel has them. */
type Settings = Buffer;

/** Settings of a terminal that hands lines to its program, and two variants: keys at once, and no echo. */
interface LineMode {
  readonly before: Settings;
  readonly keys: Settings;
  readonly silent: Settings;
}

interface Libc {
  /** Null when `fd` is no terminal (any more). */
  modes(fd: number): TerminalModes | null;
  /** Null when it hands keys to its program, or is no terminal. */
  lineMode(fd: number): LineMode | null;
  setModes(fd: number, settings: Settings): void;
  hasModes(fd: number, settings: Settings): boolean;
  /** Typed bytes that a program could read now. */
  unread(fd: number): number;
  /** The foreground group of the master's terminal, or null when it has none. */
  foregroundGroup(master: number): number | null;
  /** Throws away what lies between the master and the programs on the slave. */
  dropInput(master: number, slave: number): void;
  closeOnExec(fd: number): void;
  /** Bytes read, or 0 when there are none now or ever. fs.readSync throws an Error per EAGAIN; this costs 0.3 µs. */
  read(fd: number, into: Uint8Array): number;
  /** The session of a process; null when it is gone. */
  sessionOf(pid: number): number | null;
  /** False when another process has locked what is open here. */
  locks(fd: number): boolean;
  /** Throws when it is there already. */
  mkfifo(path: string, mode: number): void;
  /** The process that connected to a unix socket, in our own numbers. Null when the kernel does not say. */
  peerOf(fd: number): number | null;
  /** One question over netlink, and the kernel's answer. Null when it does not answer. Linux only. */
  askKernel(protocol: number, question: Uint8Array): Buffer | null;
  /** From now on the orphans of our descendants become our children. False where there is no such thing. */
  adoptOrphans(): boolean;
  /** Takes the exit status of a child that has ended. False when it lives or is no child of ours. */
  reap(pid: number): boolean;
}

interface TermiosLayout {
  readonly size: number;
  /** Where c_lflag is. */
  readonly local: number;
  readonly echo: number;
  readonly canonical: number;
  /** Where c_cc has VMIN and VTIME. */
  readonly least: readonly number[];
  /** ioctl FIONREAD. */
  readonly unread: number;
  /** TCIFLUSH and TCOFLUSH. */
  readonly flush: { readonly input: number; readonly output: number };
}

/** struct termios on Linux: four u32 flags, c_lflag is the last; 60 bytes with c_cc and speeds. */
const LINUX: TermiosLayout = {
  size: 60,
  local: 12,
  echo: 0x8,
  canonical: 0x2,
  least: [22, 23],
  unread: 0x541b,
  flush: { input: 0, output: 1 },
};
/** On macOS the flags are unsigned long, so c_lflag starts at 24; its used bits fit the low half. 72 bytes. */
const DARWIN: TermiosLayout = {
  size: 72,
  local: 24,
  echo: 0x8,
  canonical: 0x100,
  least: [48, 49],
  unread: 0x4004667f,
  flush: { input: 1, output: 2 },
};

/** Equal on Linux and macOS. */
const F_SETFD = 2;
const FD_CLOEXEC = 1;
const WNOHANG = 1;
const LOCK_EX_NB = 2 | 4;
const PR_SET_CHILD_SUBREAPER = 36;
const AF_NETLINK = 16;
/** SOCK_RAW and SOCK_CLOEXEC, of Linux. */
const SOCK_RAW_CLOEXEC = 3 | 0o2000000;
const MSG_DONTWAIT = 0x40;
/** An answer about one socket has some hundred bytes. */
const NETLINK_ANSWER_BYTES = 4_096;

/** How to ask for the peer of a unix socket. The pid is the first number of the answer. */
interface PeerOption {
  readonly level: number;
  readonly name: number;
  readonly size: number;
}

/** SOL_SOCKET, SO_PEERCRED: pid, uid and gid. */
const LINUX_PEER: PeerOption = { level: 1, name: 17, size: 12 };
/** SO_PEERPIDFD, of Linux 6.5: the process itself, not its number. */
const PEER_HANDLE = { level: 1, name: 77, size: 4 };
/** The kernel does not know the option. */
const ENOPROTOOPT = 92;
/** SOL_LOCAL, LOCAL_PEERPID. Untested. */
const DARWIN_PEER: PeerOption = { level: 0, name: 2, size: 4 };

let loaded: Libc | null = null;

/** Throws when koffi has no binary for this platform: the caller turns that into a Fault. */
export function libc(): Libc {
  loaded ??= bind();
  return loaded;
}

function bind(): Libc {
  const koffi = createRequire(import.meta.url)("koffi") as typeof import("koffi");
  const library = koffi.load(null);
  const tcgetpgrp = library.func("int tcgetpgrp(int)") as (fd: number) => number;
  // Variadic on purpose: arm64 macOS passes such arguments on the stack.
  const fcntl = library.func("int fcntl(int, int, ...)") as (fd: number, command: number, ...rest: unknown[]) => number;
  const read = library.func("long read(int, void *, size_t)") as (fd: number, into: Uint8Array, size: number) => number;
  const getsid = library.func("int getsid(int)") as (pid: number) => number;
  const flock = library.func("int flock(int, int)") as (fd: number, how: number) => number;
  // mode_t is 32 bits on Linux and 16 on macOS: an int holds both in a register.
  const mkfifo = library.func("int mkfifo(const char *, int)") as (path: string, mode: number) => number;
  return {
    ...terminalCalls(library),
    ...processCalls(library, () => koffi.errno()),
    foregroundGroup(master) {
      const group = tcgetpgrp(master);
      // 0 is "no group" on Linux; 1 is init, which never runs on our terminal and must never be signalled.
      return group > 1 ? group : null;
    },
    closeOnExec(fd) {
      if (fcntl(fd, F_SETFD, "int", FD_CLOEXEC) !== 0) throw new Error(`fcntl(F_SETFD): errno ${koffi.errno()}`);
    },
    read: (fd, into) => Math.max(0, read(fd, into, into.length)),
    sessionOf(pid) {
      const session = getsid(pid);
      return session > 0 ? session : null;
    },
    locks: (fd) => flock(fd, LOCK_EX_NB) === 0 || koffi.errno() !== constants.errno.EWOULDBLOCK,
    mkfifo(path, mode) {
      if (mkfifo(path, mode) !== 0) throw new Error(`mkfifo(${path}): errno ${koffi.errno()}`);
    },
  };
}

type TerminalCall = "modes" | "lineMode" | "setModes" | "hasModes" | "unread" | "dropInput";

/** The calls about a terminal's settings and what was typed. */
function terminalCalls(library: LibraryHandle): Pick<Libc, TerminalCall> {
  const layout = process.platform === "darwin" ? DARWIN : LINUX;
  const tcgetattr = library.func("int tcgetattr(int, _Out_ uint8_t *)") as (fd: number, into: Buffer) => number;
  const tcsetattr = library.func("int tcsetattr(int, int, const uint8_t *)") as (
    ...given: [fd: number, when: number, from: Buffer]
  ) => number;
  const tcflush = library.func("int tcflush(int, int)") as (fd: number, queue: number) => number;
  const ioctl = library.func("int ioctl(int, unsigned long, ...)") as (...given: unknown[]) => number;
  const termios = Buffer.alloc(layout.size);
  const get = (fd: number): Settings | null => (tcgetattr(fd, termios) === 0 ? termios : null);
  const has = (settings: Settings, flag: number) => (settings.readUInt32LE(layout.local) & flag) !== 0;
  function without(settings: Settings, flags: number): Settings {
    const changed = Buffer.from(settings);
    changed.writeUInt32LE((settings.readUInt32LE(layout.local) & ~flags) >>> 0, layout.local);
    return changed;
  }
  return {
    modes(fd) {
      const now = get(fd);
      return now && { echo: has(now, layout.echo), canonical: has(now, layout.canonical) };
    },
    lineMode(fd) {
      const now = get(fd);
      if (!now || !has(now, layout.canonical)) return null;
      const keys = without(now, layout.canonical | layout.echo);
      // A read of nothing returns at once.
      for (const at of layout.least) keys[at] = 0;
      return { before: Buffer.from(now), keys, silent: without(now, layout.echo) };
    },
    dropInput(master, slave) {
      // First what is on its way to the slave's queue, then the queue.
      tcflush(master, layout.flush.output);
      tcflush(slave, layout.flush.input);
    },
    setModes: (fd, settings) => void tcsetattr(fd, 0, settings),
    hasModes: (fd, settings) => get(fd)?.equals(settings) === true,
    unread(fd) {
      const count = Buffer.alloc(4);
      return ioctl(fd, layout.unread, "void *", count) === 0 ? count.readInt32LE(0) : 0;
    },
  };
}

/** The calls about processes and the ends of sockets. */
function processCalls(
  library: LibraryHandle,
  errno: () => number,
): Pick<Libc, "peerOf" | "askKernel" | "adoptOrphans" | "reap"> {
  const peer = process.platform === "darwin" ? DARWIN_PEER : LINUX_PEER;
  const option = Buffer.alloc(peer.size);
  const getsockopt = library.func("int getsockopt(int, int, int, _Out_ uint8_t *, _Inout_ uint32_t *)") as (
    ...given: [fd: number, level: number, name: number, into: Buffer, size: [number]]
  ) => number;
  const waitpid = library.func("int waitpid(int, void *, int)") as (pid: number, status: null, how: number) => number;
  const socket = library.func("int socket(int, int, int)") as (...given: [number, number, number]) => number;
  const close = library.func("int close(int)") as (fd: number) => number;
  type Transfer = (fd: number, bytes: Uint8Array, size: number, flags: number) => number;
  const send = library.func("long send(int, const void *, size_t, int)") as Transfer;
  const recv = library.func("long recv(int, void *, size_t, int)") as Transfer;
  /** It may have ended, and its number may be another's by now. An older kernel does not tell. */
  const isStill = (fd: number, pid: number): boolean => {
    if (process.platform !== "linux") return true;
    const handle = Buffer.alloc(PEER_HANDLE.size);
    if (getsockopt(fd, PEER_HANDLE.level, PEER_HANDLE.name, handle, [PEER_HANDLE.size]) !== 0)
      return errno() === ENOPROTOOPT;
    const process_fd = handle.readInt32LE(0);
    const said = readFileSync(`/proc/self/fdinfo/${process_fd}`, "latin1");
    close(process_fd);
    return /^Pid:\s*(-?\d+)$/m.exec(said)?.[1] === String(pid);
  };
  return {
    peerOf(fd) {
      if (getsockopt(fd, peer.level, peer.name, option, [peer.size]) !== 0) return null;
      const pid = option.readInt32LE(0);
      // 0: it lives in a pid namespace that we do not see.
      return pid > 0 && isStill(fd, pid) ? pid : null;
    },
    askKernel(protocol, question) {
      const fd = socket(AF_NETLINK, SOCK_RAW_CLOEXEC, protocol);
      if (fd < 0) return null;
      const answer = Buffer.alloc(NETLINK_ANSWER_BYTES);
      const sent = send(fd, question, question.length, 0);
      // The kernel has answered by the time that it took the question.
      const got = sent === question.length ? recv(fd, answer, answer.length, MSG_DONTWAIT) : -1;
      close(fd);
      return got > 0 ? answer.subarray(0, got) : null;
    },
    adoptOrphans() {
      if (process.platform !== "linux") return false;
      const prctl = library.func("int prctl(int, ...)") as (option: number, ...rest: unknown[]) => number;
      return prctl(PR_SET_CHILD_SUBREAPER, "unsigned long", 1) === 0;
    },
    reap: (pid) => waitpid(pid, null, WNOHANG) === pid,
  };
}
