// Where a connection comes from, as the kernel tells: a process that descends from a session, a run or a hosted agent is
// inside, whatever it shows. Looks once per connection, when it is made. Refuses: to judge what it shows (auth.ts).
import type { Socket } from "node:net";
import { networkInterfaces } from "node:os";
import type { Meta } from "../core/journal/store.ts";
import { lineageOf } from "../host/peer/lineage.ts";
import { isOthersEnd, peerPid } from "../host/peer/peer.ts";
import { plainAddress } from "../host/peer/tcp.ts";
import { type ProcessRow, processRow } from "../host/process/table.ts";
import { agentNameIn } from "../protocol/plain/agent-name.ts";
import { hostedIn, isHosted, markerIn, runMarker } from "./markers.ts";

export type Origin =
  | { readonly is: "outside" }
  /**
   * `agent`: whose session or process tree it is in, when an agent's and still known. `session`: the running one whose process it is,
   * when the kernel can tell.
   */
  | { readonly is: "inside"; readonly agent: string | null; readonly session?: string }
  /** Nobody can tell which process it is. */
  | { readonly is: "unseen" };

interface PeersParts {
  readonly homeDir: string;
  /** Our own when terminals live in this process, which may have children of another kind. */
  readonly holderPid: number;
  /** What a process of another user counts as, when it brings a person's token or cookie. */
  readonly hidden: "agent" | "person";
  /** Whether this is a session of ours, running or ended. */
  isSession(id: string): boolean;
  /** Whether one of these is a command that runs with plain pipes. */
  isRun(pids: readonly number[]): boolean;
  /** The running session whose program is among these. */
  sessionOf(pids: readonly number[]): Pick<Meta, "session_id" | "actor" | "agent"> | undefined;
}

export class Peers {
  #parts: PeersParts;
  #known = new WeakMap<Socket, Origin>();

  constructor(parts: PeersParts) {
    this.#parts = parts;
  }

  /** A connection was made. Its process may end, and its number be another's, before it says anything. */
  met(socket: Socket): void {
    try {
      this.of(socket);
    } catch {
      // Out of descriptors, for example. Whoever asks for it looks again, and is told.
    }
  }

  /** The answer stays: a process cannot come from elsewhere later, and its pid may be another's by then. */
  of(socket: Socket): Origin {
    const known = this.#known.get(socket) ?? this.#look(socket);
    this.#known.set(socket, known);
    return known;
  }

  #look(socket: Socket): Origin {
    if (isElsewhere(socket.remoteAddress)) return { is: "outside" };
    const pid = peerPid(socket);
    if (pid === "hidden" && this.#parts.hidden === "person") return { is: "outside" };
    const lineage = typeof pid === "number" ? lineageOf(pid) : null;
    if (!lineage) return { is: "unseen" };
    const top = lineage.findIndex(({ pid }) => pid === this.#parts.holderPid || pid === process.pid);
    if (top >= 0) return this.#inside(lineage.slice(0, top), lineage[top]);
    // Processes of a run that outlived an earlier daemon have lost their parents, but not their environment.
    if (this.#areMarked(lineage)) return { is: "inside", agent: null };
    return { is: this.#parts.hidden === "agent" && isOthersEnd(socket) ? "unseen" : "outside" };
  }

  /** Only what we started ourselves tells a name: a process below it may write anything into its environment. */
  #inside(below: readonly ProcessRow[], starter: ProcessRow | undefined): Origin {
    const unknown = { is: "inside", agent: null } as const;
    const { holderPid, homeDir, isRun, sessionOf } = this.#parts;
    const pids = below.map(({ pid }) => pid);
    const session = starter?.pid === holderPid ? sessionOf(pids) : undefined;
    const isKnown = session !== undefined || isRun(pids) || this.#areMarked(below);
    if (holderPid === process.pid && !isKnown && isHosts(below[0])) return { is: "outside" };
    const first = below.at(-1);
    if (!first || !starter) return unknown;
    if (starter.pid === holderPid) {
      if (!session) return unknown;
      const agent = session.agent ?? agentNameIn(session.actor) ?? null;
      return { is: "inside", agent, session: session.session_id };
    }
    const environment = first.environ().split("\0");
    return isHosted(environment, homeDir) ? { ...unknown, agent: hostedIn(markerIn(environment) ?? "") } : unknown;
  }

  #areMarked(lineage: readonly ProcessRow[]): boolean {
    return lineage.some((row) => this.#isMarked(row.environ().split("\0")));
  }

  /** Whether an environment is that of a session, a hosted agent or a run of this home. */
  #isMarked(environment: readonly string[]): boolean {
    const mark = markerIn(environment);
    if (mark === undefined) return false;
    const { homeDir, isSession } = this.#parts;
    return isSession(mark) || mark === runMarker(homeDir) || isHosted(environment, homeDir);
  }
}

/**
 * Whether a process below us is the doing of the program that has us in it. Terminals, runs and git each begin a session of the
 * kernel's, and nobody can join one: who shares ours came from none of them, not even by leaving its parents.
 */
function isHosts(peer: ProcessRow | undefined): boolean {
  return peer === undefined || peer.session === processRow(process.pid)?.session;
}

/** Whether this is the address of another machine. Undefined: the unix socket. */
function isElsewhere(address: string | undefined): boolean {
  if (address === undefined) return false;
  const plain = plainAddress(address);
  if (plain === "::1" || plain.startsWith("127.")) return false;
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  return !own.some((one) => one.address === plain);
}
