// The sessions of one holder process, and the daemon that listens, if any. Owns: PTYs, raw append, exit status.
// Refuses: to parse output, to decide, to speak HTTP. It must not need an upgrade for years.
import type { Socket } from "node:net";
import type { Clock } from "../core/base/clock.ts";
import { fault, isFault, shortageOf } from "../core/base/fault.ts";
import { never } from "../core/base/never.ts";
import { Held } from "../core/journal/held.ts";
import type { HoldingEvents } from "../core/journal/holding.ts";
import type { Store } from "../core/journal/store.ts";
import type { UnreadLimit } from "../core/journal/unread.ts";
import type { Spawn } from "../core/pty/pty.ts";
import { type Answer, encodeFrame, type Frame, FrameReader, type Listed, type Request } from "../host/holder/wire.ts";
import { refusesDescriptors } from "../host/process/descriptor-limit.ts";
import { refusesProcesses } from "../host/process/process-limit.ts";
import type { Restarts } from "./restarts.ts";

interface HolderParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly spawn: Spawn;
  readonly version: string;
  readonly protocol: number;
  readonly restarts: Restarts;
  /** Whether this is a process of one of our sessions, which must not play the daemon. */
  isInside(socket: Socket): boolean;
  /** Called when everything has ended on request. */
  finished(): void;
}

interface Entry {
  readonly session_id: string;
  readonly held: Held;
}

export class HolderProcess {
  #parts: HolderParts;
  #entries = new Map<number, Entry>();
  #nextHandle = 1;
  #daemon: Socket | undefined;
  /** Also while there is no daemon. */
  #unread: UnreadLimit | undefined;

  constructor(parts: HolderParts) {
    this.#parts = parts;
  }

  get count(): number {
    return this.#entries.size;
  }

  serve(socket: Socket): void {
    const frames = new FrameReader();
    const isInside = this.#parts.isInside(socket);
    socket.setNoDelay(true);
    socket.on("data", (chunk) => {
      try {
        for (const frame of frames.push(chunk)) {
          if (isInside) this.#refuse(socket, frame);
          else this.#frame(socket, frame);
        }
      } catch (error) {
        // This is not our daemon, or a broken one. It loses its connection, and no session loses its program.
        console.error(error);
        socket.destroy();
      }
    });
    // A daemon that was killed resets the connection; "close" follows in any case.
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#gone(socket));
  }

  /** Ends every session. */
  async closeAll(): Promise<void> {
    this.#parts.restarts.expectNone();
    await Promise.all([...this.#entries.values()].map(({ held }) => held.close()));
  }

  #gone(socket: Socket): void {
    if (this.#daemon !== socket) return;
    this.#daemon = undefined;
    this.#parts.restarts.lost();
    // The daemon that asked for a pause can no longer end it.
    for (const { held } of this.#entries.values()) held.bound(this.#unread);
  }

  #refuse(socket: Socket, frame: Frame): void {
    if (frame.kind !== "request") return;
    const hint = "Start duetty in a terminal that was not started from inside it.";
    const answer = fault("role.inside", "a process inside a session cannot be the daemon", hint);
    this.#send(socket, { kind: "answer", id: frame.id, answer });
  }

  #frame(socket: Socket, frame: Frame): void {
    switch (frame.kind) {
      case "write":
        this.#entries.get(frame.handle)?.held.write(frame.bytes, frame.number);
        return;
      case "answering":
        this.#entries.get(frame.handle)?.held.reply(frame.bytes, frame.to);
        return;
      case "request":
        this.#request(socket, frame.request).then(
          (answer) => this.#send(socket, { kind: "answer", id: frame.id, answer }),
          (error) => {
            const answer = shortageOf(error) ?? fault("internal", String(error), "This is a bug in the holder.");
            this.#send(socket, { kind: "answer", id: frame.id, answer });
          },
        );
        return;
      case "answer":
      case "event":
      case "grew":
        return;
      default:
        never(frame);
    }
  }

