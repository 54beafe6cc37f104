// The card of the command that runs: who has the keyboard, for how long it runs, and the terminal cut to its rows.
import { createSignal, onCleanup, onMount, Show } from "solid-js";
import type { ShownSession } from "../app/page-state.ts";
import { HostPill } from "../hosts/pill.tsx";
import { statusOf } from "../sessions/command-words.ts";
import { elapsedWord } from "../text/numbers.ts";
import { keyName } from "../widgets/keys.ts";
import { Command } from "./card-head.tsx";
import type { CardProps } from "./card-props.ts";
import { whoOf } from "./card-words.ts";

const SECOND_MS = 1_000;

export function LiveHead(props: CardProps) {
  const { page, shown, block } = props;
  const [now, setNow] = createSignal(Date.now());
  const tick = setInterval(() => setNow(Date.now()), SECOND_MS);
  onCleanup(() => clearInterval(tick));
  const take = () => page.actions.find("agent.take");
  const keys = () => take()?.keys?.[0];
  const agentHolds = () => shown.control.agentHolds();
  return (
    <header class="ctl">
      <span class="st run" aria-hidden="true">
        {statusOf(block).glyph}
      </span>
      <HostPill of={block.block_id} />
      <Command cmd={block.cmd} />
      <Holding shown={shown} isHere={page.isHere()} />
      <span class="r">
        <time>{elapsedWord(now() - block.ts_begin)}</time>
        <Show when={page.info()?.unmarked}>
          <button type="button" onClick={() => page.actions.find("session.integrate")?.run()}>
            Integrate
          </button>
        </Show>
        <Show when={agentHolds() || shown.control.isTaken()}>
          <button type="button" onClick={() => take()?.run()}>
            {agentHolds() ? "Take over" : "Hand back"} <Show when={keys()}>{(key) => <kbd>{keyName(key())}</kbd>}</Show>
          </button>
        </Show>
        <button
          type="button"
          class="opt"
          aria-label="Plain terminal without cards"
          title="Plain terminal without cards"
          onClick={() => page.settings.set({ view: "plain" })}
        >
          ⤢
        </button>
      </span>
    </header>
  );
}

/** Of halves side by side one has the keyboard. In the others the person's hold only keeps agents away. */
function Holding(props: { shown: ShownSession; isHere: boolean }) {
  const { control } = props.shown;
  const holder = () => whoOf(control.facts.hold);
  const asksPassword = () => control.facts.waiting?.kind === "password";
  return (
    <Show when={!asksPassword()} fallback={<b class="warn">password: only you can type</b>}>
      <Show
        when={holder().kind !== "you"}
        fallback={<b class="you">● {props.isHere ? "you have the keyboard" : "agents wait"}</b>}
      >
        <b class={holder().kind}>● {holder().word} has the keyboard</b>
        <Show when={control.agentHolds()}>
          <span class="opt mut">your keys are not sent</span>
        </Show>
      </Show>
    </Show>
  );
}

export function LiveBody(props: { shown: ShownSession }) {
  const { live } = props.shown;
  let box: HTMLDivElement | undefined;
  onMount(() => {
    if (!box) return;
    live.place(box, "command");
    // Only the card that has the terminal gives it back. The next card may already have it.
    onCleanup(() => {
      if (box?.contains(live.host)) live.park();
    });
  });
  /** Rows above the command belong to other cards, so the wheel scrolls the transcript there. */
  const wheel = (event: WheelEvent) => {
    if (live.terminal.showsWhole()) event.stopPropagation();
  };
  return (
    <div class="live-body" data-nudged={live.facts.nudged} data-alt={live.facts.alt_screen}>
      <div
        class="crop"
        ref={(own) => {
          box = own;
          own.addEventListener("wheel", wheel, { capture: true, passive: true });
        }}
        style={{ height: `${live.facts.crop_px ?? 0}px` }}
      />
      {/* Shown apart from the screen, because it is not typed yet. The dock shows it to everyone else. */}
      <Show when={props.shown.proposedKeys()}>
        {(keys) => (
          <p class="ghost" aria-hidden="true">
            {keys()}
          </p>
        )}
      </Show>
    </div>
  );
}
