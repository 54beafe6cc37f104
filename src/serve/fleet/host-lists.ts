// What is known of one other machine: its sessions, questions and needs, as it told them last. They stay while it is away. Owns: asking
// again when it says that something changed. Refuses: to know the way there (remote-host.ts).
import { createHash } from "node:crypto";
import type * as z from "zod";
import { Cancel } from "../../core/base/cancellation.ts";
import type { Clock } from "../../core/base/clock.ts";
import type { ConcurrencyLimit } from "../../core/base/concurrency-limit.ts";
import { isFault } from "../../core/base/fault.ts";
import { placed } from "../../core/fleet/place.ts";
import { Approval } from "../../protocol/ops/gate.ts";
import { SessionInfo } from "../../protocol/ops/session.ts";
import type { Output } from "../../protocol/ops.ts";
import { placeOf } from "../../protocol/plain/host-place.ts";
import { Need } from "../../protocol/words/need.ts";
import type { HostNow, RemoteHost } from "./remote-host.ts";

export type Lists = Readonly<{
  sessions: Output<"pty_list">["sessions"];
  approvals: Output<"approvals">["approvals"];
  needs: Output<"needs">["needs"];
}>;

/** A machine that has not answered by then counts as quiet for this time; the next change asks again. */
const LISTS_MS_MAX = 10_000;
/** Nobody waits longer for one that is being connected to: most answer at once, and others may never. */
const COMING_MS = 5_000;
/** A machine whose screens change all the time is asked so often at most. */
const PACE_MS = 250;
/** One whose lists are long or come slowly is asked less often: they take a fifth of the time. */
const PACE_TIMES = 4;
/** One that is here and did not tell them is asked again, without news. */
const AGAIN_MS = 10_000;
/** Nobody waits longer for what a slow machine told. */
const PACE_MS_MAX = 10_000;

/** Faults of a machine that shows this one nothing, in words for people. */
const SHUT: ReadonlyMap<string, string> = new Map([
  ["fleet.not_allowed", "it does not let this machine in"],
  ["fleet.revoked", "this machine was put out of the fleet"],
  ["fleet.expired", "this machine's certificates have expired"],
]);

interface HostListsParts {
  readonly host: RemoteHost;
  readonly clock: Clock;
  /** Those of all machines: a thousand that were asked at once would all be too late. */
  readonly turns: ConcurrencyLimit;
  changed(): void;
}

export class HostLists {
  readonly host: RemoteHost;
  #parts: HostListsParts;
  #lists: Lists | undefined;
  /** The same as text: most news change nothing that is listed. */
  #text = "";
  #at: number | null = null;
  /** It answers, and tells this machine nothing. */
  #shut: { readonly why: string; readonly since: number } | undefined;
  /** It is being asked, or was a moment ago. */
  #isBusy = false;
  #again = false;
  #ends: (() => void)[];
  #isOver = false;
  #later: (() => void) | undefined;
  /** What is asked now. */
  #given: Cancel | undefined;

