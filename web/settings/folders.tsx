// Trusted folders, whose own rules count, and the current folder.
import { createSignal, For, onMount, Show } from "solid-js";
import type { PageState } from "../app/page-state.ts";
import { shortPath } from "../sessions/labels.ts";
import { call, isFault } from "../wire/api.ts";
import { Section } from "./parts.tsx";

export function FolderSettings(props: { page: PageState }) {
  const { page } = props;
  const [folders, setFolders] = createSignal<readonly string[]>();
  const here = () => page.info()?.cwd;

  async function change(change: { cwd?: string; trusted?: boolean }): Promise<void> {
    const answer = await call("trust", change);
    if (isFault(answer)) page.toasts.fault(answer);
    else setFolders(answer.folders);
  }
  onMount(() => change({}));
  return (
    <Section title="Trusted folders">
      <p class="mut">
        Rules in a folder's <code>.duetty.json</code> count once you trust it. Look at them first.
      </p>
      <ul class="rows">
        <For each={folders()} fallback={<li class="mut">{folders() ? "No folder is trusted." : ""}</li>}>
          {(folder) => (
            <li>
              <code title={folder}>{shortPath(folder)}</code>
              <span class="grow" />
              <button
                type="button"
                aria-label={`No longer trust ${folder}`}
                onClick={() => void change({ cwd: folder, trusted: false })}
              >
                Remove
              </button>
            </li>
          )}
        </For>
      </ul>
      <Show when={here() !== undefined && !folders()?.includes(here() ?? "") && here()}>
        {(cwd) => (
          <button type="button" onClick={() => void change({ cwd: cwd(), trusted: true })}>
            Trust {shortPath(cwd())}
          </button>
        )}
      </Show>
    </Section>
  );
}
