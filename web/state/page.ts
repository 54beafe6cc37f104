// Everything the page knows, in one place: sessions, selection, theme, messages, what is open, the one live session.
// Owns: what a person's choice leads to. Refuses: to draw.
import { type Accessor, createEffect, createMemo, createSignal, onCleanup } from "solid-js";
import type { SessionInfo } from "../../src/protocol/session.ts";
import { call, isFault } from "../wire/api.ts";
import { type Appearance, createAppearance } from "./appearance.ts";
import type { Live } from "./live.ts";
import { createRoute, type Route } from "./route.ts";
import { createSessions, type Sessions } from "./sessions.ts";
import { listenForShortcuts } from "./shortcuts.ts";
import { createToasts, type Toasts } from "./toasts.ts";
import { labelOf } from "./words.ts";

export type Flap = "open" | "shut";

export interface PageState {
  readonly sessions: Sessions;
  readonly route: Route;
  readonly appearance: Appearance;
  readonly toasts: Toasts;
  readonly live: Accessor<Live | undefined>;
  setLive(live: Live | undefined): void;
  /** The selected session, if the daemon has it. */
  readonly info: Accessor<SessionInfo | undefined>;
  readonly drawer: Accessor<Flap>;
  setDrawer(drawer: Flap): void;
  readonly form: Accessor<Flap>;
  setForm(form: Flap): void;
  select(id: string): void;
  newSession(): void;
  end(id: string): Promise<void>;
}

export function createPage(): PageState {
  const [sessions, route, toasts] = [createSessions(), createRoute(), createToasts()];
  const [live, setLive] = createSignal<Live>();
  const [drawer, setDrawer] = createSignal<Flap>("shut");
  const [form, setForm] = createSignal<Flap>("shut");
  const info = createMemo(() => sessions.find(route.selected() ?? ""));
  const page: PageState = {
    ...{ sessions, route, toasts, live, setLive, info, drawer, setDrawer, form, setForm },
    appearance: createAppearance(),
    select(id) {
      route.select(id);
      setDrawer("shut");
      live()?.terminal.focus();
    },
    newSession() {
      setDrawer("open");
      setForm("open");
    },
    async end(id) {
      const answer = await call("pty_close", { session_id: id });
      if (isFault(answer)) toasts.fault(answer);
      else sessions.put(answer);
      live()?.terminal.focus();
    },
  };
  createEffect(() => {
    const [first] = sessions.running();
    if (route.selected() === undefined && first) route.select(first.session_id, "replace");
  });
  createEffect(() => {
    const shown = info();
    document.title = shown ? `${labelOf(shown)} · duetty` : "duetty";
  });
  onCleanup(listen(page));
  return page;
}

function listen(page: PageState): () => void {
  return listenForShortcuts({
    newSession: page.newSession,
    select(index) {
      const session = page.sessions.running()[index];
      if (session) page.select(session.session_id);
    },
    focusTerminal: () => page.live()?.terminal.focus(),
    leave() {
      page.setForm("shut");
      page.setDrawer("shut");
    },
  });
}
