// What a person writes or chooses for a question: other text, a reason for no, how far a yes reaches. They
// asked for the form, so the focus moves into it.
import { createSignal, For, type JSX, onMount } from "solid-js";
import { Answer } from "./answers.tsx";
import type { CardProps } from "./card-props.ts";
import type { Scope } from "./queue.ts";

function focusSoon(el: HTMLElement): void {
  onMount(() => el.focus());
}

function Form(props: { card: CardProps; label: string; children: JSX.Element }) {
  const { currentApproval } = props.card.page;
  const back = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    currentApproval.begin("look");
    props.card.page.focus();
  };
  return (
    <fieldset class="form" data-escape="own" aria-label={props.label} onKeyDown={back}>
      {props.children}
    </fieldset>
  );
}

function Back(props: CardProps) {
  return (
    <button type="button" onClick={() => props.page.currentApproval.begin("look")}>
      Back
    </button>
  );
}

/** Enter begins a new line here. Only Ctrl+Enter and the button run it. */
export function ApprovalEdit(card: CardProps) {
  const { currentApproval } = card.page;
  return (
    <Form card={card} label="Run this instead">
      <textarea
        ref={focusSoon}
        aria-label="Run this instead"
        rows={Math.min(6, currentApproval.edited().split("\n").length)}
        spellcheck={false}
        value={currentApproval.edited()}
        onInput={(event) => currentApproval.setEdited(event.currentTarget.value)}
      />
      <span class="btns">
        <Answer
          card={card}
          class="pri"
          keys="Control+Enter"
          onAnswer={() => currentApproval.approve({ edit: currentApproval.edited() })}
        >
          Run this instead <kbd>Ctrl ⏎</kbd>
        </Answer>
        <Back {...card} />
      </span>
    </Form>
  );
}

export function ApprovalDeny(card: CardProps) {
  const { currentApproval } = card.page;
  const [reason, setReason] = createSignal("");
  const deny = () => currentApproval.deny(reason().trim());
  return (
    <Form card={card} label="Deny">
      <input
        ref={focusSoon}
        aria-label="Reason, shown to the agent"
        placeholder="Reason, shown to the agent (optional)"
        maxlength={1_000}
        autocomplete="off"
        value={reason()}
        onInput={(event) => setReason(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Enter" && !event.isComposing && deny()}
      />
      <span class="btns">
        <button type="button" class="bad" onClick={deny}>
          Deny <kbd>⏎</kbd>
        </button>
        <Back {...card} />
      </span>
    </Form>
  );
}

const SCOPES: readonly { readonly scope: Scope; readonly title: string }[] = [
  { scope: "session", title: "in this session" },
  { scope: "project", title: "in this project" },
  { scope: "user", title: "everywhere, for me" },
];

export function ApprovalAlways(card: CardProps) {
  const { currentApproval } = card.page;
  const scopes = () => SCOPES.filter(({ scope }) => scope !== "session" || card.approval.session_id !== null);
  return (
    <Form card={card} label="Always allow">
      <p>
        From now on agents may run <code>{card.approval.always}</code> without asking:
      </p>
      <span class="btns">
        <For each={scopes()}>
          {({ scope, title }) => (
            <Answer card={card} onAnswer={() => currentApproval.approve({ always: scope })}>
              {title}
            </Answer>
          )}
        </For>
        <Back {...card} />
      </span>
    </Form>
  );
}
