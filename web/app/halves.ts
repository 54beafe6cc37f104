// The sessions that are shown, each with a page of its own. Owns: their streams, from when one is shown until it is not and its keys
// have arrived. The one in the address usually exists, so its stream begins while the list is still loading.
import { type Accessor, createEffect, createMemo, createRoot, mapArray, on, onCleanup } from "solid-js";
import type { SessionInfo } from "../../src/protocol/ops/session.ts";
import { createCurrentApproval } from "../approvals/current.ts";
import type { ActionsPage, Half, PageState, ShownSession } from "./page-state.ts";
import { createShownSession } from "./shown-session.ts";

/** A phone only watches, because its size would shrink everybody's screen. */
const SMALL = "(max-width: 699px)";
/** A connection that is away for so long is away for good. Keys that arrive later would surprise everybody. */
const LEFT_MS_MAX = 600_000;

interface HalvesParts {
  /** The whole page. */
  readonly page: ActionsPage;
  /** No session is shown before the page knows how much room there is. */
  readonly isLaidOut: Accessor<boolean>;
  /** The session whose past is shown. */
  readonly replayed: Accessor<string | undefined>;
  /** A file was opened in a session of its own. */
  onOpened(session: SessionInfo): void;
}

export function createHalves(parts: HalvesParts): Accessor<readonly Half[]> {
  const { layout, route, toasts, approvals, sessions } = parts.page;
  const left = new Map<string, ShownSession>();
  const told = { onOpened: parts.onOpened, onStale: () => void sessions.refresh() };
  const make = (id: string) => {
    const sizing = window.matchMedia(SMALL).matches ? "watch" : "follow";
    // It may outlive this choice of a session.
    return createRoot(() => createShownSession(id, { toasts, approvals, sizing, ...told }));
  };
  const leave = async (own: ShownSession) => {
    left.set(own.id, own);
    await Promise.race([own.settled(), new Promise((resolve) => setTimeout(resolve, LEFT_MS_MAX))]);
    if (left.get(own.id) !== own) return;
    left.delete(own.id);
    own.dispose();
  };
  const isEarly = (id: string) => sessions.reach() === "loading" && route.selected() === id;
  const isKnown = (id: string) => isEarly(id) || sessions.find(id) !== undefined;
  return createMemo(
    mapArray(
      () => layout.visible().filter(isKnown),
      (id) => {
        const own = left.get(id) ?? make(id);
        left.delete(id);
        onCleanup(() => void leave(own));
        return halfOf(own, parts);
      },
    ),
  );
}

function halfOf(own: ShownSession, { isLaidOut, replayed, page: whole }: HalvesParts): Half {
  const { id } = own;
  const info = createMemo(() => whole.sessions.find(id));
  const shown = createMemo(() => (isLaidOut() && info() ? own : undefined));
  createEffect(() => {
    const now = info();
    if (now) shown()?.onInfo({ ...now });
  });
  // While the page says that a machine is away, no key goes there. One that is back need not wait for the next try.
  const away = createMemo(() => whole.hosts.awayOf(id) !== undefined);
  createEffect(on(away, (is) => (is ? own.live.rest() : own.live.hurry()), { defer: true }));
  const { route, layout } = whole;
  const isHere = () => route.selected() === id;
  const half: Partial<PageState> = {
    isHere,
    info,
    shown,
    replaying: () => replayed() === id,
    route: {
      ...route,
      selected: () => id,
      view: () => (isHere() ? route.view() : "session"),
      block: () => (isHere() ? route.block() : undefined),
    },
    currentApproval: createCurrentApproval(whole.approvals, () => id, {
      visible: layout.visible,
      isFirst: () => layout.visible()[0] === id,
    }),
  };
  return { id, shown, page: Object.create(whole, Object.getOwnPropertyDescriptors(half)) };
}
