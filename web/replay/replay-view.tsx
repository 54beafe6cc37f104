// The past of a session instead of its present: a separate read-only terminal and the scrubber. Owns: that
// terminal, while it is shown.

import { createEffect, createSignal, For, on, onCleanup, onMount, Show } from "solid-js";
import type { PageState, ShownSession } from "../app/page-state.ts";
import { clockWord, elapsedWord } from "../text/numbers.ts";
import { fontOf } from "../text/row-height.ts";
import { PlayButton } from "./bar.tsx";
import { KEYS, pressed, toMark } from "./keys.ts";
import { blockAt } from "./marks.ts";
import { Scrubber } from "./scrubber.tsx";
import { ReplayTerminal } from "./terminal.ts";

interface Here {
  readonly page: PageState;
  readonly shown: ShownSession;
}

export function ReplayView(props: Here) {
  const { page, shown } = props;
  const { replay } = shown;
  const [help, setHelp] = createSignal<"shown" | "hidden">("hidden");
  let section: HTMLElement | undefined;
  let host: HTMLDivElement | undefined;
  const full = () => void (document.fullscreenElement ? document.exitFullscreen() : section?.requestFullscreen());
  const toggleHelp = () => setHelp(help() === "shown" ? "hidden" : "shown");

  onMount(() => {
    if (!host) return;
    const past = new ReplayTerminal(host, shown.images.bitmaps);
    const { terminal } = past;
    const room = new ResizeObserver(() => terminal.scale());
    room.observe(host);
    void replay.show(past);
    section?.querySelector<HTMLElement>("[role=slider]")?.focus();
    onCleanup(() => {
      room.disconnect();
      replay.hide();
      past.dispose();
    });
    createEffect(on(() => fontOf(page.settings.now), terminal.setFont.bind(terminal)));
    createEffect(on(page.appearance.look, () => queueMicrotask(() => terminal.retheme()), { defer: true }));
  });
  listen((event) => {
    if (event.key === "Escape" && help() === "shown") {
      setHelp("hidden");
      event.stopPropagation();
      return;
    }
    if (!isFor(section, event) || !pressed(event, replay, { full, help: toggleHelp })) return;
    event.preventDefault();
    event.stopPropagation();
  });

  return (
    <section
      class="replay"
      aria-label="Replay"
      ref={section}
      data-cursor={replay.facts.cursor}
      data-busy={replay.facts.busy}
    >
      <Heading page={page} shown={shown} />
      <div class="stage">
        <div class="host" ref={host} />
        <Show when={replay.facts.cursor === undefined}>
          <p class="veil" role="status">
            {replay.facts.failure ?? "Reading what happened…"}
          </p>
        </Show>
        <Show when={help() === "shown"}>
          <Help onShut={() => setHelp("hidden")} />
        </Show>
      </div>
      <Controls page={page} shown={shown} full={full} help={toggleHelp} helped={help() === "shown"} />
    </section>
  );
}

/** We handle keys before everyone else, so that they work in the terminal too. */
function listen(onKey: (event: KeyboardEvent) => void): void {
  document.addEventListener("keydown", onKey, { capture: true });
  onCleanup(() => document.removeEventListener("keydown", onKey, { capture: true }));
}

/** Also when nothing, or only the small bar, has the focus. */
function isFor(section: HTMLElement | undefined, { target }: Event): boolean {
  if (target === document.body) return true;
  return target instanceof Element && (section?.contains(target) || target.closest(".replay-bar") !== null);
}

function Heading(props: Here) {
  const { replay } = props.shown;
  const block = () => blockAt(replay.recording()?.blocks ?? [], replay.at);
  return (
    <p class="banner replaying">
      <b>Replay</b> <span>read only</span>
      <Show when={replay.axis()}>
        <time>{clockWord(replay.at)}</time>
      </Show>
      <Show when={block()?.cmd}>{(cmd) => <code>{cmd()}</code>}</Show>
      <Show when={replay.facts.cursor !== undefined && replay.facts.failure}>
        {(failure) => (
          <span class="wrong" role="alert">
            {failure()}
          </span>
        )}
      </Show>
      <span class="grow" />
      <button type="button" class="pri" onClick={() => props.page.setReplaying(false)}>
        {props.page.info()?.ended_at ? "Leave the replay" : "Go live"}
      </button>
    </p>
  );
}

function Controls(props: Here & { full(): void; help(): void; helped: boolean }) {
  const { replay } = props.shown;
  const axis = replay.axis;
  return (
    <div class="replay-controls">
      <Scrubber replay={replay} onChoose={(ts) => replay.goTo(ts)} />
      <div class="row">
        <button
          type="button"
          aria-label="Previous command"
          title="Previous command  ["
          onClick={() => toMark(replay, "previous")}
        >
          <span aria-hidden="true">|◀</span>
        </button>
        <PlayButton shown={props.shown} onPlay={() => replay.play()} />
        <button type="button" aria-label="Next command" title="Next command  ]" onClick={() => toMark(replay, "next")}>
          <span aria-hidden="true">▶|</span>
        </button>
        <span class="time">
          {elapsedWord(axis()?.played(replay.at) ?? 0)} / {elapsedWord(axis()?.length_ms ?? 0)}
        </span>
        <Speed {...props} />
        <span class="grow" />
        <button type="button" class="opt" aria-label="Full screen" title="Full screen  f" onClick={() => props.full()}>
          <span aria-hidden="true">⤢</span>
        </button>
        <button
          type="button"
          aria-expanded={props.helped}
          aria-label="Keys"
          title="Keys  ?"
          onClick={() => props.help()}
        >
          ?
        </button>
      </div>
    </div>
  );
}

function Speed(props: Here) {
  const { replay } = props.shown;
  const isShort = () => replay.facts.pauses === "short";
  return (
    <>
      <span class="speed">
        <button type="button" aria-label="Slower" title="Slower  −" onClick={() => replay.faster(-1)}>
          −
        </button>
        <output aria-label="Speed">{replay.facts.speed}×</output>
        <button type="button" aria-label="Faster" title="Faster  +" onClick={() => replay.faster(1)}>
          +
        </button>
      </span>
      <button
        type="button"
        aria-pressed={isShort()}
        title="Pauses of more than two seconds are cut short"
        onClick={() => replay.setPauses(isShort() ? "full" : "short")}
      >
        Skip pauses
      </button>
    </>
  );
}

function Help(props: { onShut(): void }) {
  return (
    <section class="replay-help" data-escape="own" aria-label="Keys of the replay">
      <dl>
        <For each={KEYS}>
          {([keys, does]) => (
            <div>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          )}
        </For>
      </dl>
      <button type="button" onClick={() => props.onShut()}>
        Close
      </button>
    </section>
  );
}
