// Sessions that ended with the machine, as the daemon offers them. Owns: the list, and whether the person put it off.
import { type Accessor, createEffect, createSignal, on } from "solid-js";
import type { Lost } from "../../src/protocol/ops/reopen.ts";
import type { PageState } from "../app/page-state.ts";
import { call, isFault } from "../wire/api.ts";

interface LostSessions {
  /** What is shown: nothing after the person has put it off. */
  readonly offers: Accessor<readonly Lost[]>;
  readonly isBusy: Accessor<boolean>;
  /** Without one: all that need no question of their own. */
  start(one?: Lost): Promise<void>;
  forget(one: Lost): Promise<void>;
  later(): void;
}

export function createLost({ sessions, toasts, route, select }: PageState): LostSessions {
  const [offers, setOffers] = createSignal<readonly Lost[]>([]);
  const [isBusy, setBusy] = createSignal(false);
  const [isLater, setLater] = createSignal(false);

  async function look(): Promise<void> {
    const answer = await call("restore", {});
    if (!isFault(answer)) setOffers(answer.sessions);
  }
  // Others restore, too; and a holder may die while we look.
  createEffect(on(() => sessions.ended().length + sessions.running().length, look));

  async function act(what: "start" | "forget", one?: Lost): Promise<void> {
    if (isBusy()) return;
    setBusy(true);
    const here = route.selected();
    const answer = await call("restore", { do: what, ...(one ? { sessions: [one.session_id] } : {}) });
    setBusy(false);
    if (isFault(answer)) toasts.fault(answer);
    await Promise.all([look(), sessions.refresh()]);
    const back = isFault(answer) ? null : answer.sessions.find(({ restored_as }) => restored_as !== null)?.restored_as;
    // Whoever asked for one wants to see it, unless they went elsewhere meanwhile.
    const now = route.selected();
    const isFree = one ? here === undefined || now === here : now === undefined;
    if (back && isFree) select(back);
  }

  return {
    offers: () => (isLater() ? [] : offers()),
    isBusy,
    start: (one) => act("start", one),
    forget: (one) => act("forget", one),
    later: () => setLater(true),
  };
}
