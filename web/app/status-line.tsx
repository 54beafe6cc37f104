// The line at the bottom: connection, how much was read, who has the keyboard, what agents may do.
import { Show } from "solid-js";
import { PolicyMenu } from "../approvals/policy-menu.tsx";
import { holderOf, isOver } from "../sessions/labels.ts";
import { grouped } from "../text/numbers.ts";
import type { PageState } from "./page-state.ts";

export function StatusLine(props: { page: PageState }) {
  const { page } = props;
  const live = () => page.shown()?.live;
  const over = () => isOver(live()?.facts.state ?? page.info()?.state ?? "running");
  return (
    <footer>
      <Connection page={page} />
      <Show when={live()}>
        {(shown) => <span title="bytes of output received">byte {grouped(shown().facts.cursor)}</span>}
      </Show>
      <Show when={!over() && page.shown()} keyed>
        {(shown) => (
          <>
            <Holder page={page} />
            <PolicyMenu control={shown.control} />
            <span class="opt">safe mode {shown.control.facts.policy?.safe_mode === false ? "off" : "on"}</span>
          </>
        )}
      </Show>
      <span class="grow" />
      <Show when={page.info()}>{(info) => <span class="opt">{info().session_id}</span>}</Show>
      <Show when={live()}>
        <span class="opt in-terminal">
          <kbd>F6</kbd> leave the terminal
        </span>
      </Show>
    </footer>
  );
}

function Connection(props: { page: PageState }) {
  const connection = () => {
    const phase = props.page.shown()?.live.facts.phase;
    const reach = props.page.sessions.reach();
    if (phase === "open") return { dot: "run", word: "connected" };
    if (phase === "connecting" || reach === "loading") return { dot: "wait", word: "connecting" };
    if (phase === "reconnecting" || reach === "offline") return { dot: "wait", word: "reconnecting" };
    return { dot: "run", word: "ready" };
  };
  return (
    <span role="status">
      <i class={`dot ${connection().dot}`} /> {connection().word}
    </span>
  );
}

function Holder(props: { page: PageState }) {
  const holder = () => {
    const held = holderOf(props.page.shown()?.control.facts.hold ?? "nobody");
    if (held.kind !== "nobody") return held;
    // Whoever types first has it: while a command runs, that is what the person types.
    return props.page.shown()?.transcript.running() ? holderOf("person") : { kind: held.kind, word: "free" };
  };
  const waiting = () => props.page.approvals.pending.length;
  return (
    <span>
      keyboard: <b class={holder().kind}>{holder().word}</b>
      <Show when={waiting() > 0}>
        {" · "}
        <b class="warn">
          {waiting()} approval{waiting() > 1 ? "s" : ""} waiting
        </b>
      </Show>
    </span>
  );
}
