// The machine's processes, with what closing a session needs. Owns: reading /proc on Linux and ps on macOS.
// Refuses: to judge which ones belong to a session (processes.ts), and to send signals.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { basename } from "node:path";
import type { Foreground } from "../../core/pty/pty.ts";
import { libc } from "../pty/libc.ts";

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
  /** The controlling terminal, as `Tty` names it. */
  readonly tty: string;
  /** Clock ticks since boot. Infinity where the platform does not say, which makes it the youngest. */
  readonly startedTick: number;
  /** Entries joined by NUL. Empty when we may not read it or the process is gone. Lazy, because a read costs 20 µs. */
  environ(): string;
}

/** USER_HZ: /proc shows ticks of 10 ms on every Linux, whatever the kernel's own rate. */
const TICKS_PER_SECOND = 100;
/** Enough for all processes with their environment on a machine that runs thousands. */
const PS_OUTPUT_BYTES_MAX = 64 << 20;
/** A stat line has 52 numbers of at most 20 digits and a name of at most 64 bytes. The same length identifies an argv. */
const lineBuffer = Buffer.alloc(2048);

/** Live processes only. A zombie cannot run or take signals, and its parent reaps it. */
export function processTable(): ProcessRow[] {
  if (process.platform !== "linux") return psTable();
  const rows: ProcessRow[] = [];
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const row = linuxRow(pid);
    if (row !== null) rows.push(row);
  }
  return rows;
}

/** One process, or null when it is gone or a zombie. */
export function processRow(pid: number): ProcessRow | null {
  if (process.platform === "linux") return linuxRow(pid);
  return psTable().find((row) => row.pid === pid) ?? null;
}

/** One terminal. Its number alone does not tell it apart: each container counts its own from zero. */
export interface Tty {
  /** How a row names it. On Linux stat's tty_nr, which is the device number. */
  readonly key: string;
  readonly device: number;
  /** The devpts that it lies in. */
  readonly filesystem: number;
}

/** The terminal of an open slave. */
export function ttyOf(slave: { readonly path: string; readonly fd: number }): Tty {
  const { rdev: device, dev: filesystem } = fstatSync(slave.fd);
  return { key: process.platform === "linux" ? String(device) : slave.path.replace("/dev/", ""), device, filesystem };
}

/** Whether a process has this very terminal open. */
export function opensTerminal(pid: number, { device, filesystem }: Tty): boolean {
  if (process.platform !== "linux") return true;
  const isIt = (fd: string): boolean => {
    const at = statSync(`/proc/${pid}/fd/${fd}`, { throwIfNoEntry: false });
    return at?.rdev === device && at.dev === filesystem;
  };
  try {
    return readdirSync(`/proc/${pid}/fd`).some(isIt);
  } catch (error) {
    if (isHidden(error)) return false;
    throw error;
  }
}

/** The program that leads the terminal's foreground group. One that runs in a box of its own stands behind what made the box. */
export function programInFront(group: number): Foreground | null {
  const leader = programOf(group);
  if (leader === null || !BOX_MAKERS.includes(leader.name)) return leader;
  const inside = programInBox(group);
  if (inside === null) return leader;
  // A line's shell runs one program at a time in front.
  const [running = inside] = childrenOf(inside);
  return programOf(running) ?? programOf(inside) ?? leader;
}

/** bubblewrap, and our own. */
const BOX_MAKERS = ["bwrap", "duetty-box"];
/** A process of the maker's is the first in its namespace, the program the second. */
const PROGRAM_INSIDE = 2;

/** The program behind a box's own processes. Null while it starts. Linux only. */
export function programInBox(pid: number): number | null {
  // bubblewrap's first process is between the two.
  const children = childrenOf(pid);
  return [...children, ...children.flatMap(childrenOf)].find((child) => pidInside(child) === PROGRAM_INSIDE) ?? null;
}

/** Null when it is gone. The first command of a running pipeline may be gone. Linux only. */
function programOf(pid: number): Foreground | null {
  const stat = readProc(pid, "stat", procLine);
  const comm = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
  const argv = readProc(pid, "cmdline", procLine);
  // Node 24 and later rename their main thread, which is what comm shows; argv[0] still says "node".
  const name = comm.endsWith("MainThread") ? basename(argv.split("\0", 1)[0] ?? comm) : comm;
  if (name === "") return null;
  // We keep a digest, because argv may hold secrets.
  return {
    pid,
    name,
    ...scriptIn(name, argv),
    instance: `${fieldsOf(stat)[19]} ${createHash("sha1").update(argv).digest("base64")}`,
  };
}

const INTERPRETERS = /^(?:node|bun|deno|python[\d.]*)$/;

/** Its first argument that is no option. Secrets do not stand in a script's own name. */
function scriptIn(name: string, argv: string): { script?: string } {
  if (!INTERPRETERS.test(name)) return {};
  const script = argv.split("\0").find((arg, at) => at > 0 && arg !== "" && !arg.startsWith("-"));
  return script === undefined ? {} : { script: basename(script) };
}

