// Everything the page knows, in one place: sessions, selection, questions, what is open, the one session that is shown.
// Owns: what a person's choice leads to. Refuses: to draw.
import { type Accessor, createEffect, createMemo, createRoot, createSignal, on, onCleanup, untrack } from "solid-js";
import type { SessionInfo } from "../../src/protocol/ops/session.ts";
import { createActions } from "../actions/actions.ts";
import { pageActions } from "../actions/page.ts";
import { listenForKeys } from "../actions/shortcuts.ts";
import { createPresent, type Present } from "../agent/present.ts";
import { createCurrentApproval } from "../approvals/current.ts";
import { type ApprovalQueue, createApprovals } from "../approvals/queue.ts";
import { createNeeds } from "../needs/needs.ts";
import { createSearch } from "../search/search.ts";
import { labelOf } from "../sessions/labels.ts";
import { createRoute } from "../sessions/route.ts";
import { createSessions } from "../sessions/sessions.ts";
import { createAppearance } from "../settings/appearance.ts";
import { createSettings, type SettingsStore } from "../settings/settings.ts";
import { createMedia } from "../widgets/media.ts";
import { createToasts, type Toasts } from "../widgets/toasts.ts";
import { call, isFault } from "../wire/api.ts";
import { listenForNews } from "../wire/news.ts";
import { createNavigation } from "./navigate.ts";
import type { ActionsPage, Flap, Overlay, PageState, ShownSession } from "./page-state.ts";
import { createShownSession } from "./shown-session.ts";
import { createStopping } from "./stopping.ts";
import { createThereAndBack } from "./there-and-back.ts";

/** A phone only watches, because its size would shrink everybody's screen. */
const SMALL = "(max-width: 699px)";
/** As in the style sheet: no column for the agent's pane. */
const NARROW = "(max-width: 1080px)";
/** A connection that is away for so long is away for good. Keys that arrive later would surprise everybody. */
const LEFT_MS_MAX = 600_000;

export function createPage(): PageState {
  const [sessions, route, toasts, settings] = [createSessions(), createRoute(), createToasts(), createSettings()];
  const [approvals, needs, present] = [createApprovals(toasts.fault), createNeeds(), createPresent()];
  const [[drawer, setDrawer], [sheet, setSheet]] = [createSignal<Flap>("shut"), createSignal<Flap>("shut")];
  const [overlay, setOverlay] = createSignal<Overlay>("none");
  const [replaying, setReplaying] = createSignal(false);
  const info = createMemo(() => sessions.find(route.selected() ?? ""));
  const wanted = () => (sessions.reach() === "loading" ? route.selected() : info()?.session_id);
  const [isLaidOut, setLaidOut] = createSignal(false);
  const listed = createMemo(() => (isLaidOut() ? info() : undefined));
  const told = { onOpened: createThereAndBack(sessions, route), onStale: () => void sessions.refresh() };
  const shown = createShown(wanted, listed, { toasts, approvals, ...told });
  const isNarrow = createMedia(NARROW);
  const { pane } = createPaneChoice(settings, shown, present, () => setLaidOut(true));
  const isPaneShown = () => (isNarrow() ? sheet() : pane()) === "open";
  const views = { sheet, setSheet, drawer, setDrawer, overlay, setOverlay, replaying, setReplaying };
  const isLoading = () => sessions.reach() === "loading" || !isLaidOut();
  const lists = { present, sessions, approvals, needs };
  const parts = { ...lists, pane, isLoading, route, toasts, settings, shown, info, ...views };
  const acted: ActionsPage = {
    ...parts,
    ...createStopping(shown, approvals, toasts.fault),
    ...createNavigation(parts),
    appearance: createAppearance(),
    currentApproval: createCurrentApproval(approvals, () => info()?.session_id),
    search: createSearch(() => info()?.session_id),
    drafts: new Map(),
    isPaneShown,
    togglePane() {
      const flap = isPaneShown() ? "shut" : "open";
      if (isNarrow()) setSheet(flap);
      else settings.set({ pane: flap });
    },
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
    async remove(id) {
      const answer = await call("remove", { session_id: id });
      if (isFault(answer)) return toasts.fault(answer);
      if (route.selected() === id) route.select(sessions.running()[0]?.session_id);
      await sessions.refresh();
    },
    focus() {
      const prompt = document.querySelector<HTMLElement>("[data-prompt], .replay [role=slider]");
      if (prompt) prompt.focus();
      else shown()?.live.terminal.focus();
    },
  };
  const page = { ...acted, actions: createActions(() => pageActions(acted)) };
  follow(page);
  return page;
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
    createRoot(() => createEffect(on(shown, decide, { defer: true })));
  });
  const pane = (): Flap => {
    const wanted = settings.now.pane;
    return wanted === "auto" ? (decided() === "something" ? "open" : "shut") : wanted;
  };
  return { pane };
}

/** Effects that run by themselves: a first choice, the title, keys and news. */
function follow(page: PageState): void {
  const { sessions, route, info, approvals, needs } = page;
  createEffect(() => {
    const [first] = sessions.running();
    if (route.selected() === undefined && route.view() === "session" && first)
      route.select(first.session_id, "replace");
  });
  createEffect(() => {
    const shown = info();
    const waiting = needs.all().length;
    const label = shown ? `${labelOf(shown)} · duetty` : "duetty";
    document.title = waiting > 0 ? `(${waiting}) ${label}` : label;
  });
  const isTold = createMemo((was) => was || needs.all().length > 0 || page.settings.now.notifications === "on", false);
  createEffect(on(isTold, (is) => is && import("../needs/outside.ts").then(({ tellOutside }) => tellOutside(page))));
  onCleanup(listenForKeys(page));
  onCleanup(
    listenForNews(() => {
      void sessions.refresh();
      void approvals.refresh();
      void needs.refresh();
      void page.present.refresh();
    }),
  );
}

/**
 * One session at a time has a stream, from its selection until another one is selected and its keys have arrived. The one in the
 * address usually exists, so its stream begins while the list is still loading.
 */
function createShown(
  wanted: Accessor<string | undefined>,
  info: Accessor<SessionInfo | undefined>,
  parts: { toasts: Toasts; approvals: ApprovalQueue; onStale(): void; onOpened(session: SessionInfo): void },
): Accessor<ShownSession | undefined> {
  const [made, setMade] = createSignal<ShownSession>();
  const left = new Map<string, ShownSession>();
  const make = (id: string) => {
    const sizing = window.matchMedia(SMALL).matches ? "watch" : "follow";
    // It may outlive this choice of a session.
    return createRoot(() => createShownSession(id, { ...parts, sizing }));
  };
  const leave = async (own: ShownSession) => {
    left.set(own.id, own);
    await Promise.race([own.settled(), new Promise((resolve) => setTimeout(resolve, LEFT_MS_MAX))]);
    if (left.get(own.id) !== own) return;
    left.delete(own.id);
    own.dispose();
  };
  createEffect(
    on(createMemo(wanted), (shown) => {
      if (shown === undefined) return setMade(undefined);
      const own = left.get(shown) ?? make(shown);
      left.delete(shown);
      setMade(own);
      onCleanup(() => void leave(own));
    }),
  );
  const shown = createMemo(() => (info() ? made() : undefined));
  createEffect(() => {
    const now = info();
    if (now) shown()?.onInfo({ ...now });
  });
  return shown;
}
