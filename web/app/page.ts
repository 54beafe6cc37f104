// Everything the page knows, in one place: sessions, selection, questions, what is open, the one session that is shown.
// Owns: what a person's choice leads to. Refuses: to draw.
import { type Accessor, createEffect, createMemo, createSignal, on, onCleanup } from "solid-js";
import type { SessionInfo } from "../../src/protocol/ops/session.ts";
import { type Actions, createActions } from "../actions/actions.ts";
import { pageActions } from "../actions/page.ts";
import { listenForKeys } from "../actions/shortcuts.ts";
import { createStopping, type Stopping } from "../agent/stopping.ts";
import { type CurrentApproval, createCurrentApproval } from "../approvals/current.ts";
import { type ApprovalQueue, createApprovals } from "../approvals/queue.ts";
import { createSearch, type Search } from "../search/search.ts";
import { labelOf } from "../sessions/labels.ts";
import { createRoute, type Route } from "../sessions/route.ts";
import { createSessions, type Sessions } from "../sessions/sessions.ts";
import { type Appearance, createAppearance } from "../settings/appearance.ts";
import { createSettings, type SettingsStore } from "../settings/settings.ts";
import { call, isFault } from "../wire/api.ts";
import { listenForNews } from "../wire/news.ts";
import { notifyPerson } from "./notify.ts";
import { createShownSession, type ShownSession } from "./shown-session.ts";
import { createToasts, type Toasts } from "./toasts.ts";

export type Flap = "open" | "shut";
/** What lies over the page; one at a time. */
export type Overlay = "none" | "palette" | "settings" | "search" | "new_session" | "keys";

export interface PageState extends Stopping {
  readonly sessions: Sessions;
  readonly route: Route;
  readonly appearance: Appearance;
  readonly settings: SettingsStore;
  readonly toasts: Toasts;
  readonly approvals: ApprovalQueue;
  /** The question in front of the person. */
  readonly currentApproval: CurrentApproval;
  /** What stands in the prompt of a session, by its id, while another one is shown. */
  readonly drafts: Map<string, string>;
  readonly actions: Actions;
  /** The session that is shown, with all that belongs to it. */
  readonly shown: Accessor<ShownSession | undefined>;
  /** The selected session, if the daemon has it. */
  readonly info: Accessor<SessionInfo | undefined>;
  readonly search: Search;
  /** The agent's pane where it has no column of its own. */
  readonly sheet: Accessor<Flap>;
  setSheet(sheet: Flap): void;
  isPaneShown(): boolean;
  togglePane(): void;
  readonly drawer: Accessor<Flap>;
  setDrawer(drawer: Flap): void;
  readonly overlay: Accessor<Overlay>;
  setOverlay(overlay: Overlay): void;
  /** The past is shown instead of the present. */
  readonly replaying: Accessor<boolean>;
  setReplaying(replaying: boolean): void;
  select(id: string): void;
  end(id: string): Promise<void>;
  /** Where typing goes now: the prompt, or the program. */
  focus(): void;
}

/** A phone watches: its size would damage what everybody else sees. */
const SMALL = "(max-width: 699px)";
/** As in the style sheet: no column for the agent's pane. */
const NARROW = "(max-width: 1080px)";

export function createPage(): PageState {
  const [sessions, route, toasts] = [createSessions(), createRoute(), createToasts()];
  const approvals = createApprovals(toasts.fault);
  const [drawer, setDrawer] = createSignal<Flap>("shut");
  const [sheet, setSheet] = createSignal<Flap>("shut");
  const [overlay, setOverlay] = createSignal<Overlay>("none");
  const [replaying, setReplaying] = createSignal(false);
  const info = createMemo(() => sessions.find(route.selected() ?? ""));
  const wanted = () => (sessions.reach() === "loading" ? route.selected() : info()?.session_id);
  const shown = createShown(wanted, info, { toasts, approvals, stale: () => void sessions.refresh() });
  const page: PageState = {
    ...{
      sessions,
      route,
      toasts,
      approvals,
      shown,
      info,
      sheet,
      setSheet,
      drawer,
      setDrawer,
      overlay,
      setOverlay,
      replaying,
      setReplaying,
    },
    appearance: createAppearance(),
    settings: createSettings(),
    ...createStopping(shown, approvals, toasts.fault),
    currentApproval: createCurrentApproval(approvals, () => info()?.session_id),
    search: createSearch(() => info()?.session_id),
    isPaneShown: () => (window.matchMedia(NARROW).matches ? sheet() : page.settings.now.pane) === "open",
    togglePane() {
      const flap = page.isPaneShown() ? "shut" : "open";
      if (window.matchMedia(NARROW).matches) setSheet(flap);
      else page.settings.set({ pane: flap });
    },
    drafts: new Map(),
    actions: createActions([() => pageActions(page)]),
    select(id) {
      route.select(id);
      setDrawer("shut");
      setOverlay("none");
      setReplaying(false);
    },
    async end(id) {
      const answer = await call("pty_close", { session_id: id });
      if (isFault(answer)) toasts.fault(answer);
      else sessions.put(answer);
    },
    focus() {
      const prompt = document.querySelector<HTMLElement>("[data-prompt], .replay [role=slider]");
      if (prompt) prompt.focus();
      else shown()?.live.terminal.focus();
    },
  };
  follow(page);
  return page;
}

/** What happens by itself: a first choice, the title, keys and news. */
function follow(page: PageState): void {
  const { sessions, route, info, approvals } = page;
  createEffect(() => {
    const [first] = sessions.running();
    if (route.selected() === undefined && first) route.select(first.session_id, "replace");
  });
  createEffect(() => {
    const shown = info();
    const waiting = approvals.pending.length;
    const label = shown ? `${labelOf(shown)} · duetty` : "duetty";
    document.title = waiting > 0 ? `(${waiting}) ${label}` : label;
  });
  notifyPerson(page);
  onCleanup(listenForKeys(page));
  onCleanup(
    listenForNews(() => {
      void sessions.refresh();
      void approvals.refresh();
    }),
  );
}

/**
 * One session at a time has a stream; it is made when it is selected and gone when another one is. The one in the address is
 * most often there: its stream begins while the list is still under way.
 */
function createShown(
  wanted: Accessor<string | undefined>,
  info: Accessor<SessionInfo | undefined>,
  parts: { toasts: Toasts; approvals: ApprovalQueue; stale(): void },
): Accessor<ShownSession | undefined> {
  const [made, setMade] = createSignal<ShownSession>();
  createEffect(
    on(createMemo(wanted), (shown) => {
      if (shown === undefined) return setMade(undefined);
      const sizing = window.matchMedia(SMALL).matches ? "watch" : "follow";
      const own = createShownSession(shown, { ...parts, sizing });
      setMade(own);
      onCleanup(() => own.dispose());
    }),
  );
  const shown = createMemo(() => (info() ? made() : undefined));
  createEffect(() => {
    const now = info();
    if (now) shown()?.known({ ...now });
  });
  return shown;
}
