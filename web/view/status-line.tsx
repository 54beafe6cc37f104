// The line at the bottom: connection, how much was read, who has the keyboard.
import { Show } from "solid-js";
import type { SessionInfo } from "../../src/protocol/session.ts";
import type { Live } from "../state/live.ts";
import type { Reach } from "../state/sessions.ts";
import { grouped, holderOf, isOver } from "../state/words.ts";

export interface StatusLineProps {
  readonly reach: Reach;
  readonly live: Live | undefined;
  readonly info: SessionInfo | undefined;
}

export function StatusLine(props: StatusLineProps) {
  const connection = () => {
    const phase = props.live?.facts.phase;
    if (phase === "open") return { dot: "run", word: "connected" };
    if (phase === "connecting" || props.reach === "loading") return { dot: "wait", word: "connecting" };
    if (phase === "reconnecting" || props.reach === "offline") return { dot: "wait", word: "reconnecting" };
    return { dot: "run", word: "ready" };
  };
  const over = () => isOver(props.live?.facts.state ?? props.info?.state ?? "running");
  const holder = () => holderOf(props.live?.facts.hold ?? props.info?.hold ?? "nobody");
  return (
    <footer>
      <span role="status">
        <i class={`dot ${connection().dot}`} /> {connection().word}
      </span>
      <Show when={props.live}>
        {(live) => (
          <>
            <span title="bytes of output received">byte {grouped(live().facts.cursor)}</span>
            <Show when={!over()}>
              <span>
                keyboard: <b class={holder().kind}>{holder().word}</b>
              </span>
            </Show>
          </>
        )}
      </Show>
      <span class="grow" />
      <Show when={props.info}>{(info) => <span>{info().session_id}</span>}</Show>
      <Show when={props.live}>
        <span>
          <kbd>F6</kbd> leave the terminal
        </span>
      </Show>
    </footer>
  );
}
