// The line above the terminal: which session this is, how large, who has it.
import { Show } from "solid-js";
import type { SessionInfo } from "../../src/protocol/ops/session.ts";
import { commandLine, dotOf, endWord, holderOf, isOver, labelOf, shortPath, stateWord } from "../sessions/labels.ts";
import { needsYou } from "../sessions/words.ts";
import type { Live } from "../terminal/live.ts";

export function Crumb(props: { info: SessionInfo; live: Live | undefined }) {
  const state = () => props.live?.facts.state ?? props.info.state;
  const size = () => props.live?.facts.size ?? props.info;
  const holder = () => holderOf(props.live?.facts.hold ?? props.info.hold);
  const others = () => props.info.viewers - 1;
  /** An editor waits for keys, but for nobody in particular. */
  const isNeeded = () => needsYou(props.info, { asked: false, shown: true });
  const shown = () => (state() === "waiting_for_input" && !isNeeded() ? "running" : state());
  const offline = () => props.live?.facts.phase === "reconnecting";
  const word = () => (isOver(state()) ? endWord(state(), props.live?.facts.end ?? props.info) : stateWord(shown()));
  return (
    <header class="crumb">
      <b>{labelOf(props.info)}</b>
      <span class="path" title={props.info.cwd}>
        {shortPath(props.info.cwd)}
      </span>
      <Show when={props.info.branch}>{(branch) => <span class="branch">⎇ {branch()}</span>}</Show>
      <Show when={props.info.name}>
        <code class="opt" title={props.info.command.join(" ")}>
          {commandLine(props.info.command)}
        </code>
      </Show>
      <span class="pill opt" title="columns × rows: who typed last decides">
        {size().cols}×{size().rows}
      </span>
      <span class="grow" />
      <Show when={props.live?.facts.sizing === "watch" && !isOver(state()) && !offline()}>
        <button type="button" aria-label="Fit to me" onClick={() => props.live?.fitToMe()}>
          Fit<span class="opt"> to me</span>
        </button>
      </Show>
      <Show when={others() > 0}>
        <span class="pill opt">
          +{others()} viewer{others() > 1 ? "s" : ""}
        </span>
      </Show>
      <Show when={holder().kind !== "nobody" && !isOver(state())}>
        <span class={`pill holder ${holder().kind}`}>{holder().word}</span>
      </Show>
      <span class="state" title={offline() ? "offline" : word()}>
        <i class={`dot ${offline() ? "wait" : dotOf(shown())}`} /> <span>{offline() ? "offline" : word()}</span>
      </span>
    </header>
  );
}
