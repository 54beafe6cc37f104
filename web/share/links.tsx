// The links that were given away: to whom, for what, how long and how often, and who is here by them; each can be taken back.
import { createEffect, createSignal, For, on, onCleanup, Show } from "solid-js";
import type { Share } from "../../src/protocol/ops/share.ts";
import type { PageState } from "../app/page-state.ts";
import { labelOf } from "../sessions/labels.ts";
import { call, isFault } from "../wire/api.ts";
import { ROLES, timeWords } from "./words.ts";

/** Who opens a link of another session is told by nobody. */
const LOOK_MS = 5_000;

interface ShareLinksProps {
  readonly page: PageState;
  /** Only links to this one. */
  readonly session_id?: string;
  /** What changes it. */
  renew?(): unknown;
}

export function ShareLinks(props: ShareLinksProps) {
  const { page } = props;
  const [shares, setShares] = createSignal<readonly Share[]>();
  async function look(): Promise<void> {
    const answer = await call("shares", props.session_id === undefined ? {} : { session_id: props.session_id });
    if (isFault(answer)) page.toasts.fault(answer);
    else setShares(answer.shares);
  }
  async function takeBack(id: string): Promise<void> {
    const answer = await call("unshare", { id });
    if (isFault(answer)) page.toasts.fault(answer);
    await look();
  }
  createEffect(
    on(
      () => props.renew?.(),
      () => void look(),
    ),
  );
  const timer = setInterval(() => void look(), LOOK_MS);
  onCleanup(() => clearInterval(timer));
  const sessionOf = ({ session_id }: Share) => {
    const info = page.sessions.find(session_id);
    return info ? labelOf(info) : session_id;
  };
  return (
    <ul class="rows shares">
      <For each={shares()} fallback={<li class="mut">{shares() ? "Nothing is shared." : ""}</li>}>
        {(share) => (
          <li>
            <span class="what">
              <b>{share.name}</b> <Show when={props.session_id === undefined}>in {sessionOf(share)} </Show>
              <small>{describe(share)}</small>
            </span>
            <span class="grow" />
            <Show when={share.here > 0}>
              <span class="pill guest">here</span>
            </Show>
            <button
              type="button"
              aria-label={`Take ${share.name}'s link to ${sessionOf(share)} back`}
              onClick={() => void takeBack(share.id)}
            >
              Take back
            </button>
          </li>
        )}
      </For>
    </ul>
  );
}

function describe({ role, expires_at, uses_left, masked }: Share): string {
  const uses = uses_left === null ? undefined : usesWords(uses_left);
  const secrets = masked ? undefined : "sees secrets";
  return [ROLES[role].short, `until ${timeWords(expires_at)}`, uses, secrets].filter(Boolean).join(" · ");
}

function usesWords(left: number): string {
  if (left === 0) return "used up";
  return left === 1 ? "opens once more" : `opens ${left} more times`;
}
