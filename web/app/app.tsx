// The whole page: which part is where, and when it is shown.
import { lazy, Match, Show, Switch } from "solid-js";
import { PaneTabs } from "../agent/tabs.tsx";
import { Dock } from "../approvals/dock.tsx";
import { hostOf } from "../hosts/words.ts";
import { labelOn } from "../sessions/labels.ts";
import { SessionList } from "../sessions/list.tsx";
import { Halves } from "./halves-view.tsx";
import type { PageState } from "./page-state.ts";
import { Loading, NoSession, SessionGone, SignedOut } from "./places.tsx";
import { StatusLine } from "./status-line.tsx";
import { TopBar } from "./top-bar.tsx";

/** Their code comes after the page itself, and at once: nobody has to wait when they ask for it. */
const AgentPane = lazy(async () => ({ default: (await import("../agent/pane.tsx")).AgentPane }));
const LostSessions = lazy(async () => ({ default: (await import("../restore/lost-sessions.tsx")).LostSessions }));
const Overlays = lazy(async () => ({ default: (await import("./overlays.tsx")).Overlays }));
/** Come when they are asked for. */
const NoFarSession = lazy(async () => ({ default: (await import("../hosts/away.tsx")).NoFarSession }));
const Board = lazy(async () => ({ default: (await import("../board/board-view.tsx")).BoardView }));

export function App(props: { page: PageState }) {
  const { page } = props;
  return (
    <Show when={page.sessions.reach() !== "signed_out"} fallback={<SignedOut />}>
      <div class="app" data-drawer={page.drawer()} data-pane={page.shown() ? page.pane() : "shut"}>
        <TopBar page={page} />
        <SessionList page={page} />
        <button type="button" class="scrim" aria-label="Close the list" onClick={() => page.setDrawer("shut")} />
        <main tabindex={-1}>
          <Show when={page.shown() && page.info()}>{(info) => <h1 class="unseen">{labelOn(info())}</h1>}</Show>
          <Show when={page.shown()}>
            <PaneTabs page={page} />
          </Show>
          <LostSessions page={page} />
          <Middle page={page} />
          {/* Without a session nothing else would show messages and agents' questions. */}
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
      <Match when={hostOf(page.route.selected()) && page.route.selected()}>
        {(id) => <NoFarSession hosts={page.hosts} session={id()} onBack={() => page.route.select(undefined)} />}
      </Match>
      <Match when={page.route.selected()}>
        <SessionGone onBack={() => page.route.select(undefined)} />
      </Match>
    </Switch>
  );
}
