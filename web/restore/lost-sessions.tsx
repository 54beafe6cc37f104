// The card above everything: which sessions ran before the machine restarted, what each would start, and a person's yes. Beneath it,
// for a session that has come back, the way to the other one.
import { For, Show } from "solid-js";
import { marked } from "../../src/core/base/invisible.ts";
import type { Lost } from "../../src/protocol/ops/reopen.ts";
import type { SessionInfo } from "../../src/protocol/ops/session.ts";
import type { PageState } from "../app/page-state.ts";
import { createLost } from "./lost.ts";

export function LostSessions(props: { page: PageState }) {
  const { page } = props;
  const lost = createLost(page);
  const together = () => lost.offers().filter(({ alone }) => alone === null).length;
  return (
    <>
      <Show when={lost.offers().length > 0}>
        <section class="lost" aria-label="Sessions from before the restart">
          <header>
            <b>{headOf(lost.offers())}</b>
            <span class="grow" />
            <Show when={together() > 0}>
              <button type="button" class="pri" disabled={lost.isBusy()} onClick={() => void lost.start()}>
                {together() === lost.offers().length ? "Restore all" : `Restore ${together()}`}
              </button>
            </Show>
            <button type="button" onClick={() => lost.later()}>
              Later
            </button>
          </header>
          <ul>
            <For each={lost.offers()}>
              {(one) => (
                <li>
                  <Offer one={one} />
                  <button type="button" disabled={lost.isBusy()} onClick={() => void lost.start(one)}>
                    Restore
                  </button>
                  <button type="button" disabled={lost.isBusy()} onClick={() => void lost.forget(one)}>
                    Forget
                  </button>
                </li>
              )}
            </For>
          </ul>
        </section>
      </Show>
      <Show when={page.info()}>{(info) => <Other page={page} info={info()} />}</Show>
    </>
  );
}

function Offer(props: { one: Lost }) {
  const notes = () => [
    ...(props.one.alone === null ? [] : [`Asked about alone: ${props.one.alone}.`]),
    ...props.one.notes,
    ...(props.one.failed === null ? [] : [`It did not start: ${props.one.failed}`]),
  ];
  return (
    <span>
      <Show when={props.one.name}>{(name) => <b>{marked(name())} </b>}</Show>
      <code>{marked(props.one.line)}</code>{" "}
      <small>
        in {marked(props.one.cwd)}
        {props.one.box ? ", boxed" : ""}
      </small>
      <For each={notes()}>{(note) => <small>{marked(note)}</small>}</For>
    </span>
  );
}

function headOf(offers: readonly Lost[]): string {
  const count = `${offers.length} session${offers.length === 1 ? "" : "s"}`;
  const isEarlier = offers.some(({ boot }) => boot === "earlier");
  return isEarlier ? `${count} ran before the machine restarted` : `${count} ended without anybody's wish`;
}

function Other(props: { page: PageState; info: SessionInfo }) {
  const { page } = props;
  /** Cards have it above the first of them. */
  const from = () =>
    page.settings.now.view === "plain" || props.info.integration === "none" ? props.info.restored_from : undefined;
  const way = (id: string, said: string, verb: string) => (
    <p class="banner restored">
      <span>{said}</span>
      <button type="button" onClick={() => page.select(id)}>
        {verb}
      </button>
    </p>
  );
  return (
    <>
      <Show when={from()}>{(id) => way(id(), "This session ran before the restart.", "Show what it showed then")}</Show>
      <Show when={props.info.restored_as}>{(id) => way(id(), "It was started again.", "Go there")}</Show>
    </>
  );
}
