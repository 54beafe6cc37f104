// Everything the page knows, in one place: sessions, selection, questions, what is open, the sessions that are shown.
// Owns: what a person's choice leads to. Refuses: to draw.
import { type Accessor, createEffect, createMemo, createRoot, createSignal, on, onCleanup, untrack } from "solid-js";
import { createActions } from "../actions/actions.ts";
import { pageActions } from "../actions/page.ts";
import { listenForKeys } from "../actions/shortcuts.ts";
import { createPresent, type Present } from "../agent/present.ts";
import { createCurrentApproval } from "../approvals/current.ts";
import { createApprovals } from "../approvals/queue.ts";
import { createHosts } from "../hosts/hosts.ts";
import { createNeeds } from "../needs/needs.ts";
import { createSearch } from "../search/search.ts";
import { labelOn } from "../sessions/labels.ts";
import { createRoute, type Route } from "../sessions/route.ts";
import { createSessions } from "../sessions/sessions.ts";
import { createAppearance } from "../settings/appearance.ts";
import { createSettings, type SettingsStore } from "../settings/settings.ts";
import { dragSession } from "../splits/drag.ts";
import { createLayout } from "../splits/layout.ts";
import { showBeside } from "../splits/splitting.ts";
import { focusHere } from "../widgets/keys.ts";
import { createMedia } from "../widgets/media.ts";
import { createOwnWindow } from "../widgets/own-window.ts";
import { createToasts } from "../widgets/toasts.ts";
import { listenForNews } from "../wire/news.ts";
import { createChoosing } from "./choosing.ts";
import { createHalves } from "./halves.ts";
import { createNavigation } from "./navigate.ts";
import type { ActionsPage, Flap, Half, Overlay, PageState, ShownSession } from "./page-state.ts";
import { createStopping } from "./stopping.ts";
import { createThereAndBack } from "./there-and-back.ts";

/** As in the style sheet: no column for the agent's pane. */
const NARROW = "(max-width: 1080px)";
/** Sessions do not share so little room. */
const ONE = "(max-width: 699px)";

export function createPage(): PageState {
  const [sessions, route, toasts, settings] = [createSessions(), createRoute(), createToasts(), createSettings()];
  const [approvals, needs, present] = [createApprovals(toasts.fault), createNeeds(), createPresent()];
  const hosts = createHosts();
  const [[drawer, setDrawer], [sheet, setSheet]] = [createSignal<Flap>("shut"), createSignal<Flap>("shut")];
  const [overlay, setOverlay] = createSignal<Overlay>("none");
  const layout = createLayout({ route, sessions, isNarrow: createMedia(ONE) });
  const { replayed, replaying, setReplaying } = createReplaying(route);
  const info = createMemo(() => sessions.find(route.selected() ?? ""));
  const [isLaidOut, setLaidOut] = createSignal(false);
  // Each has a page like this one, so they are made when this one is.
  let made: Accessor<readonly Half[]> = () => [];
  const halves = () => made();
  const half = () => halves().find(({ id }) => id === route.selected());
  const shown = () => half()?.shown();
  const isNarrow = createMedia(NARROW);
  const chosen = () => (layout.leaves().length > 1 ? undefined : shown());
  const { pane } = createPaneChoice(settings, chosen, present, () => setLaidOut(true));
  const isPaneShown = () => (isNarrow() ? sheet() : pane()) === "open";
  const views = { sheet, setSheet, drawer, setDrawer, overlay, setOverlay, replaying, setReplaying };
  const isLoading = () => sessions.reach() === "loading" || !isLaidOut();
  const loose = createCurrentApproval(approvals, () => info()?.session_id);
  const lists = { hosts, present, sessions, approvals, needs, layout, halves, isHere: () => true };
  const parts = { ...lists, pane, isLoading, route, toasts, settings, shown, info, ...views };
  const acted: ActionsPage = {
    ...parts,
    focus: focusHere,
    ...createChoosing({ ...parts, focus: focusHere }),
    ...createStopping({ shown, approvals, sessions, onFault: toasts.fault }),
    ...createNavigation(parts),
    appearance: createAppearance(),
    ownWindow: createOwnWindow(),
    get currentApproval() {
      return half()?.page.currentApproval ?? loose;
    },
    search: createSearch(
      () => info()?.session_id,
      () => hosts.all().length,
    ),
    drafts: new Map(),
    isPaneShown,
    togglePane() {
      const flap = isPaneShown() ? "shut" : "open";
      if (isNarrow()) setSheet(flap);
      else settings.set({ pane: flap });
    },
    showBeside: (id, side) => showBeside(acted, id, side),
    dragSession: (event, id) => shown() && dragSession(event, id, layout, focusHere),
  };
  made = createHalves({ isLaidOut, replayed, page: acted, onOpened: createThereAndBack(sessions, route) });
  const page: PageState = Object.assign(acted, { actions: createActions(() => pageActions(acted)) });
  follow(page);
  return page;
}

