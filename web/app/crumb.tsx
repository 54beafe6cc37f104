// The line above the terminal: which session this is, how large, who has it.
import { Show } from "solid-js";
import type { SessionInfo } from "../../src/protocol/ops/session.ts";
import { isOwner } from "../../src/protocol/plain/person-name.ts";
import type { Presence } from "../../src/protocol/stream.ts";
import { HostPill, OwnPill } from "../hosts/pill.tsx";
import { diffAddress, sessionAddress } from "../sessions/address.ts";
import {
  commandLine,
  dotOf,
  endWord,
  holderOf,
  isOver,
  labelAmong,
  labelOf,
  shortPath,
  stateWord,
} from "../sessions/labels.ts";
import { agentIn, placeIn, treeWord } from "../sessions/words.ts";
import { keyName } from "../widgets/keys.ts";
import type { PageState, ShownSession } from "./page-state.ts";

export function Crumb(props: { page: PageState; info: SessionInfo; shown: ShownSession }) {
  const { live, control } = props.shown;
  const state = () => live.facts.state ?? props.info.state;
  const size = () => live.facts.size ?? props.info;
  const holder = () => holderOf(live.facts.hold ?? props.info.hold);
  const guests = () => control.facts.here.filter(({ actor }) => !isOwner(actor));
  const others = () => props.info.viewers - 1 - guests().length;
  const isNeeded = () => props.page.needs.of(props.info.session_id) !== undefined;
  const agent = () => (isOver(state()) ? undefined : agentIn(props.info));
  const shown = () => (state() === "waiting_for_input" && !isNeeded() ? "running" : state());
  const offline = () => live.facts.phase === "reconnecting";
  const word = () =>
    isOver(state()) ? endWord(state(), live.facts.end ?? props.info) : (agent()?.word ?? stateWord(shown()));
  const dot = () => (offline() ? "wait" : (agent()?.dot ?? dotOf(shown())));
  return (
    <header class="crumb" onPointerDown={(event) => startDrag(event, props)}>
      <HasKeys page={props.page} />
      <Show when={isMany(props.page)} fallback={<HostPill of={props.info.session_id} />}>
        <OwnPill hosts={props.page.hosts} of={props.info.session_id} />
      </Show>
      <b>{isMany(props.page) ? labelAmong(props.info, props.page.sessions.running()) : labelOf(props.info)}</b>
      <span class="path" title={props.info.cwd}>
        {shortPath(props.info.cwd)}
      </span>
      <Show when={props.info.worktree?.branch ?? props.info.branch}>
        {(branch) => <span class="branch">⎇ {branch()}</span>}
      </Show>
      <Place info={props.info} />
      <TreeLink page={props.page} info={props.info} />
      <Show when={props.info.name}>
        <code class="opt" title={props.info.command.join(" ")}>
          {commandLine(props.info.command)}
        </code>
      </Show>
      <span class="pill opt" title="columns × rows: who typed last decides">
        {size().cols}×{size().rows}
      </span>
      <span class="grow" />
      <Show when={live.facts.sizing === "watch" && !isOver(state()) && !offline()}>
        <button type="button" aria-label="Fit to me" onClick={() => live.fitToMe()}>
          Fit<span class="opt"> to me</span>
        </button>
      </Show>
      <Show when={others() > 0}>
        <span class="pill opt">
          +{others()} viewer{others() > 1 ? "s" : ""}
        </span>
      </Show>
      <ShareButton page={props.page} guests={guests()} />
      <Show when={holder().kind !== "nobody" && !isOver(state())}>
        <span class={`pill holder ${holder().kind}`}>{holder().word}</span>
      </Show>
      <span class="state" title={offline() ? "offline" : word()}>
        <i class={`dot ${dot()}`} /> <span>{offline() ? "offline" : word()}</span>
      </span>
      <HalfButtons page={props.page} />
    </header>
  );
}

/** Its head moves a session among those that share the page. What is on it keeps its own use. */
function startDrag(event: PointerEvent, { page, info }: { page: PageState; info: SessionInfo }): void {
  const isOnIt = event.target instanceof Element && event.target.closest("button, a") !== null;
  if (!isOnIt && isMany(page)) page.dragSession(event, info.session_id);
}

function isMany({ layout }: PageState): boolean {
  return layout.leaves().length > 1;
}

/** Where several sessions are shown: this one gets what is typed. */
function HasKeys(props: { page: PageState }) {
  return (
    <Show when={isMany(props.page) && props.page.isHere()}>
      <span class="has-keys" title="What you type goes here">
        ⌨<span class="unseen"> has the keyboard</span>
      </span>
    </Show>
  );
}

/** The shell inside of the session's program: on another machine, as another user, in a container. */
function Place(props: { info: SessionInfo }) {
  return (
    <Show when={placeIn(props.info)}>
      {(place) => (
        <span class="pill place" data-marks={place().marks} title={place().word}>
          ⇢ {place().word}
          <Show when={!place().marks}>
            <span class="opt">, no marks</span>
          </Show>
        </span>
      )}
    </Show>
  );
}

function HalfButtons(props: { page: PageState }) {
  const act = (id: string, glyph: string) => {
    const action = () => props.page.actions.find(id);
    const keys = () => (action()?.keys ?? []).map(keyName)[0];
    return (
      <button
        type="button"
        class="icon"
        aria-label={action()?.title}
        title={`${action()?.title}  ${keys()}`}
        onClick={() => action()?.run()}
      >
        {glyph}
      </button>
    );
  };
  return (
    <span class="half-buttons">
      {act("split.right", "◫")}
      <Show when={isMany(props.page)}>
        {act("split.zoom", "⤢")}
        {act("split.close", "✕")}
      </Show>
    </span>
  );
}

/** How a session's worktree stands, and the way to what changed in it or back. */
function TreeLink(props: { page: PageState; info: SessionInfo }) {
  const isDiff = () => props.page.route.view() === "diff";
  const { session_id } = props.info;
  return (
    <Show when={props.info.worktree}>
      {(tree) => (
        <a
          class="to-diff"
          href={isDiff() ? sessionAddress(session_id) : diffAddress(session_id)}
          title="± changed files, ↑ commits ahead, ↓ behind"
        >
          {isDiff() ? "Terminal" : `Changes ${treeWord(tree())}`}
        </a>
      )}
    </Show>
  );
}

/** Says who is here by a link, and leads to all links. */
function ShareButton(props: { page: PageState; guests: Presence["here"] }) {
  const names = () => props.guests.map(({ actor }) => holderOf(actor).word);
  const many = () => (names().length > 1 ? `${names()[0]} +${names().length - 1}` : names()[0]);
  return (
    <>
      <button
        type="button"
        class="share"
        data-guests={names().length}
        aria-haspopup="dialog"
        aria-label={many() ? `${many()} ${names().length > 1 ? "are" : "is"} here` : undefined}
        title={names().length > 0 ? `Here by a link: ${names().join(", ")}` : "Let somebody watch or type by a link"}
        onClick={() => props.page.setOverlay("share")}
      >
        <Show when={many()} fallback="Share">
          {(who) => (
            <>
              <i class="dot guest" /> <span class="who">{who()}</span>
              <span class="opt">{names().length > 1 ? "are here" : "is here"}</span>
            </>
          )}
        </Show>
      </button>
      <span class="unseen" role="status">
        {names().length > 0 ? `Here by a link: ${names().join(", ")}` : ""}
      </span>
    </>
  );
}
