// All sessions, by machine: this one first. Owns: the filter.
import { createSignal, For, Show } from "solid-js";
import type { SessionInfo } from "../../src/protocol/ops/session.ts";
import type { PageState } from "../app/page-state.ts";
import { BOARD } from "./address.ts";
import { SessionGroup } from "./groups.tsx";
import { matchesText } from "./words.ts";

/** A person sees this many at a glance. */
const GLANCE = 8;

export function SessionList(props: { page: PageState }) {
  const { page } = props;
  const [text, setText] = createSignal("");
  const { sessions } = page;
  const fits = (session: SessionInfo) => matchesText(session, text().trim());
  const running = () => sessions.running().filter(fits);
  /** Names stay the same when a machine comes or goes, so its part of the list stays, too. */
  const names = () => page.hosts.all().map(({ host }) => host);
  const isMany = () => sessions.running().length + sessions.ended().length > GLANCE;
  return (
    <nav id="sessions" aria-label="Sessions">
      <h2>
        Sessions <span aria-hidden="true">Alt 1–9</span>
      </h2>
      <a
        class="to-board"
        href={BOARD}
        aria-current={page.route.view() === "board" ? "page" : undefined}
        aria-keyshortcuts="Alt+B"
        onClick={() => page.setDrawer("shut")}
      >
        Board <kbd>Alt B</kbd>
      </a>
      <Show when={isMany()}>
        <input
          class="find"
          type="search"
          aria-label="Find a session"
          placeholder="Find a session"
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </Show>
      <SessionGroup page={page} host={undefined} fits={fits} looking={text() !== ""}>
        <Show when={text() !== "" && running().length === 0}>
          <p class="none">No running session matches.</p>
        </Show>
        <Show when={sessions.reach() === "loading"}>
          <Skeleton />
        </Show>
        <button type="button" class="wide" aria-keyshortcuts="Alt+N" onClick={() => page.setOverlay("new_session")}>
          + New session <kbd>Alt N</kbd>
        </button>
      </SessionGroup>
      <For each={names()}>
        {(name) => <SessionGroup page={page} host={page.hosts.find(name)} fits={fits} looking={text() !== ""} />}
      </For>
    </nav>
  );
}

/** As high as the sessions that will appear there. */
function Skeleton() {
  return (
    <div class="skeleton" aria-hidden="true">
      <i />
      <i />
    </div>
  );
}
