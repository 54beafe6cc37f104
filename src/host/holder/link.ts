// The daemon's end of the socket to the holder process. Owns: requests under way, and events that arrive before their
// listener. Refuses: to reconnect; a holder that is gone has taken its programs with it.
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import { never } from "../../core/base/never.ts";
import {
  type Holder,
  type Holding,
  type HoldingEvents,
  NO_PROGRAM,
  type Probe,
  type Survivor,
} from "../../core/journal/holding.ts";
import type { PtyCommand } from "../../core/pty/pty.ts";
import { refusesDescriptors } from "../process/descriptor-limit.ts";
import { processRow } from "../process/table.ts";
import {
  type Answer,
  encodeFrame,
  type Frame,
  FrameReader,
  type Hello,
  type HolderEvent,
  type Opened,
  type Request,
} from "./wire.ts";

/** A holder that has ended its sessions only has to exit, which takes seconds on a busy machine. Nobody waits longer. */
const END_MS_MAX = 10_000;
const END_POLL_MS = 5;

type SessionFrame = { kind: "event"; event: HolderEvent } | Extract<Frame, { kind: "grew" }>;

/** Undefined when nobody listens there. */
export async function connectHolder(
  path: string,
  hello: Omit<Extract<Request, { op: "hello" }>, "op">,
): Promise<HolderLink | Fault | undefined> {
  const socket = await new Promise<Socket | undefined>((resolve) => {
    const attempt = connect(path, () => resolve(attempt));
    attempt.once("error", () => resolve(undefined));
  });
  if (!socket) return undefined;
  const link = new HolderLink(socket);
  const answer = await link.request({ op: "hello", ...hello });
  if (isFault(answer)) return answer;
  // It ended between our connecting and its answer.
  if (answer === null) return undefined;
  link.greeted(answer as Hello);
  return link;
}

export class HolderLink implements Holder {
  #socket: Socket;
  #hello: Hello = { protocol: 0, version: "", pid: 0 };
  #waiting = new Map<number, (answer: Answer) => void>();
  #nextId = 1;
  #gone = false;
  #listeners = new Map<number, HoldingEvents>();
  /** Events that arrived before anyone listened, between the answer to open or list and attach. */
  #early = new Map<number, SessionFrame[]>();
  #whenLost: (() => void)[] = [];

