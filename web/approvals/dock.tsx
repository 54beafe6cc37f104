// What needs the person, between the terminal and the prompt, below what the page has to say. It is never modal and never takes the focus. New items are announced to
// screen readers. Owns: the order of items.
import { Show } from "solid-js";
import { wants } from "../../src/core/base/question-words.ts";
import type { PageState, ShownSession } from "../app/page-state.ts";
import { HostPill } from "../hosts/pill.tsx";
import { labelOf, partName } from "../sessions/labels.ts";
import { ToastStack } from "../widgets/toast-stack.tsx";
import { ApprovalCard } from "./card.tsx";
import { DockNotices, seatAt } from "./notices.tsx";
import { shorten, whoAsks } from "./words.ts";

export function Dock(props: { page: PageState; shown?: ShownSession }) {
  const { page } = props;
  const { currentApproval, approvals } = page;
  return (
    <>
      <Show when={page.isHere()}>
        <ToastStack toasts={page.toasts} />
      </Show>
      <section class="dock" aria-label={partName("What needs you", page)}>
        <Show when={props.shown} keyed>
          {(shown) => <DockNotices page={page} shown={shown} />}
        </Show>
        <Show when={page.isHere() && approvals.note()}>{(note) => <p class="note">{note()}</p>}</Show>
        <Show when={currentApproval.current()} keyed>
          {(approval) => (
            <ApprovalCard page={page} seat={props.shown && seatAt({ page, shown: props.shown })} approval={approval} />
          )}
        </Show>
        <Elsewhere page={page} />
        <p class="unseen" role="status">
          {page.isHere() && approvals.note()}
        </p>
        <p class="unseen" aria-live="assertive">
          <Show when={currentApproval.current()}>
            {(approval) => `${whoAsks(approval())} ${wants(approval())}: ${approval().text}`}
          </Show>
        </p>
      </section>
    </>
  );
}

/** Questions of sessions that are not shown: one line for all of them, which leads to the oldest. */
function Elsewhere(props: { page: PageState }) {
  const all = () => props.page.currentApproval.elsewhere();
  const nameOf = (id: string | null) => {
    const info = props.page.sessions.find(id ?? "");
    return info ? labelOf(info) : (id ?? "");
  };
  return (
    <Show when={all()[0]}>
      {(oldest) => (
        <p class="note asks">
          <i class="dot wait" />
          <Show when={all().length > 1}>
            <span class="many">{all().length} questions in other sessions</span>
          </Show>
          <HostPill of={oldest().approval_id} />
          <b>{nameOf(oldest().session_id)}</b>
          <span class="who">
            {whoAsks(oldest())} {wants(oldest())}
          </span>
          <code>{shorten(oldest().text)}</code>
          <span class="grow" />
          <button type="button" onClick={() => props.page.select(oldest().session_id ?? "")}>
            Show
          </button>
        </p>
      )}
    </Show>
  );
}
