// What needs the person, between the terminal and the prompt. It is never modal and never takes the focus. New items are announced to
// screen readers. Owns: the order of items.
import { For, Show } from "solid-js";
import type { Approval } from "../../src/protocol/ops/gate.ts";
import type { PageState, ShownSession } from "../app/page-state.ts";
import { labelOf } from "../sessions/labels.ts";
import { ApprovalCard } from "./card.tsx";
import { DockNotices } from "./notices.tsx";
import { shorten, wants, whoAsks } from "./words.ts";

export function Dock(props: { page: PageState; shown?: ShownSession }) {
  const { page } = props;
  const { currentApproval, approvals } = page;
  return (
    <section class="dock" aria-label="What needs you">
      <Show when={props.shown} keyed>
        {(shown) => <DockNotices page={page} shown={shown} />}
      </Show>
      <For each={currentApproval.elsewhere()}>{(approval) => <Elsewhere page={page} approval={approval} />}</For>
      <Show when={approvals.note()}>{(note) => <p class="note">{note()}</p>}</Show>
      <Show when={currentApproval.current()} keyed>
        {(approval) => <ApprovalCard page={page} shown={props.shown} approval={approval} />}
      </Show>
      <p class="unseen" role="status">
        {approvals.note()}
      </p>
      <p class="unseen" aria-live="assertive">
        <Show when={currentApproval.current()}>
          {(approval) => `${whoAsks(approval())} ${wants(approval())}: ${approval().text}`}
        </Show>
      </p>
    </section>
  );
}

/** A question of a session that is not shown: one line that leads there. */
function Elsewhere(props: { page: PageState; approval: Approval }) {
  const id = () => props.approval.session_id ?? "";
  const name = () => {
    const info = props.page.sessions.find(id());
    return info ? labelOf(info) : id();
  };
  return (
    <p class="note asks">
      <i class="dot wait" />
      <b>{name()}</b> {whoAsks(props.approval)} {wants(props.approval)} <code>{shorten(props.approval.text)}</code>
      <span class="grow" />
      <button type="button" onClick={() => props.page.select(id())}>
        Show
      </button>
    </p>
  );
}
