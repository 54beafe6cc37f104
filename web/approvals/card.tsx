// One question of an agent: who wants what, why it is asked, and the answers. Owns: nothing. current.ts knows which question is
// shown and whether it can be answered yet.
import { createUniqueId, Match, onCleanup, Show, Switch } from "solid-js";
import { laterWords, wants } from "../../src/core/base/question-words.ts";
import { HostPill } from "../hosts/pill.tsx";
import { ApprovalAnswers } from "./answers.tsx";
import { AskedText } from "./asked-text.tsx";
import type { CardProps } from "./card-props.ts";
import { ApprovalFacts } from "./facts.tsx";
import { ApprovalAlways, ApprovalDeny, ApprovalEdit } from "./forms.tsx";
import { countdown, isYesOrNo, nameOfText, whoAsks } from "./words.ts";

export function ApprovalCard(props: CardProps) {
  const { currentApproval } = props.page;
  const [heading, facts] = [createUniqueId(), createUniqueId()];
  let card: HTMLElement | undefined;
  // After an answer from inside the card, the focus returns to where the person types.
  onCleanup(() => {
    if (card?.contains(document.activeElement)) queueMicrotask(() => props.page.focus());
  });
  return (
    <section
      ref={card}
      class="appr"
      role="alertdialog"
      aria-modal="false"
      aria-labelledby={heading}
      aria-describedby={facts}
      data-kind={props.approval.kind}
      data-armed={currentApproval.armed()}
    >
      <Heading {...props} id={heading} />
      <AskedText
        seen={currentApproval.seen}
        text={props.approval.text}
        name={nameOfText(props.approval.kind)}
        class={props.approval.kind === "keys" ? "what ghost" : isYesOrNo(props.approval.kind) ? "what" : "words"}
      />
      <Show when={props.approval.stdin}>
        {(stdin) => (
          <>
            <p class="mut">and reads:</p>
            <AskedText seen={currentApproval.seen} text={stdin()} name="what it reads" class="what" />
          </>
        )}
      </Show>
      <ApprovalFacts {...props} id={facts} />
      <p class="mut asker">
        {props.approval.waits ? `${whoAsks(props.approval)} is waiting for your answer.` : laterWords(props.approval)}
      </p>
      <Unseen {...props} />
      <Switch fallback={<ApprovalAnswers {...props} />}>
        <Match when={currentApproval.doing() === "edit"}>
          <ApprovalEdit {...props} />
        </Match>
        <Match when={currentApproval.doing() === "deny"}>
          <ApprovalDeny {...props} />
        </Match>
        <Match when={currentApproval.doing() === "always"}>
          <ApprovalAlways {...props} />
        </Match>
      </Switch>
    </section>
  );
}

/** Why the question cannot be approved yet. */
function Unseen(props: CardProps) {
  const { seen } = props.page.currentApproval;
  return (
    <Show when={seen.missing().length > 0}>
      <p class="more">
        <span role="status">To approve, look at {inWords(seen.missing())}.</span>
        <button type="button" aria-keyshortcuts="Alt+ArrowDown" onClick={() => seen.showMore()}>
          Show more <kbd>Alt ↓</kbd>
        </button>
      </p>
    </Show>
  );
}

function inWords(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function Heading(props: CardProps & { id: string }) {
  const { currentApproval } = props.page;
  const word = () => (isYesOrNo(props.approval.kind) ? "Approval" : "Question");
  return (
    <h2>
      <span class="count">
        <span aria-hidden="true">⚠ </span>
        {word()}
        <Show when={currentApproval.position().of > 1}>
          {` ${currentApproval.position().at} of ${currentApproval.position().of}`}
          <button type="button" class="icon" aria-label="Previous question" onClick={() => currentApproval.turn(-1)}>
            ◂
          </button>
          <button type="button" class="icon" aria-label="Next question" onClick={() => currentApproval.turn(1)}>
            ▸
          </button>
        </Show>
      </span>
      <span id={props.id}>
        <HostPill of={props.approval.approval_id} />
        <span class="pill agent">{whoAsks(props.approval)}</span> {wants(props.approval)}
      </span>
      <span class="left" role="timer" title="No answer counts as a no">
        {props.approval.waits ? "waits" : "open"} {countdown(currentApproval.left_ms())}
      </span>
    </h2>
  );
}
