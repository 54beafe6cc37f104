// The themes that a person brought: to choose, to save, to remove, and a place for files with more.
import { createSignal, For, Show } from "solid-js";
import type { PageState } from "../app/page-state.ts";
import { saveFile } from "../widgets/saving.ts";
import { dressOf } from "./dress.ts";
import { forgetTheme, KEPT_MAX, keepThemes, keptThemes } from "./kept.ts";
import { FILE_BYTES_MAX, readThemes } from "./read.ts";
import type { Theme } from "./theme.ts";
import { themeFile } from "./write.ts";

/** Somebody who drops a folder's worth gets the first ones. */
const FILES_MAX = 40;

export function OwnThemes(props: { page: PageState }) {
  const { appearance } = props.page;
  const [themes, setThemes] = createSignal(keptThemes());
  const [said, setSaid] = createSignal<readonly string[]>([]);

  async function add(files: readonly File[]): Promise<void> {
    const read = await Promise.all(files.slice(0, FILES_MAX).map(themesIn));
    const found = read.flatMap((one) => ("themes" in one ? one.themes : []));
    const kept = keepThemes(found);
    setThemes(kept);
    const left = found.filter((theme) => !kept.includes(theme)).length;
    setSaid([
      ...read.flatMap((one) => ("why" in one ? [one.why] : [])),
      ...(left > 0 ? [`${left} left out: at most ${KEPT_MAX} are kept. Remove some first.`] : []),
    ]);
    const [first] = found;
    if (first && kept.includes(first)) appearance.wear(dressOf(first).dress);
  }
  function forget({ name }: Theme): void {
    setThemes(forgetTheme(name));
    if (appearance.worn() === name) appearance.choose("system");
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same
    <div
      class="own-themes"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void add([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      <Show when={themes().length > 0}>
        <ul aria-label="Your themes">
          <For each={themes()}>{(theme) => <OneTheme page={props.page} theme={theme} onForget={forget} />}</For>
        </ul>
      </Show>
      <label class="add">
        <input
          type="file"
          class="unseen"
          multiple
          accept=".itermcolors,.json,.yaml,.yml"
          onChange={({ currentTarget }) => {
            void add([...(currentTarget.files ?? [])]);
            // The same file may be chosen again.
            currentTarget.value = "";
          }}
        />
        <span>Add themes…</span>
        <small>Files of iTerm2, Windows Terminal or base16. You can also drop them here.</small>
      </label>
      <div role="status">
        <For each={said()}>{(words) => <p>{words}</p>}</For>
      </div>
    </div>
  );
}

function OneTheme(props: { page: PageState; theme: Theme; onForget(theme: Theme): void }) {
  const { appearance } = props.page;
  const { theme } = props;
  const { dress, moved, page } = dressOf(theme);
  const means = () => {
    if (page === "kept")
      return "Only the terminal has its colours: no text of the page could be read on this background.";
    return moved > 0 ? `${moved} of its 16 colours have another shade in cards, so that they can be read.` : undefined;
  };
  const save = () => {
    const file = themeFile(theme);
    saveFile(new Blob([file.text], { type: "application/json" }), file.name);
  };
  return (
    <li>
      <label>
        <input
          type="radio"
          name="set-Theme"
          checked={appearance.worn() === theme.name}
          onChange={() => appearance.wear(dress)}
        />
        <span>
          <span class="swatch" aria-hidden="true" style={{ background: theme.bg }}>
            <For each={theme.ansi.slice(1, 7)}>{(colour) => <i style={{ background: colour }} />}</For>
          </span>
          {theme.name}
          <Show when={means()}>{(words) => <small>{words()}</small>}</Show>
        </span>
      </label>
      <button type="button" onClick={save} aria-label={`Save ${theme.name} as a file`}>
        Save
      </button>
      <button type="button" onClick={() => props.onForget(theme)} aria-label={`Remove ${theme.name}`}>
        Remove
      </button>
    </li>
  );
}

async function themesIn(file: File): Promise<{ readonly themes: readonly Theme[] } | { readonly why: string }> {
  if (file.size > FILE_BYTES_MAX) return { why: `${file.name}: it is too large for a theme` };
  const read = readThemes(file.name, await file.text().catch(() => ""));
  return "why" in read ? { why: `${file.name}: ${read.why}` } : read;
}