  constructor(parts: HostListsParts) {
    this.#parts = parts;
    this.host = parts.host;
    this.#ends = [
      this.host.onNews(() => this.refresh()),
      this.host.onReach(() => {
        parts.changed();
        if (this.host.now.reach === "here") this.refresh();
      }),
    ];
    if (this.host.now.reach === "here") this.refresh();
  }

  /** How it stands for whoever is shown its lists. */
  get now(): HostNow {
    const { now } = this.host;
    return this.#shut && now.reach === "here" ? { ...now, ...this.#shut, reach: "refused" } : now;
  }

  /** Undefined: it has not told yet, or tells no more. */
  get lists(): Lists | undefined {
    return this.#lists;
  }

  /** When it told them. */
  get toldAt(): number | null {
    return this.#at;
  }

  /** Whether these lists are what is so now. */
  get isCurrent(): boolean {
    return this.#lists !== undefined && this.now.reach === "here";
  }

  /** Whether more could come soon. */
  get isComing(): boolean {
    const { reach, why, since } = this.now;
    // One that was tried before without success is not waited for.
    const isFirst = reach === "connecting" && why === null;
    const isOnItsWay = this.#lists === undefined && (isFirst || reach === "here");
    return isOnItsWay && this.#parts.clock.now() - since < COMING_MS;
  }

  /** A request during another one, or right after it, is repeated later: the first answer may be older. */
  refresh(): void {
    if (this.#isBusy) {
      this.#again = true;
      return;
    }
    [this.#isBusy, this.#again] = [true, false];
    const { clock, turns } = this.#parts;
    let began = clock.monotonic();
    // Whatever another machine says, it ends nothing here: its lists stay as they were.
    const ask = () => {
      began = clock.monotonic();
      return this.#isOver ? Promise.resolve("shut" as const) : this.#ask();
    };
    const asked = turns.run(ask).catch(() => "failed" as const);
    void asked.then((outcome) => {
      const pause = Math.min(Math.max(PACE_MS, PACE_TIMES * (clock.monotonic() - began)), PACE_MS_MAX);
      clock.after(pause, () => {
        this.#isBusy = false;
        if (this.#again && !this.#isOver) this.refresh();
      });
      this.#later?.();
      if (outcome === "failed") this.#later = clock.after(AGAIN_MS, () => this.#isHere && this.refresh());
    });
  }

  close(): void {
    this.#isOver = true;
    this.#given?.end();
    this.#later?.();
    for (const end of this.#ends) end();
  }

  get #isHere(): boolean {
    return !this.#isOver && this.host.now.reach === "here";
  }

  async #ask(): Promise<"told" | "shut" | "failed"> {
    const { clock, changed } = this.#parts;
    const given = new Cancel();
    this.#given = given;
    const stop = clock.after(LISTS_MS_MAX, () => given.end());
    const told = await this.host.lists({ role: "person", actor: "person", surface: "page" }, given);
    stop();
    if (this.#isOver) return "shut";
    if (isFault(told)) {
      const shut = SHUT.get(told.code);
      if (shut !== undefined) this.#shutOut(shut);
      return shut === undefined ? "failed" : "shut";
    }
    this.#shut = undefined;
    // The other machine's version is ours, or the way there would have refused it.
    const { sessions = [], approvals = [], needs = [] } = readLists(told);
    const sides = { host: this.host.name, me: this.host.me };
    const host = this.host.name;
    const lists = placed({ sessions: sessions.map((one) => ({ ...one, host })), approvals, needs }, sides);
    const text = JSON.stringify(lists);
    const isNew = text !== this.#text || !this.#lists;
    [this.#lists, this.#text, this.#at] = [lists, text, clock.now()];
    if (isNew) changed();
    return "told";
  }

  /** Nobody here sees any more what it does not show. */
  #shutOut(why: string): void {
    if (why === this.#shut?.why) return;
    const { clock, changed } = this.#parts;
    this.#shut = { why, since: clock.now() };
    [this.#lists, this.#at] = [undefined, null];
    changed();
  }
}

/** More than anybody has on one machine, ended sessions among them. */
const LIST_MAX = 20_000;

/** Another machine's lists: what the page could not draw is left out, and what names something of a third machine. */
export function readLists(said: object): Partial<Lists> {
  const told: Readonly<Record<string, unknown>> = { ...said };
  const those = <T extends Named>(list: unknown, form: z.ZodType<T>): T[] | undefined =>
    Array.isArray(list)
      ? list
          .slice(0, LIST_MAX)
          .flatMap((one) => form.safeParse(one).data ?? [])
          .filter(isOwn)
      : undefined;
  const [sessions, approvals] = [those(told.sessions, SessionInfo), those(told.approvals, Approval)];
  const needs = those(told.needs, Need);
  return { ...(sessions && { sessions }), ...(approvals && { approvals }), ...(needs && { needs }) };
}

type Named = Readonly<{ session_id: string | null; approval_id?: string | undefined }>;

/** Whose it is stands in its ids, so it has one. */
function isOwn({ session_id, approval_id }: Named): boolean {
  const ids = [session_id, approval_id].filter((id) => typeof id === "string");
  return ids.length > 0 && ids.every((id) => placeOf(id) === undefined);
}

interface Yes {
  readonly approval_id?: unknown;
  readonly shown?: unknown;
}

/**
 * A yes to another machine says which text was shown: what that machine told us last, unless whoever answers says it. Nothing: nobody
 * here was shown that question. That machine then says why the yes does not count.
 */
export function shownAt({ lists }: HostLists, { approval_id, shown }: Yes): { readonly shown?: string } {
  if (typeof shown === "string") return { shown };
  const known = lists?.approvals.find((one) => one.approval_id === approval_id);
  return known ? { shown: hashOfShown(known.text) } : {};
}

export function hashOfShown(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
