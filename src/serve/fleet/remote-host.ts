// Port: another machine with duetty, whichever way leads there. Types only.
import type { SocketLike } from "../../client/connection.ts";
import type { Surface } from "../../core/base/advice.ts";
import type { Cancelled } from "../../core/base/cancellation.ts";
import type { Fault } from "../../core/base/fault.ts";

/** quiet: it has said nothing for a while. gone: it is known to be away. refused: it answers, and we cannot work together. */
export type Reach = "connecting" | "here" | "quiet" | "gone" | "refused";

export interface HostNow {
  readonly reach: Reach;
  /** Why it is not here, in a sentence. */
  readonly why: string | null;
  /** Since when, in our own time. */
  readonly since: number;
  readonly version: string | null;
}

/** For whom something is asked of it: a person here, or an agent here. */
export interface Asker {
  readonly role: "person" | "agent";
  /** person, or agent:NAME. */
  readonly actor: string;
  readonly masked?: true | undefined;
  readonly surface?: Surface | undefined;
  readonly connection?: string | undefined;
  readonly approvalWaitMs?: number | undefined;
}

/** A terminal's socket there. It brings no more than a window above what was taken. */
export interface FarSocket extends SocketLike {
  /** So many bytes of its messages have gone on to whoever looks. */
  taken(bytes: number): void;
}

export interface RemoteHost {
  readonly name: string;
  readonly way: "ssh" | "nats";
  /** Where it is, for people. */
  readonly address: string;
  /** What it calls this machine. */
  readonly me: string;
  readonly now: HostNow;
  /** Performs one operation there. */
  call(op: string, input: object, asker: Asker, cancelled: Cancelled): Promise<object | Fault>;
  /** Its sessions, questions and needs. */
  lists(asker: Asker, cancelled: Cancelled): Promise<object | Fault>;
  /** A terminal's socket there. */
  open(session_id: string, query: URLSearchParams, asker: Asker): FarSocket;
  /** Where it stands has changed. Returns the end of listening. */
  onReach(run: () => void): () => void;
  /** Something changed there: its lists may differ. */
  onNews(run: () => void): () => void;
  /** Tries again now. */
  hurry(): void;
  close(): Promise<void>;
}