/** The past of one session at a time is shown. */
function createReplaying({ selected }: Route) {
  const [replayed, setReplayed] = createSignal<string>();
  return {
    replayed,
    replaying: () => replayed() !== undefined && replayed() === selected(),
    setReplaying: (is: boolean) => void setReplayed(is ? selected() : undefined),
  };
}

/**
 * With "auto" the agents' pane has a column if there was something in it when the session was chosen. No session is shown before
 * that is known: a command would run at a size that is about to change.
 */
function createPaneChoice(
  settings: SettingsStore,
  shown: Accessor<ShownSession | undefined>,
  present: Present,
  onKnown: () => void,
) {
  const has = () => {
    const agent = shown()?.agent;
    return present.isReady() || present.agents().length > 0 || (agent ? agent.busy() || agent.items.length > 0 : false);
  };
  const [decided, setDecided] = createSignal(settings.now.pane_had);
  const decide = () => {
    setDecided(untrack(has) ? "something" : "nothing");
    settings.set({ pane_had: untrack(decided) });
  };
  // Only then: nothing may move under a person's eyes because an agent arrives, perhaps with a question.
  void present.refresh().then(() => {
    decide();
    onKnown();
    createRoot(() => createEffect(on(createMemo(shown), (now) => now && decide(), { defer: true })));
  });
  const pane = (): Flap => {
    const wanted = settings.now.pane;
    return wanted === "auto" ? (decided() === "something" ? "open" : "shut") : wanted;
  };
  return { pane };
}

/** What a toast says of a machine, or of the daemon, is over when that one is back. */
function endToasts({ toasts, hosts, sessions, shown }: PageState): void {
  const away = createMemo(() => hosts.all().flatMap(({ host, reach }) => (reach === "here" ? [] : [host])));
  createEffect(
    on(away, (now, before = now) => {
      const back = before.filter((host) => !now.includes(host));
      toasts.over(({ message }) => back.some((host) => message.startsWith(`${host} `)));
    }),
  );
  const isAnswered = createMemo(() => sessions.reach() === "ok" && shown()?.live.facts.phase !== "reconnecting");
  createEffect(on(isAnswered, (is) => is && toasts.over(({ code }) => code === "daemon.lost"), { defer: true }));
}

/** Effects that run by themselves: a first choice, the title, keys and news. */
function follow(page: PageState): void {
  const { sessions, route, info, approvals, needs } = page;
  createEffect(() => {
    const first = page.layout.first() ?? sessions.running()[0]?.session_id;
    if (route.selected() === undefined && route.view() === "session" && first) route.select(first, "replace");
  });
  createEffect(() => {
    const shown = info();
    const waiting = needs.all().length;
    const label = shown ? `${labelOn(shown)} · duetty` : "duetty";
    document.title = waiting > 0 ? `(${waiting}) ${label}` : label;
  });
  // An app's badge is there from its last time.
  endToasts(page);
  const isWatched = () => page.ownWindow.hasKeys() || page.settings.now.notifications === "on";
  const isTold = createMemo((was) => was || needs.all().length > 0 || isWatched(), false);
  createEffect(on(isTold, (is) => is && import("../needs/outside.ts").then(({ tellOutside }) => tellOutside(page))));
  onCleanup(listenForKeys(page));
  onCleanup(
    listenForNews(() => {
      void sessions.refresh();
      void approvals.refresh();
      void needs.refresh();
      void page.hosts.refresh();
      void page.present.refresh();
    }),
  );
}
