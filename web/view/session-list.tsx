// All sessions: running ones on top, ended ones folded away below. Owns: whether they are unfolded.
import { createSignal, For, Show } from "solid-js";
import type { Sessions } from "../state/sessions.ts";
import { NewSession } from "./new-session.tsx";
import { SessionItem } from "./session-item.tsx";

export interface SessionListProps {
  readonly sessions: Sessions;
  readonly selected: string | undefined;
  readonly form: "open" | "shut";
  onForm(form: "open" | "shut"): void;
  onSelect(id: string): void;
  onEnd(id: string): void;
}

export function SessionList(props: SessionListProps) {
  const [past, setPast] = createSignal<"folded" | "shown">("folded");
  const ended = () => props.sessions.ended();
  /** The selected one is never hidden. */
  const shownEnded = () =>
    past() === "shown" ? ended() : ended().filter((session) => session.session_id === props.selected);
  return (
    <nav id="sessions" aria-label="Sessions">
      <h2>
        Sessions <span aria-hidden="true">Alt 1–9</span>
      </h2>
      <ul>
        <For each={props.sessions.running()}>
          {(session) => <SessionItem {...itemProps(props)} session={session} current={isCurrent(props, session)} />}
        </For>
      </ul>
      <Show
        when={props.form === "open"}
        fallback={
          <button type="button" class="wide" aria-keyshortcuts="Alt+N" onClick={() => props.onForm("open")}>
            + New session <kbd>Alt N</kbd>
          </button>
        }
      >
        <NewSession
          onOpened={(info) => {
            props.sessions.put(info);
            props.onForm("shut");
            props.onSelect(info.session_id);
          }}
          onCancel={() => props.onForm("shut")}
        />
      </Show>
      <Show when={ended().length > 0}>
        <button
          type="button"
          class="fold"
          aria-expanded={past() === "shown"}
          aria-controls="ended"
          onClick={() => setPast(past() === "shown" ? "folded" : "shown")}
        >
          <span aria-hidden="true">{past() === "shown" ? "▾" : "▸"}</span> Ended ({ended().length})
        </button>
        <ul id="ended">
          <For each={shownEnded()}>
            {(session) => <SessionItem {...itemProps(props)} session={session} current={isCurrent(props, session)} />}
          </For>
        </ul>
      </Show>
    </nav>
  );
}

function itemProps(props: SessionListProps) {
  return { onSelect: props.onSelect, onEnd: props.onEnd };
}

function isCurrent(props: SessionListProps, session: { session_id: string }): boolean {
  return session.session_id === props.selected;
}
