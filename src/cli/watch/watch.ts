// `duetty watch`: a line for each change, until the person or the reader has enough. A daemon that begins again is found, and what
// changed meanwhile is told after a line that says "resumed".
import { setTimeout as pause } from "node:timers/promises";
import { CallError, type Client, clientOver, isAbsent } from "../../client/client.ts";
import { isRunning, unixTransport } from "../../client/local.ts";
import { EXIT } from "../../protocol/plain/exit.ts";
import type { Home } from "../../protocol/plain/home.ts";
import { placeOf } from "../../protocol/plain/host-place.ts";
import type { Transition } from "../../protocol/words/transition.ts";
import { connected, findSession } from "../connect.ts";
import { identityFrom } from "../identity.ts";
import { parseLocal } from "../local-args.ts";
import { aside, json, line } from "../text/output.ts";
import { Known, type Missed } from "./known.ts";
import { timeOf, WatchLines } from "./lines.ts";

/** Between two looks whether a daemon is there again. The holder starts one within a second. */
const RETRY_MS = 250;
/** More commands than these in the time of a restart are not listed. */
const BLOCKS_MAX = 1_000;

/** What the watch itself does, in the shape of what it tells. */
interface Course {
  readonly ts: number;
  readonly kind: "watch";
  readonly session_id: string | null;
  readonly from: string | null;
  readonly to: "began" | "resumed";
}

const SAYS: Readonly<Record<Course["to"], string>> = {
  began: "watching; Ctrl+C ends",
  resumed: "duetty began again; what changed meanwhile:",
};

export async function watch(home: Home, words: string[]): Promise<number> {
  const { values, positionals } = parseLocal("watch", words);
  const client = clientOver(connected(home, undefined));
  const session_id = positionals[0] === undefined ? undefined : (await findSession(client, positionals[0])).session_id;
  const lines = new WatchLines();
  const put = (one: Transition | Course) => {
    if (values.json) return json(one);
    const text = one.kind === "watch" ? `${timeOf(one.ts)}  ${SAYS[one.to]}` : lines.of(one, process.stdout.columns);
    if (text !== undefined) line(text);
  };
  const leave = new AbortController();
  process.once("SIGINT", () => leave.abort());
  const followed = new Follower(home, session_id, put, leave.signal);
  await followed.follow(client);
  return EXIT.ok;
}

type Put = (one: Transition | Course) => void;

class Follower {
  #home: Home;
  #session_id: string | undefined;
  #put: Put;
  #left: AbortSignal;
  #known = new Known();
  #cursor: string | undefined;
  #began = false;

  constructor(home: Home, session_id: string | undefined, put: Put, left: AbortSignal) {
    [this.#home, this.#session_id, this.#put, this.#left] = [home, session_id, put, left];
  }

  async follow(first: Client): Promise<void> {
    let client = first;
    while (!this.#left.aborted) {
      try {
        await this.#ask(client);
      } catch (error) {
        if (this.#left.aborted) return;
        if (!isLost(error)) throw error;
        // A daemon that was shut down with everything is not started again by somebody who only looks.
        if (!(await isRunning(this.#home))) return aside("duetty was shut down");
        await pause(RETRY_MS);
        client = clientOver(
          unixTransport(this.#home, () => ({ ...identityFrom(this.#home, undefined), surface: "cli" })),
        );
      }
    }
  }

  async #ask(client: Client): Promise<void> {
    const session_id = this.#session_id;
    const asked = { ...(this.#cursor ? { cursor: this.#cursor } : {}), ...(session_id ? { session_id } : {}) };
    const { cursor, transitions, now } = await client.watch(asked, { signal: this.#left });
    if (now) await this.#stands(client, now);
    for (const one of transitions) this.#tell(this.#known.heard(one));
    this.#cursor = cursor;
  }

  async #stands(client: Client, now: readonly Transition[]): Promise<void> {
    const to = this.#began ? ("resumed" as const) : ("began" as const);
    const all = this.#began ? await this.#known.caughtUp(now, missedOver(client)) : [];
    if (!this.#began) for (const one of now) this.#known.heard(one);
    const from = this.#began ? "lost" : null;
    this.#began = true;
    this.#put({ ts: Date.now(), kind: "watch", session_id: this.#session_id ?? null, from, to });
    for (const one of all) this.#tell(one);
  }

  #tell(one: Transition | undefined): void {
    if (one) this.#put(one);
  }
}

function missedOver(client: Client): Missed {
  return {
    session: async (session_id) => {
      const host = placeOf(session_id)?.host;
      const { sessions } = await client.pty_list(host === undefined ? {} : { host });
      return sessions.find((session) => session.session_id === session_id);
    },
    blocks: async (session_id) => (await client.blocks({ session_id, limit: BLOCKS_MAX })).blocks,
  };
}

/** The last one: the machine that the session is on. */
const LOST: ReadonlySet<string> = new Set(["daemon.lost", "host.gone"]);

/** No daemon is there now, or it went while it was asked. */
function isLost(error: unknown): boolean {
  return isAbsent(error) || (error instanceof CallError && LOST.has(error.code));
}
