// The sessions of one machine in the list: its heading, the running ones, the ended ones folded below. Owns: whether the ended ones are
// unfolded.
import { createSignal, createUniqueId, For, type JSX, onCleanup, Show } from "solid-js";
import type { SessionInfo } from "../../src/protocol/ops/session.ts";
import type { PageState } from "../app/page-state.ts";
import { type Host, hostDot, hostOf, hostTitle, hostWord } from "../hosts/words.ts";
import { SessionItem } from "./item.tsx";

/** Ages count minutes. */
const TICK_MS = 20_000;
/** Keys reach no further. */
const DIGITS = 9;

interface SessionGroupProps {
  readonly page: PageState;
  /** Undefined: this machine. */
  readonly host: Host | undefined;
  fits(session: SessionInfo): boolean;
  /** Somebody looks for one. */
  readonly looking: boolean;
  /** Between the running and the ended ones. */
  readonly children?: JSX.Element;
}

export function SessionGroup(props: SessionGroupProps) {
  const { page } = props;
  const id = createUniqueId();
  const name = () => props.host?.host;
  const isOurs = (session: SessionInfo) => hostOf(session.session_id) === name() && props.fits(session);
  const isOpen = () => props.looking || !page.hosts.isFolded(name() ?? "");
  /** The selected one is never hidden. */
  const isShown = ({ session_id }: SessionInfo) => isOpen() || session_id === page.route.selected();
  const running = () => page.sessions.running().filter(isOurs);
  /** Needs whose sessions are folded away. */
  const needs = () =>
    page.needs
      .all()
      .filter(({ session_id, approval_id }) => hostOf(session_id ?? approval_id) === name())
      .filter(({ session_id }) => !isOpen() && session_id !== page.route.selected()).length;
  /** The position in the whole list, so that Alt and a digit lead to the same session with any filter. */
  const digit = ({ session_id }: SessionInfo) => {
    const at = page.sessions.running().findIndex((session) => session.session_id === session_id) + 1;
    return at <= DIGITS ? at : undefined;
  };
  return (
    <div class="of-host" data-away={props.host !== undefined && props.host.reach !== "here"}>
      <Show when={page.hosts.all().length > 0}>
        <Heading
          page={page}
          host={props.host}
          isOpen={isOpen()}
          controls={id}
          count={running().length}
          needs={needs()}
        />
      </Show>
      <div id={id}>
        <ul>
          <For each={running().filter(isShown)}>
            {(session) => <SessionItem page={page} session={session} digit={digit(session)} />}
          </For>
        </ul>
        {props.children}
        <Show when={isOpen()}>
          <Ended page={page} fits={isOurs} looking={props.looking} />
        </Show>
      </div>
    </div>
  );
}

interface HeadingProps {
  readonly page: PageState;
  readonly host: Host | undefined;
  readonly isOpen: boolean;
  readonly controls: string;
  readonly count: number;
  readonly needs: number;
}

function Heading(props: HeadingProps) {
  const { hosts } = props.page;
  const [now, setNow] = createSignal(Date.now());
  const tick = setInterval(() => setNow(Date.now()), TICK_MS);
  onCleanup(() => clearInterval(tick));
  return (
    <h3>
      <button
        type="button"
        class="host-head"
        aria-expanded={props.isOpen}
        aria-controls={props.controls}
        title={props.host ? hostTitle(props.host, now()) : "This machine"}
        onClick={() => hosts.fold(props.host?.host ?? "")}
      >
        <span aria-hidden="true">{props.isOpen ? "▾" : "▸"}</span>
        <span class="nm">{props.host?.host ?? hosts.me()}</span>
        <Show when={!props.isOpen && props.count > 0}>
          <span class="count">{props.count}</span>
        </Show>
        <Show when={props.needs > 0}>
          <span class="pill warn">{props.needs > 1 ? `${props.needs} need you` : "needs you"}</span>
        </Show>
        <Show when={props.host} fallback={<span class="reach">this machine</span>}>
          {(host) => (
            <span class="reach">
              <i class={`dot ${hostDot(host())}`} /> {hostWord(host(), now())}
            </span>
          )}
        </Show>
      </button>
    </h3>
  );
}

function Ended(props: { page: PageState; fits(session: SessionInfo): boolean; looking: boolean }) {
  const { page } = props;
  const id = createUniqueId();
  const [past, setPast] = createSignal<"folded" | "shown">("folded");
  const all = () => page.sessions.ended().filter((session) => props.fits(session));
  const open = () => past() === "shown" || props.looking;
  /** The selected one is never hidden. */
  const shown = () => (open() ? all() : all().filter(({ session_id }) => session_id === page.route.selected()));
  return (
    <Show when={all().length > 0}>
      <button
        type="button"
        class="fold"
        aria-expanded={open()}
        aria-controls={id}
        onClick={() => setPast(past() === "shown" ? "folded" : "shown")}
      >
        <span aria-hidden="true">{open() ? "▾" : "▸"}</span> Ended ({all().length})
      </button>
      <ul id={id}>
        <For each={shown()}>{(session) => <SessionItem page={page} session={session} />}</For>
      </ul>
    </Show>
  );
}
