// Messages above or below the terminal when it is not simply live.
import { createSignal, onCleanup, Show } from "solid-js";
import type { Host } from "../hosts/words.ts";
import { awaySentence } from "../hosts/words.ts";
import { type End, endSentence } from "../sessions/labels.ts";
import type { ShownSession } from "./page-state.ts";

/** A daemon that died is usually back by then. */
const AWAY_MS = 5_000;

export function OfflineBanner(props: { shown: ShownSession }) {
  const { live, control } = props.shown;
  const { facts } = live;
  const kept = () => (control.facts.waiting?.kind === "password" ? "•".repeat(facts.kept.length) : facts.kept);
  const [isAway, setAway] = createSignal(false);
  const timer = setTimeout(() => setAway(true), AWAY_MS);
  onCleanup(() => clearTimeout(timer));
  return (
    <p class="banner over" role="status" data-nudged={facts.nudged}>
      <i class="dot wait" />{" "}
      <Show
        when={isAway()}
        fallback={
          <>
            Reconnecting… <span>Your programs keep running.</span>
          </>
        }
      >
        duetty is not running. Start it again with: <code>duetty</code>
      </Show>
      <Show when={facts.kept !== ""}>
        <span>
          Typed meanwhile: <code>{kept()}</code>
        </span>
        <button type="button" onClick={() => live.discardKept()}>
          Discard
        </button>
      </Show>
      <Show when={facts.nudged}>
        <span>No more keys are kept.</span>
      </Show>
    </p>
  );
}

/** The machine of this session is not here. What is shown is what it told last, and nothing that is typed is kept for later. */
export function AwayBanner(props: { host: Pick<Host, "host" | "reach" | "why">; shown: ShownSession }) {
  const { facts } = props.shown.live;
  return (
    <p class="banner over" role="status" data-nudged={facts.nudged}>
      <i class="dot wait" /> <b title={props.host.why ?? undefined}>{awaySentence(props.host)}</b>
      <span>
        {facts.nudged ? "Your keys are not sent." : "Until it is back nothing is sent: a line stays in the prompt."}
      </span>
      <Show when={props.host.why}>{(why) => <span class="why">{why()}</span>}</Show>
    </p>
  );
}

export function EndedBanner(props: { end: End | undefined; nudged: boolean; onNew(): void }) {
  const end = () => props.end ?? { exit_code: null, signal: null };
  const tone = () => (end().exit_code === 0 ? "idle" : "fail");
  return (
    <p class="banner under" role="status" data-nudged={props.nudged}>
      <i class={`dot ${tone()}`} /> <b>{endSentence(end())}</b>
      <span>{props.nudged ? "Your keys no longer reach a program." : "This is its last screen."}</span>
      <span class="grow" />
      <button type="button" onClick={() => props.onNew()}>
        New session
      </button>
    </p>
  );
}
