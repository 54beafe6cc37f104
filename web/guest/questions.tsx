// What needs the guest, or would need the owner: keys that were not sent, the keyboard, and questions of agents. Only who may answer
// gets a card with buttons; the others see that something is asked. An answer counts once: a rule would outlive the link.
import { Show } from "solid-js";
import { wants } from "../../src/core/base/question-words.ts";
import { ApprovalCard } from "../approvals/card.tsx";
import { Notice } from "../approvals/notices.tsx";
import { shorten, whoAsks } from "../approvals/words.ts";
import { TAKE_KEY } from "../widgets/browser-keys.ts";
import type { Seat } from "./seat.ts";

export function GuestDock(props: { seat: Seat }) {
  const { seat } = props;
  const { approvals, currentApproval, shared } = seat;
  const mayAnswer = shared.role === "approve";
  const asked = () => currentApproval.current();
  const place = { threshold: () => undefined, takeOver: seat.takeOver, showTerminal: seat.focus };
  return (
    <section class="dock" aria-label="What needs you">
      <KeyboardNotices seat={seat} />
      <Show when={approvals.note()}>{(note) => <p class="note">{note()}</p>}</Show>
      <Show when={mayAnswer && asked()} keyed>
        {(approval) => <ApprovalCard page={seat} seat={place} approval={{ ...approval, always: null }} />}
      </Show>
      <Show when={!mayAnswer && asked()}>
        {(approval) => (
          <p class="note asks">
            <i class="dot wait" />
            <span class="who">
              {whoAsks(approval())} {wants(approval())}
            </span>
            <code>{shorten(approval().text)}</code>
            <span class="grow" />
            <span class="mut">the owner is asked</span>
          </p>
        )}
      </Show>
      <p class="unseen" role="status">
        {approvals.note()}
      </p>
      <p class="unseen" aria-live="assertive">
        <Show when={asked()}>{(approval) => `${whoAsks(approval())} ${wants(approval())}: ${approval().text}`}</Show>
      </p>
    </section>
  );
}

function KeyboardNotices(props: { seat: Seat }) {
  const { seat } = props;
  const { control, live } = seat;
  return (
    <>
      <Show when={live.facts.kept_back}>
        {(why) => (
          <Notice tone="warn" words={why()}>
            <Show when={seat.mayType()}>
              <button type="button" onClick={() => seat.takeOver()}>
                Take over <kbd>{TAKE_KEY}</kbd>
              </button>
            </Show>
          </Notice>
        )}
      </Show>
      <Show when={control.isTaken()}>
        <Notice tone="you" words="You have the keyboard. Agents wait.">
          <button type="button" onClick={() => void control.release()}>
            Hand back <kbd>{TAKE_KEY}</kbd>
          </button>
        </Notice>
      </Show>
    </>
  );
}