  constructor(socket: Socket) {
    this.#socket = socket;
    const frames = new FrameReader();
    socket.setNoDelay(true);
    socket.on("data", (chunk) => {
      for (const frame of newestSizes(frames.push(chunk))) this.#frame(frame);
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#lost());
  }

  get pid(): number {
    return this.#hello.pid;
  }
  get version(): string {
    return this.#hello.version;
  }

  greeted(hello: Hello): void {
    this.#hello = hello;
  }

  onLost(run: () => void): void {
    if (this.#gone) run();
    else this.#whenLost.push(run);
  }

  async open(session_id: string, command: PtyCommand, on: HoldingEvents): Promise<Holding | Fault> {
    const full = refusesDescriptors();
    if (full) return full;
    const answer = await this.request({ op: "open", session_id, command });
    if (isFault(answer)) return answer;
    if (answer === null) return fault("holder.lost", "the holder process is gone", "Try again: a new one is started.");
    const { handle, pid } = answer as Opened;
    return this.#attach(handle, pid, on);
  }

  async survivors(): Promise<Survivor[]> {
    const answer = await this.request({ op: "list" });
    return (Array.isArray(answer) ? answer : []).map(({ session_id, handle, pid, cursor, answered, typed = [] }) => ({
      session_id,
      cursor,
      answered,
      typed,
      attach: (on) => {
        // Whoever attaches has read the journal, which has what was recorded until now.
        const early = (this.#early.get(handle) ?? []).filter((frame) => !isRecorded(frame));
        this.#early.set(handle, early);
        return this.#attach(handle, pid, on);
      },
    }));
  }

  /** Resolves when the holder's process is gone. */
  async shutdown(): Promise<void> {
    this.#whenLost = [];
    await this.request({ op: "shutdown" });
    const deadline = performance.now() + END_MS_MAX;
    while (processRow(this.pid) !== null && performance.now() < deadline) await pause(END_POLL_MS);
  }

  /** Ends the connection and not the holder. */
  leave(): void {
    this.#whenLost = [];
    this.#listeners.clear();
    // It is not to start us again.
    void this.request({ op: "leave" });
    this.#socket.end();
  }

  request(request: Request): Promise<Answer> {
    if (this.#gone) return Promise.resolve(null);
    const id = this.#nextId++;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#send({ kind: "request", id, request });
    });
  }

  #send(frame: Frame): void {
    if (this.#socket.writable) this.#socket.write(encodeFrame(frame));
  }

  #attach(handle: number, pid: number, on: HoldingEvents): Holding {
    this.#listeners.set(handle, on);
    // After the caller has the holding, or the first event would find a session without one.
    queueMicrotask(() => {
      for (const frame of this.#early.get(handle) ?? []) this.#tell(frame);
      this.#early.delete(handle);
    });
    const tell = (request: Request) => void this.request(request);
    return {
      pid,
      write: (bytes, number) => this.#send({ kind: "write", handle, bytes, number }),
      reply: (bytes, to) => this.#send({ kind: "answering", handle, to, bytes }),
      resize: async (size) => void (await this.request({ op: "resize", handle, size })),
      keepSize: async () => void (await this.request({ op: "keep_size", handle })),
      pause: () => tell({ op: "flow", handle, flow: "pause" }),
      resume: () => tell({ op: "flow", handle, flow: "resume" }),
      hush: () => tell({ op: "flow", handle, flow: "hush" }),
      read: (cursor, ahead) => tell({ op: "read", handle, cursor, ...(ahead === undefined ? {} : { ahead }) }),
      signal: async (name) => (await this.request({ op: "signal", handle, name })) === true,
      type: async (bytes) => {
        const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
        return (await this.request({ op: "type", handle, base64 })) === "echo_off" ? "echo_off" : "written";
      },
      dropUnread: async () => (await this.request({ op: "drop_unread", handle })) === true,
      // A holder of an earlier version tells more.
      echo: async () => probeOf(await this.request({ op: "probe", handle, only: "echo" })).echo,
      quickProbe: async () => probeOf(await this.request({ op: "probe", handle, only: "quick" })),
      probe: async () => probeOf(await this.request({ op: "probe", handle })),
      retype: async () => void (await this.request({ op: "retype", handle })),
      close: async () => void (await this.request({ op: "close", handle })),
    };
  }

  #frame(frame: Frame): void {
    switch (frame.kind) {
      case "answer":
        this.#waiting.get(frame.id)?.(frame.answer);
        this.#waiting.delete(frame.id);
        return;
      case "grew":
      case "event":
        this.#tell(frame);
        return;
      case "request":
      case "write":
      case "answering":
        return;
      default:
        never(frame);
    }
  }

  #tell(frame: SessionFrame): void {
    const handle = frame.kind === "grew" ? frame.handle : frame.event.handle;
    const on = this.#listeners.get(handle);
    if (!on) {
      const early = this.#early.get(handle) ?? [];
      // Only the newest journal size matters. Sessions without a listener must not pile up events.
      if (frame.kind === "grew" && early.at(-1)?.kind === "grew") early.pop();
      early.push(frame);
      this.#early.set(handle, early);
      return;
    }
    if (frame.kind === "grew") return on.grew(frame.cursor);
    const { event } = frame;
    switch (event.event) {
      case "resized":
        return on.resized(event.record);
      case "gap":
        return on.gap(event.record);
      case "refused":
        return on.refused(event.bytes);
      case "exited":
        this.#listeners.delete(handle);
        return on.exited(event.status, event.cursor, event.ts);
      default:
        return never(event);
    }
  }

  #lost(): void {
    this.#gone = true;
    for (const resolve of this.#waiting.values()) resolve(null);
    this.#waiting.clear();
    for (const on of this.#listeners.values()) on.lost();
    this.#listeners.clear();
    for (const run of this.#whenLost.splice(0)) run();
  }
}

/** An end is not among these: a full disk may have refused to record it. */
function isRecorded(frame: SessionFrame): boolean {
  return frame.kind === "event" && (frame.event.event === "resized" || frame.event.event === "gap");
}

/** The answer when the holder is gone or cannot say: no program. */
function probeOf(answer: Answer): Probe {
  return answer === null || isFault(answer) ? NO_PROGRAM : (answer as Probe);
}

/** Without the sizes of a journal that the next frame makes old: each would be a turn of its own, with a look at the screen. */
function newestSizes(frames: readonly Frame[]): readonly Frame[] {
  return frames.filter((frame, i) => {
    const next = frames[i + 1];
    return frame.kind !== "grew" || next?.kind !== "grew" || next.handle !== frame.handle;
  });
}
