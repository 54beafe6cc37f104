// The page behind a link: the shared terminal with who and what about it, or why there is none.
import { createEffect, createSignal, Match, on, onCleanup, onMount, Show, Switch } from "solid-js";
import { endSentence, isOver } from "../sessions/labels.ts";
import type { Appearance } from "../settings/appearance.ts";
import { PlainTerminal } from "../terminal/plain.tsx";
import { TouchKeys } from "../terminal/touch-keys.tsx";
import { ToastStack } from "../widgets/toast-stack.tsx";
import { GuestBar } from "./bar.tsx";
import { listenForKeys } from "./keys.ts";
import { GuestDock } from "./questions.tsx";
import type { Seat } from "./seat.ts";
import type { Over, Visit } from "./visit.ts";
import { OVER } from "./words.ts";

/** The space around the terminal. */
const FRAME_PX = { width: 16, height: 14 };

export function GuestPage(props: { visit: Visit; appearance: Appearance }) {
  const { visit } = props;
  return (
    <Switch fallback={<Place title="Opening what was shared…" />}>
      <Match when={visit.seat()} keyed>
        {(seat) => <SharedSession seat={seat} appearance={props.appearance} />}
      </Match>
      <Match when={visit.over()}>{(why) => <OverPlace why={why()} />}</Match>
    </Switch>
  );
}

function SharedSession(props: { seat: Seat; appearance: Appearance }) {
  const { seat, appearance } = props;
  const { live } = seat;
  let main: HTMLElement | undefined;
  const over = () => isOver(live.facts.state ?? seat.shared.session.state);
  /** Without what comes and goes below it, such as a question: letters keep their size. */
  function measure(): void {
    if (!main) return;
    const keys = main.querySelector<HTMLElement>(".keys")?.offsetHeight ?? 0;
    live.setRoom(main.clientWidth - FRAME_PX.width, main.clientHeight - keys - FRAME_PX.height);
  }
  onMount(() => {
    const watch = new ResizeObserver(measure);
    if (main) watch.observe(main);
    onCleanup(() => watch.disconnect());
    const keyboard = live.host.querySelector("textarea");
    // A phone shows no keyboard that is of no use.
    if (keyboard && !seat.mayType()) Object.assign(keyboard, { readOnly: true, ariaLabel: "Terminal, read only" });
  });
  onCleanup(listenForKeys(seat));
  createEffect(on(appearance.look, () => queueMicrotask(() => live.terminal.retheme()), { defer: true }));
  return (
    <div class="visit">
      <GuestBar seat={seat} appearance={appearance} />
      <main ref={main}>
        <div class="room">
          <PlainTerminal live={live} />
          <Show when={live.facts.phase === "reconnecting"}>
            <Away seat={seat} />
          </Show>
        </div>
        <Show when={over()}>
          <p class="banner under" role="status">
            <i class="dot idle" /> <b>{endSentence(live.facts.end ?? seat.shared.session)}</b>{" "}
            <span>This is its last screen.</span>
          </p>
        </Show>
        <ToastStack toasts={seat.toasts} />
        <GuestDock seat={seat} />
        <Show when={seat.mayType() && !over()}>
          <TouchKeys live={live} />
        </Show>
      </main>
    </div>
  );
}

/** What was typed meanwhile is sent when there is a connection again, unless the guest does not want it any more. */
function Away(props: { seat: Seat }) {
  const { live } = props.seat;
  return (
    <p class="banner over" role="status">
      <i class="dot wait" /> Reconnecting… <span>The session keeps running.</span>
      <Show when={live.facts.kept !== ""}>
        <span>
          Typed meanwhile: <code>{live.facts.kept}</code>
        </span>
        <button type="button" onClick={() => live.discardKept()}>
          Discard
        </button>
      </Show>
    </p>
  );
}

function OverPlace(props: { why: Over }) {
  createEffect(() => {
    document.title = `${OVER[props.why].title} · duetty`;
  });
  return <Place title={OVER[props.why].title} words={OVER[props.why].words} />;
}

function Place(props: { title: string; words?: string }) {
  const [heading, setHeading] = createSignal<HTMLElement>();
  // Screen readers read what stands where the terminal was.
  createEffect(() => props.title && heading()?.focus());
  return (
    <main class="place whole">
      <p class="glyph" aria-hidden="true">
        ▚
      </p>
      <h1 tabindex={-1} ref={setHeading}>
        {props.title}
      </h1>
      <Show when={props.words}>
        <p role="status">{props.words}</p>
      </Show>
    </main>
  );
}
