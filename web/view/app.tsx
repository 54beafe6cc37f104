// The whole page: which part stands where and what is shown when.
import { Match, Show, Switch } from "solid-js";
import { createPage, type PageState } from "../state/page.ts";
import { exposeForTests } from "../test-hook.ts";
import { Gone, Loading, NoSession, SignedOut } from "./places.tsx";
import { SessionList } from "./session-list.tsx";
import { StatusLine } from "./status-line.tsx";
import { TerminalPane } from "./terminal-pane.tsx";
import { ToastStack } from "./toast-stack.tsx";
import { TopBar } from "./top-bar.tsx";

export function App() {
  const page = createPage();
  exposeForTests(page.live);
  return (
    <Show when={page.sessions.reach() !== "signed_out"} fallback={<SignedOut />}>
      <div class="app" data-drawer={page.drawer()}>
        <TopBar appearance={page.appearance} drawer={page.drawer()} onDrawer={page.setDrawer} />
        <SessionList
          sessions={page.sessions}
          selected={page.route.selected()}
          form={page.form()}
          onForm={page.setForm}
          onSelect={page.select}
          onEnd={page.end}
        />
        <button type="button" class="scrim" aria-label="Close the list" onClick={() => page.setDrawer("shut")} />
        <main>
          <Middle page={page} />
        </main>
        <StatusLine reach={page.sessions.reach()} live={page.live()} info={page.info()} />
      </div>
      <ToastStack toasts={page.toasts} />
    </Show>
  );
}

function Middle(props: { page: PageState }) {
  const { page } = props;
  return (
    <Switch fallback={<NoSession onNew={page.newSession} />}>
      <Match when={page.sessions.reach() === "loading"}>
        <Loading />
      </Match>
      <Match when={page.info()?.session_id} keyed>
        {(id) => (
          <TerminalPane
            id={id}
            info={page.info()}
            theme={page.appearance.theme()}
            onLive={page.setLive}
            onNotice={page.toasts.say}
            onStale={() => void page.sessions.refresh()}
            onNew={page.newSession}
          />
        )}
      </Match>
      <Match when={page.route.selected()}>
        <Gone onBack={() => page.route.select(undefined)} />
      </Match>
    </Switch>
  );
}
