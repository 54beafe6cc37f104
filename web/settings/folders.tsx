// Trusted folders, whose own rules count, and the current folder.
import { createSignal, For, onMount, Show } from "solid-js";
import type { PageState } from "../app/page-state.ts";
import { shortPath } from "../sessions/labels.ts";
import { call, isFault } from "../wire/api.ts";
import { Section } from "./parts.tsx";

interface Trusted {
  readonly folders: readonly string[];
  readonly changed: readonly string[];
}

export function FolderSettings(props: { page: PageState }) {
  const { page } = props;
  const [listed, setListed] = createSignal<Trusted>();
  const folders = () => listed()?.folders;
  const here = () => page.info()?.cwd;

  async function change(change: { cwd?: string; trusted?: boolean }): Promise<void> {
    const answer = await call("trust", change);
    if (isFault(answer)) page.toasts.fault(answer);
    else setListed(answer);
  }
  onMount(() => change({}));
  return (
    <Section title="Trusted folders">
      <p class="mut">
        Rules in a folder's <code>.duetty.json</code> apply once you trust the folder, and again after each change. Read
        them first.
      </p>
      <ul class="rows">
        <For each={folders()} fallback={<li class="mut">{folders() ? "No folder is trusted." : ""}</li>}>
          {(folder) => (
            <li>
              <code title={folder}>{shortPath(folder)}</code>
              <span class="grow" />
              <Show when={listed()?.changed.includes(folder)}>
                <span>its rules have changed</span>
                <button type="button" onClick={() => void change({ cwd: folder, trusted: true })}>
                  Trust again
                </button>
              </Show>
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
