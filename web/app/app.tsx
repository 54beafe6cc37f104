// The whole page: which part is where, and when it is shown.
import { lazy, Match, Show, Switch } from "solid-js";
import { PaneTabs } from "../agent/tabs.tsx";
import { Dock } from "../approvals/dock.tsx";
import { SessionList } from "../sessions/list.tsx";
import { ToastStack } from "../widgets/toast-stack.tsx";
import { Halves } from "./halves-view.tsx";
import type { PageState } from "./page-state.ts";
import { Loading, NoSession, SessionGone, SignedOut } from "./places.tsx";
import { StatusLine } from "./status-line.tsx";
import { TopBar } from "./top-bar.tsx";

/** Their code comes after the page itself, and at once: nobody has to wait when they ask for it. */
const AgentPane = lazy(async () => ({ default: (await import("../agent/pane.tsx")).AgentPane }));
const LostSessions = lazy(async () => ({ default: (await import("../restore/lost-sessions.tsx")).LostSessions }));
const Overlays = lazy(async () => ({ default: (await import("./overlays.tsx")).Overlays }));
/** Comes when it is asked for. */
const Board = lazy(async () => ({ default: (await import("../board/board-view.tsx")).BoardView }));

export function App(props: { page: PageState }) {
  const { page } = props;
  return (
    <Show when={page.sessions.reach() !== "signed_out"} fallback={<SignedOut />}>
      <div class="app" data-drawer={page.drawer()} data-pane={page.shown() ? page.pane() : "shut"}>
        <TopBar page={page} />
        <SessionList page={page} />
        <button type="button" class="scrim" aria-label="Close the list" onClick={() => page.setDrawer("shut")} />
        <main>
          <Show when={page.shown()}>
            <PaneTabs page={page} />
          </Show>
          <LostSessions page={page} />
          <Middle page={page} />
          {/* Without a session nothing else would show agents' questions. */}
          <Show when={!page.shown()}>
            <Dock page={page} />
          </Show>
        </main>
        <Show when={page.shown()} keyed>
          {(shown) => <AgentPane page={page} shown={shown} />}
        </Show>
        <StatusLine page={page} />
      </div>
      <Overlays page={page} />
      <ToastStack toasts={page.toasts} />
    </Show>
  );
}

function Middle(props: { page: PageState }) {
  const { page } = props;
  return (
    <Switch fallback={<NoSession onNew={() => page.setOverlay("new_session")} />}>
      <Match when={page.isLoading()}>
        <Loading />
      </Match>
      <Match when={page.route.view() === "board"}>
        <Board page={page} />
      </Match>
      <Match when={page.shown()}>
        <Halves page={page} />
      </Match>
      <Match when={page.route.selected()}>
        <SessionGone onBack={() => page.route.select(undefined)} />
      </Match>
    </Switch>
  );
}
