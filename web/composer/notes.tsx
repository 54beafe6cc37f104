// Above the prompt: a half line at the shell's own prompt with who typed it, whose text this prompt has, and a line that waits
// for the shell.
import { createEffect, createSignal, For, Match, onCleanup, Show, Switch } from "solid-js";
import type { ShownSession } from "../app/page-state.ts";
import { holderOf } from "../sessions/labels.ts";
import type { Composer } from "./composer.ts";

/** A line that is typed and entered at once is no half line. */
const SHOWN_AFTER_MS = 500;
/** A shell takes a line sooner, unless something runs. */
const WAITS_AFTER_MS = 800;

export function PromptNotes(props: { shown: ShownSession; composer: Composer }) {
  const { composer } = props;
  const { half, isTaking, isDue } = props.shown.shellLine;
  const left = lasting(() => half().text !== "" && !isTaking() && !isDue() && !composer.fault(), SHOWN_AFTER_MS);
  const waits = lasting(() => composer.waiting().length > 0, WAITS_AFTER_MS);
  return (
    <>
      <Show when={left()}>
        <p class="note" role="status">
          At the shell prompt: <code>{half().text}</code> (typed by {nameOf(half().actor)})
          <ShellLineButtons composer={composer} />
        </p>
      </Show>
      <Show when={composer.owner()}>{(actor) => <p class="note">Typed by {nameOf(actor())}</p>}</Show>
      <Show when={waits()}>
        <p class="note" role="status">
          <code>{composer.waiting()[0]}</code> <Awaited shown={props.shown} />
          <button type="button" onClick={() => composer.cancel()}>
            Don't run it
          </button>
        </p>
      </Show>
    </>
  );
}

/** A shell that has run nothing yet still reads its start files. */
function Awaited(props: { shown: ShownSession }) {
  const { live, transcript } = props.shown;
  const running = () => transcript.running()?.cmd;
  const isStarting = () => running() === undefined && transcript.loaded() && transcript.blocks.length === 0;
  return (
    <Switch fallback="runs when the running command has ended">
      <Match when={live.facts.phase !== "open"}>runs when the connection is back</Match>
      <Match when={running()}>
        {(cmd) => (
          <>
            runs when <code>{cmd()}</code> has ended
          </>
        )}
      </Match>
      <Match when={isStarting()}>waits: the shell is still starting</Match>
    </Switch>
  );
}

export function ShellLineButtons(props: { composer: Composer }) {
  const choices = [
    ["Run it", () => props.composer.runShellLine()],
    ["Edit it", () => props.composer.takeShellLine()],
    ["Discard it", () => props.composer.discardShellLine()],
  ] as const;
  return (
    <For each={choices}>
      {([label, choose]) => (
        // The prompt keeps the focus.
        <button type="button" onPointerDown={(event) => event.preventDefault()} onClick={() => void choose()}>
          {label}
        </button>
      )}
    </For>
  );
}

function nameOf(actor: string): string {
  return holderOf(actor).word;
}

/** True once it has been true for this long. */
function lasting(check: () => boolean, ms: number): () => boolean {
  const [lasts, setLasts] = createSignal(false);
  createEffect(() => {
    setLasts(false);
    if (!check()) return;
    const timer = setTimeout(() => setLasts(true), ms);
    onCleanup(() => clearTimeout(timer));
  });
  return lasts;
}