/** The CPU time of a process group's leader and its ended children. Null when it is gone or the platform does not say. */
export function processActivity(pid: number): { running: boolean; cpu_ticks: number } | null {
  if (process.platform !== "linux") return null;
  const fields = statFields(pid);
  const [utime, stime, children, childrenSystem] = fields.slice(11, 15).map(Number);
  if (utime === undefined || stime === undefined) return null;
  const cpu_ticks = utime + stime + (children ?? 0) + (childrenSystem ?? 0);
  return { running: fields[0] === "R" || fields[0] === "D", cpu_ticks };
}

/** Linux only. */
function childrenOf(pid: number): number[] {
  return readProc(pid, `task/${pid}/children`).split(" ").filter(Boolean).map(Number);
}

/** The pid that a process has in its own namespace. Linux only. */
function pidInside(pid: number): number | null {
  const [, pids] = /^NSpid:(.*)$/m.exec(readProc(pid, "status")) ?? [];
  return pids === undefined ? null : Number(pids.trim().split(/\s+/).at(-1));
}

export interface GroupMember {
  readonly pid: number;
  readonly state: string;
  readonly threads: number;
}

/** The members of a process group in this session, zombies included. Linux only. */
export function groupMembers(session: number, group: number): GroupMember[] {
  return readdirSync("/proc").flatMap((name) => {
    const pid = Number(name);
    const member = Number.isInteger(pid) ? memberOf(session, group, pid) : undefined;
    return member ? [member] : [];
  });
}

/** Undefined when it is not one of them. Linux only. */
export function memberOf(session: number, group: number, pid: number): GroupMember | undefined {
  // The system call costs 1 µs and a stat file 10 µs, so we read only the session's own files.
  if (libc().sessionOf(pid) !== session) return undefined;
  const fields = statFields(pid);
  const [state = "X", , itsGroup] = fields;
  return Number(itsGroup) === group ? { pid, state, threads: Number(fields[17]) } : undefined;
}

/** The current time on the same clock as `startedTick`. */
export function nowTick(): number {
  if (process.platform !== "linux") return 0;
  return Math.floor(Number.parseFloat(readFileSync("/proc/uptime", "latin1")) * TICKS_PER_SECOND);
}

/** "pid (comm) state ppid pgrp session tty_nr …": comm may hold spaces and parentheses, so count from its last ")". */
function statFields(pid: number): string[] {
  return fieldsOf(readProc(pid, "stat", procLine));
}

function fieldsOf(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function linuxRow(pid: number): ProcessRow | null {
  const fields = statFields(pid);
  const [state, parent, , session, tty] = fields;
  const started = fields[19];
  if (started === undefined || state === "Z" || state === "X") return null;
  return {
    pid,
    parent: Number(parent),
    session: Number(session),
    tty: tty ?? "0",
    startedTick: Number(started),
    environ: () => readProc(pid, "environ"),
  };
}

/** Reads a one-line file of /proc in a quarter of readFileSync's time (10 µs): no fstat, one read, no new buffer. */
export function procLine(path: string): string {
  const fd = openSync(path, "r");
  try {
    return lineBuffer.toString("latin1", 0, readSync(fd, lineBuffer));
  } finally {
    closeSync(fd);
  }
}

function wholeFile(path: string): string {
  return readFileSync(path, "latin1");
}

/** Empty when the process is gone (ENOENT, ESRCH) or belongs to another user (EACCES): we could not end it anyway. */
function readProc(pid: number, file: string, read = wholeFile): string {
  try {
    return read(`/proc/${pid}/${file}`);
  } catch (error) {
    if (isHidden(error)) return "";
    throw error;
  }
}

/** The process is gone, or belongs to another user. */
export function isHidden(error: unknown): boolean {
  return ["ENOENT", "ESRCH", "EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "");
}

/** macOS: -E appends the environment to the command. `sess` shows a pointer there, hence getsid. Untested. */
function psTable(): ProcessRow[] {
  const listing = execFileSync("ps", ["-axEww", "-o", "pid=,ppid=,tty=,stat=,command="], {
    encoding: "latin1",
    maxBuffer: PS_OUTPUT_BYTES_MAX,
  });
  const rows: ProcessRow[] = [];
  for (const line of listing.split("\n")) {
    const [, pid, parent, tty, state, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined || tty === undefined || command === undefined || state?.startsWith("Z")) continue;
    rows.push({
      pid: Number(pid),
      parent: Number(parent),
      session: libc().sessionOf(Number(pid)) ?? 0,
      tty,
      startedTick: Number.POSITIVE_INFINITY,
      environ: () => command.replaceAll(" ", "\0"),
    });
  }
  return rows;
}
