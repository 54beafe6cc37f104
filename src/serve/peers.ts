// Where a connection comes from, as the kernel tells: a process that descends from a session, a run or a hosted agent is
// inside, whatever it shows. Looks once per connection. Refuses: to judge what it shows (auth.ts).
import type { Socket } from "node:net";
import { lineageOf } from "../host/peer/lineage.ts";
import { peerPid } from "../host/peer/peer.ts";
import { agentNameIn } from "../protocol/plain/agent-name.ts";
import { hostedIn, isHosted, markerIn, runMarker } from "./markers.ts";

export type Origin =
  | { readonly is: "outside" }
  /** `agent`: whose session or process tree it is in, when an agent's and still known. */
  | { readonly is: "inside"; readonly agent: string | null }
  /** Nobody can tell which process it is. */
  | { readonly is: "unseen" };

interface PeersParts {
  readonly homeDir: string;
  readonly holderPid: number;
  /** What a process of another user counts as, when it brings a person's token or cookie. */
  readonly hidden: "agent" | "person";
  /** Who opened a session of ours, running or ended: person or agent:NAME. */
  openerOf(session_id: string): string | undefined;
}

export class Peers {
  #parts: PeersParts;
  #known = new WeakMap<Socket, Origin>();

  constructor(parts: PeersParts) {
    this.#parts = parts;
  }

  /** The answer stays: a process cannot come from elsewhere later, and its pid may be another's by then. */
  of(socket: Socket): Origin {
    const known = this.#known.get(socket) ?? this.#look(socket);
    this.#known.set(socket, known);
    return known;
  }

  #look(socket: Socket): Origin {
    const pid = peerPid(socket);
    if (pid === "hidden" && this.#parts.hidden === "person") return { is: "outside" };
    const lineage = typeof pid === "number" ? lineageOf(pid) : null;
    if (!lineage) return { is: "unseen" };
    const descends = lineage.some((row) => row.pid === this.#parts.holderPid || row.pid === process.pid);
    // Processes of a run that outlived an earlier daemon have lost their parents, but not their environment.
    const owners = lineage.flatMap((row) => this.#ownersIn(row.environ().split("\0")));
    if (!descends && owners.length === 0) return { is: "outside" };
    return { is: "inside", agent: agentNameIn(owners[0] ?? "") ?? null };
  }

  /** Who started what this environment belongs to, when it is of this home: a session, a hosted agent or a run. */
  #ownersIn(environment: readonly string[]): string[] {
    const mark = markerIn(environment);
    if (mark === undefined) return [];
    const { homeDir, openerOf } = this.#parts;
    if (isHosted(environment, homeDir)) return [`agent:${hostedIn(mark)}`];
    const opener = mark === runMarker(homeDir) ? "somebody" : openerOf(mark);
    return opener === undefined ? [] : [opener];
  }
}
