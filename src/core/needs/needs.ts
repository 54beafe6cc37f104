// What needs a person, over all sessions: the one list. Owns: the list, and which ends a person has not seen. It looks only at
// sessions of which it heard something. Refuses: to notify anybody (it says what is new), and to decide what is a need (need.ts).
import type { Need } from "../../protocol/words/need.ts";
import type { Clock } from "../base/clock.ts";
import type { Approval } from "../gate/approvals.ts";
import { approvalNeed, type Found, isOfTurn, type NeedFacts, type NeedRule, needOf } from "./need.ts";

/** Several things change at once when an agent asks. One look sees them all, and a person notices no delay. */
const LOOK_MS = 50;
/** What is gone and back within this time is the same need: a screen that is drawn anew, for example. */
const SAME_AGAIN_MS = 3_000;
/** After a restart a session needs a while until it is known what it waits for. Until then it needs what it needed. */
export const WAKING_MS = 15_000;
/** A program may say something else all the time. So often a person hears of one session, and the newest words stand in the list. */
const PACE_MS = 10_000;
/** At most so often the list is kept on the disk. */
const KEEP_MS = 500;

/** What an agent's turn ends with. */
const REST: ReadonlySet<string> = new Set(["idle", "done", "unknown"]);

/** What a daemon leaves to the next one. */
export interface KeptNeeds {
  readonly found: readonly KeptNeed[];
  /** The sessions that ran. One that does not any more ended while nobody looked. */
  readonly live: readonly string[];
}

interface KeptNeed {
  readonly need: Need;
  readonly content: string;
}

type Facts = Omit<NeedFacts, "isEndNew">;

interface NeedsParts {
  readonly clock: Clock;
  readonly rule: NeedRule;
  readonly kept: KeptNeeds;
  /** Undefined: there is no such session. */
  facts(session_id: string): Facts | undefined;
  pending(): readonly Approval[];
  keep(kept: KeptNeeds): void;
}

export interface NeedsChange {
  readonly opened: readonly Need[];
  /** Those of them of which nobody was told yet. */
  readonly news: readonly Need[];
  readonly settled: readonly Need[];
}

export class Needs {
  #parts: NeedsParts;
  #changed: (change: NeedsChange) => void;
  #began: number;
  #wakingUntil: number;
  #asked: readonly Need[] = [];
  #found: Map<string, KeptNeed>;
  /** What was needed a moment ago, by its content. */
  #gone = new Map<string, { readonly need: Need; readonly at: number }>();
  /** What was told last, by session and kind. */
  #told = new Map<string, { readonly one: KeptNeed; readonly at: number }>();
  /** Sessions of which there may be more to tell. */
  #pacedIds = new Set<string>();
  #live: Set<string>;
  /** Sessions that ran or had ended unseen when the daemon before this one ended. */
  #left: Set<string>;
  #touched: Set<string>;
  #list: readonly Need[];
  #isLooking = false;
  #cancelLook: (() => void) | undefined;
  #cancelKeep: (() => void) | undefined;
  #cancelWaking: (() => void) | undefined;
  #cancelPace: (() => void) | undefined;

