// Messages above or below the terminal when it is not simply live.
import { type End, endSentence } from "../sessions/labels.ts";

export function OfflineBanner(props: { nudged: boolean }) {
  return (
    <p class="banner over" role="status" data-nudged={props.nudged}>
      <i class="dot wait" /> Reconnecting…{" "}
      <span>{props.nudged ? "Your keys are not sent." : "Your programs keep running."}</span>
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