  async #request(socket: Socket, request: Request): Promise<Answer> {
    switch (request.op) {
      case "hello":
        return this.#hello(socket, request);
      case "leave":
        if (this.#daemon === socket) this.#parts.restarts.expectNone();
        return null;
      case "open":
        return this.#open(request);
      case "list":
        return [...this.#entries].map(([handle, entry]) => listed(handle, entry));
      case "shutdown":
        await this.closeAll();
        setImmediate(() => this.#parts.finished());
        return null;
      default:
        return this.#about(request);
    }
  }

  async #about(request: Exclude<Request, { op: "hello" | "leave" | "open" | "list" | "shutdown" }>): Promise<Answer> {
    const held = this.#entries.get(request.handle)?.held;
    // It ended a moment ago, and the event is on its way.
    if (!held) return null;
    switch (request.op) {
      case "resize":
        await held.resize(request.size);
        return null;
      case "keep_size":
        await held.keepSize();
        return null;
      case "flow":
        if (request.flow === "pause") held.pause();
        else if (request.flow === "hush") held.hush();
        else held.resume();
        return null;
      case "read":
        held.read(request.cursor, request.ahead);
        return null;
      case "signal":
        return held.signal(request.name);
      case "probe":
        if (request.only === "echo") return held.echo().then((echo) => ({ echo, foreground: null }));
        return request.only === "quick" ? held.quickProbe() : held.probe();
      case "retype":
        await held.retype();
        return null;
      case "type":
        return held.type(Buffer.from(request.base64, "base64"));
      case "drop_unread":
        return held.dropUnread();
      case "close":
        await held.close();
        return null;
      default:
        return never(request);
    }
  }

  #hello(socket: Socket, { protocol, start, unread }: Extract<Request, { op: "hello" }>): Answer {
    const { version } = this.#parts;
    if (protocol !== this.#parts.protocol) {
      const hint = "End the old sessions with the duetty that started them, or run: duetty shutdown";
      return fault(
        "version.mismatch",
        `the holder (${version}) speaks protocol ${this.#parts.protocol}, not ${protocol}`,
        hint,
      );
    }
    // The newest daemon wins. An older one that is still connected has lost its lock.
    if (this.#daemon !== socket) this.#daemon?.destroy();
    this.#daemon = socket;
    this.#parts.restarts.connected(start);
    this.#unread = unread;
    for (const { held } of this.#entries.values()) held.bound(unread);
    return { protocol, version, pid: process.pid };
  }

  #open(request: Extract<Request, { op: "open" }>): Answer {
    const full = refusesDescriptors() ?? refusesProcesses();
    if (full) return full;
    const handle = this.#nextHandle++;
    const { store, clock, spawn } = this.#parts;
    const files = store.files(request.session_id, "holder");
    const held = Held.open(request.command, { files, clock, spawn }, this.#tell(handle));
    if (isFault(held)) {
      files.close();
      return held;
    }
    held.bound(this.#unread);
    this.#entries.set(handle, { session_id: request.session_id, held });
    return { handle, pid: held.pid };
  }

  #tell(handle: number): HoldingEvents {
    const event = (event: Extract<Frame, { kind: "event" }>["event"]) => this.#toDaemon({ kind: "event", event });
    return {
      grew: (cursor) => this.#toDaemon({ kind: "grew", handle, cursor }),
      resized: (record) => event({ event: "resized", handle, record }),
      gap: (record) => event({ event: "gap", handle, record }),
      refused: (bytes) => event({ event: "refused", handle, bytes }),
      exited: (status, cursor, ts) => {
        this.#entries.delete(handle);
        event({ event: "exited", handle, status, cursor, ts });
      },
      lost: () => undefined,
    };
  }

  #toDaemon(frame: Frame): void {
    if (this.#daemon) this.#send(this.#daemon, frame);
  }

  #send(socket: Socket, frame: Frame): void {
    if (socket.writable) socket.write(encodeFrame(frame));
  }
}

function listed(handle: number, { session_id, held }: Entry): Listed {
  const { pid, cursor, answered, typed } = held;
  return { session_id, handle, pid, cursor, answered, typed };
}