  constructor(parts: NeedsParts, changed: (change: NeedsChange) => void) {
    [this.#parts, this.#changed] = [parts, changed];
    const { clock, kept } = parts;
    [this.#began, this.#wakingUntil] = [clock.now(), clock.monotonic() + WAKING_MS];
    this.#found = new Map(kept.found.map((one) => [one.need.session_id ?? "", one]));
    this.#live = new Set(kept.live);
    this.#left = new Set([...this.#live, ...this.#found.keys()]);
    this.#touched = new Set(this.#left);
    this.#list = [...this.#found.values()].map(({ need }) => need);
    if (this.#left.size > 0)
      this.#cancelWaking = clock.after(WAKING_MS, () => {
        for (const id of this.#found.keys()) this.touched(id);
      });
  }

  /** Something of this session changed, or a person looked at it. */
  touched(session_id: string): void {
    this.#touched.add(session_id);
    this.#lookSoon();
  }

  /** A question was asked or settled. */
  asked(): void {
    this.#lookSoon();
  }

  /** The oldest first. */
  list(): readonly Need[] {
    this.#look();
    return this.#list;
  }

  stop(): void {
    this.#cancelLook?.();
    this.#cancelWaking?.();
    this.#cancelPace?.();
    if (this.#cancelKeep) this.#keep();
  }

  #lookSoon(): void {
    this.#cancelLook ??= this.#parts.clock.after(LOOK_MS, () => this.#look());
  }

  #look(): void {
    // Whoever is told may ask for the list.
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#cancelLook?.();
    this.#cancelLook = undefined;
    const touched = [...this.#touched];
    this.#touched.clear();
    const lived = this.#live.size;
    for (const id of touched) this.#lookAt(id);
    this.#asked = this.#parts.pending().map((approval) => this.#question(approval));
    const before = this.#list;
    this.#list = [...this.#asked, ...[...this.#found.values()].map(({ need }) => need)].sort(
      (a, b) => a.since - b.since,
    );
    this.#isLooking = false;
    const isSame = JSON.stringify(before) === JSON.stringify(this.#list);
    if (!isSame || lived !== this.#live.size) this.#keepSoon();
    if (!isSame) this.#tell(changeOf(before, this.#list));
  }

  #tell(change: Omit<NeedsChange, "news">): void {
    const at = this.#parts.clock.monotonic();
    for (const [key, told] of this.#told) if (at - told.at > PACE_MS && !this.#isOpen(told.one)) this.#told.delete(key);
    const news = change.opened.filter((need) => {
      const one = need.kind === "approval" ? undefined : this.#found.get(need.session_id ?? "");
      const key = `${need.session_id} ${need.kind}`;
      if (!one) return true;
      const isNew = this.#told.get(key)?.one.need.tag !== need.tag;
      if (isNew) this.#told.set(key, { one, at });
      return isNew;
    });
    this.#changed({ ...change, news });
  }

  #isOpen({ need }: KeptNeed): boolean {
    return this.#found.get(need.session_id ?? "")?.need.tag === need.tag;
  }

  #lookAt(id: string): void {
    const facts = this.#parts.facts(id);
    if (!facts) {
      this.#found.delete(id);
      this.#live.delete(id);
      return;
    }
    const { ended_at, state } = facts.info;
    const isOver = ended_at !== null || state === "lost";
    if (isOver) this.#live.delete(id);
    else this.#live.add(id);
    const isEndNew = this.#left.has(id) || (ended_at ?? 0) >= this.#began;
    if (!isOver && this.#isSameTurn(facts)) return;
    const next = needOf({ ...facts, isEndNew }, this.#parts.rule);
    if (next) return this.#take(id, next);
    if (isOver) this.#left.delete(id);
    else if (this.#isWaking(id)) return;
    const was = this.#found.get(id);
    this.#found.delete(id);
    if (was) this.#note(was);
  }

  /** Its need is of the daemon before this one. It is known in a while whether it still waits. */
  #isWaking(id: string): boolean {
    const was = this.#found.get(id);
    const { clock } = this.#parts;
    if (!was || was.need.since >= this.#began || clock.monotonic() >= this.#wakingUntil) return false;
    return isOfTurn(was) || (was.need.kind !== "done" && was.need.kind !== "failed");
  }

  /** That a turn ended is not seen again after a restart. */
  #isSameTurn({ info, seenAt }: Facts): boolean {
    const was = this.#found.get(info.session_id);
    const isAtRest = REST.has(info.agent_state?.state ?? "");
    return isAtRest && was !== undefined && isOfTurn(was) && was.need.since < this.#began && seenAt < this.#began;
  }

  #take(id: string, { need, content }: Found): void {
    const { clock } = this.#parts;
    const was = this.#found.get(id);
    const gone = this.#gone.get(content);
    const back = gone && clock.monotonic() - gone.at <= SAME_AGAIN_MS ? gone.need : undefined;
    const same = was?.content === content ? was.need : back;
    const paced = same ? undefined : this.#paced(id, need.kind);
    const { since, tag } = same ?? paced?.need ?? { since: need.since || clock.now(), tag: undefined };
    const next = {
      content: paced?.content ?? content,
      need: { ...need, since, tag: tag ?? `${need.kind} ${id} ${since}` },
    };
    this.#found.set(id, next);
    if (was && was.content !== next.content) this.#note(was);
  }

  /** What a person has just heard of it. It is looked at again when there may be more. */
  #paced(id: string, kind: Need["kind"]): KeptNeed | undefined {
    const { clock } = this.#parts;
    const told = this.#told.get(`${id} ${kind}`);
    const left = told ? told.at + PACE_MS - clock.monotonic() : 0;
    if (!told || left <= 0) return undefined;
    this.#pacedIds.add(id);
    this.#cancelPace ??= clock.after(left, () => {
      this.#cancelPace = undefined;
      for (const one of this.#pacedIds) this.touched(one);
      this.#pacedIds.clear();
    });
    return told.one;
  }

  #note({ need, content }: KeptNeed): void {
    const at = this.#parts.clock.monotonic();
    for (const [old, gone] of this.#gone) if (at - gone.at > SAME_AGAIN_MS) this.#gone.delete(old);
    this.#gone.set(content, { need, at });
  }

  #question(approval: Approval): Need {
    const info = approval.session_id === null ? undefined : this.#parts.facts(approval.session_id)?.info;
    return approvalNeed(approval, info, this.#parts.rule.hide);
  }

  #keepSoon(): void {
    this.#cancelKeep ??= this.#parts.clock.after(KEEP_MS, () => this.#keep());
  }

  #keep(): void {
    this.#cancelKeep?.();
    this.#cancelKeep = undefined;
    this.#parts.keep({ found: [...this.#found.values()], live: [...this.#live] });
  }
}

function changeOf(before: readonly Need[], now: readonly Need[]): Omit<NeedsChange, "news"> {
  const missing = (from: readonly Need[], all: readonly Need[]) => {
    const tags = new Set(all.map(({ tag }) => tag));
    return from.filter(({ tag }) => !tags.has(tag));
  };
  return { opened: missing(now, before), settled: missing(before, now) };
}
