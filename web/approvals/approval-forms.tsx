// What a person writes or chooses about a question: their own text instead, a reason for no, how far a yes reaches. They
// asked for it, so here the focus moves.
import { createSignal, For, type JSX, onMount } from "solid-js";
import { Answer } from "./approval-answers.tsx";
import type { CardProps } from "./approval-card.tsx";
import type { Scope } from "./approvals.ts";

function focusSoon(el: HTMLElement): void {
  onMount(() => el.focus());
}

function Form(props: { card: CardProps; label: string; children: JSX.Element }) {
  const { front } = props.card.page;
  const back = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    front.begin("look");
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
    <button type="button" onClick={() => props.page.front.begin("look")}>
      Back
    </button>
  );
}

/** Enter begins a new line here: only Ctrl+Enter, and the button, run it. */
export function ApprovalEdit(card: CardProps) {
  const { front } = card.page;
  return (
    <Form card={card} label="Run this instead">
      <textarea
        ref={focusSoon}
        aria-label="Run this instead"
        rows={Math.min(6, front.edited().split("\n").length)}
        spellcheck={false}
        value={front.edited()}
        onInput={(event) => front.setEdited(event.currentTarget.value)}
      />
      <span class="btns">
        <Answer card={card} class="pri" keys="Control+Enter" onAnswer={() => front.approve({ edit: front.edited() })}>
          Run this instead <kbd>Ctrl ⏎</kbd>
        </Answer>
        <Back {...card} />
      </span>
    </Form>
  );
}

export function ApprovalDeny(card: CardProps) {
  const { front } = card.page;
  const [reason, setReason] = createSignal("");
  const deny = () => front.deny(reason().trim());
  return (
    <Form card={card} label="Deny">
      <input
        ref={focusSoon}
        aria-label="Why not; the agent is told"
        placeholder="why not, for the agent (optional)"
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
  const { front } = card.page;
  const scopes = () => SCOPES.filter(({ scope }) => scope !== "session" || card.approval.session_id !== null);
  return (
    <Form card={card} label="Always allow">
      <p>
        From now on agents may run <code>{card.approval.always}</code> without asking:
      </p>
      <span class="btns">
        <For each={scopes()}>
          {({ scope, title }) => (
            <Answer card={card} onAnswer={() => front.approve({ always: scope })}>
              {title}
            </Answer>
          )}
        </For>
        <Back {...card} />
      </span>
    </Form>
  );
}
