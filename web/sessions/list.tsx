// All sessions: running ones on top, ended ones folded below. Owns: whether they are unfolded, and the filter.
import { createSignal, createUniqueId, For, Show } from "solid-js";
import type { SessionInfo } from "../../src/protocol/ops/session.ts";
import type { PageState } from "../app/page-state.ts";
import { SessionItem } from "./item.tsx";
import { BOARD } from "./route.ts";
import { matchesText } from "./words.ts";

/** A person sees this many at a glance. */
const GLANCE = 8;
/** Keys reach no further. */
const DIGITS = 9;

export function SessionList(props: { page: PageState }) {
  const { page } = props;
  const [text, setText] = createSignal("");
  const { sessions } = page;
  const fits = (session: SessionInfo) => matchesText(session, text().trim());
  const running = () => sessions.running().filter(fits);
  const isMany = () => sessions.running().length + sessions.ended().length > GLANCE;
  /** The position in the whole list, so that Alt and a digit lead to the same session with any filter. */
  const digit = ({ session_id }: SessionInfo) => {
    const at = sessions.running().findIndex((session) => session.session_id === session_id) + 1;
    return at <= DIGITS ? at : undefined;
  };
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
      <ul>
        <For each={running()}>{(session) => <SessionItem page={page} session={session} digit={digit(session)} />}</For>
      </ul>
      <Show when={text() !== "" && running().length === 0}>
        <p class="none">No running session matches.</p>
      </Show>
      <Show when={sessions.reach() === "loading"}>
        <Skeleton />
      </Show>
      <button type="button" class="wide" aria-keyshortcuts="Alt+N" onClick={() => page.setOverlay("new_session")}>
        + New session <kbd>Alt N</kbd>
      </button>
      <Ended page={page} fits={fits} looking={text() !== ""} />
    </nav>
  );
}

function Ended(props: { page: PageState; fits(session: SessionInfo): boolean; looking: boolean }) {
  const { page } = props;
  const id = createUniqueId();
  const [past, setPast] = createSignal<"folded" | "shown">("folded");
  const all = () => page.sessions.ended().filter((session) => props.fits(session));
  const open = () => past() === "shown" || props.looking;
  /** The selected one is never hidden. */
  const shown = () => (open() ? all() : all().filter(({ session_id }) => session_id === page.route.selected()));
  return (
    <Show when={all().length > 0}>
      <button
        type="button"
        class="fold"
        aria-expanded={open()}
        aria-controls={id}
        onClick={() => setPast(past() === "shown" ? "folded" : "shown")}
      >
        <span aria-hidden="true">{open() ? "▾" : "▸"}</span> Ended ({all().length})
      </button>
      <ul id={id}>
        <For each={shown()}>{(session) => <SessionItem page={page} session={session} />}</For>
      </ul>
    </Show>
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
