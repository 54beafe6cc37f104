// What is said where a session of another machine would be, while that machine is away.
import { Show } from "solid-js";
import type { Hosts } from "./hosts.ts";
import { awaySentence, hostOf } from "./words.ts";

/** `session`: one that nobody here knows. Its machine may be away, or unknown, too. */
export function NoFarSession(props: { hosts: Hosts; session: string; onBack(): void }) {
  const name = () => hostOf(props.session) ?? "";
  const host = () => props.hosts.find(name());
  return (
    <div class="place" role="status">
      <Show
        when={host()}
        fallback={
          <>
            <h1>No machine is called {name()}</h1>
            <p>
              Add it in a terminal: <code>duetty hosts add {name()} ssh://…</code>
            </p>
          </>
        }
      >
        {(known) => (
          <Show
            when={known().reach !== "here"}
            fallback={
              <>
                <h1>This session does not exist</h1>
                <p>{name()} is here and does not know it.</p>
              </>
            }
          >
            <h1>{name()} is away</h1>
            <p>{known().why ?? awaySentence(known())}</p>
            <p class="mut">The session is shown when it is back.</p>
          </Show>
        )}
      </Show>
      <button type="button" onClick={() => props.onBack()}>
        Show what is running
      </button>
    </div>
  );
}
