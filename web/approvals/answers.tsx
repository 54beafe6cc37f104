// The buttons of a question. A plain Enter never says yes, because it may have been meant for the prompt. Space, a click and
// Ctrl+Enter do. Buttons that are not armed yet look disabled but keep the focus. A no needs no reading to the end.
import { createSignal, For, type JSX, Match, Show, Switch } from "solid-js";
import { TAKE_KEY } from "../widgets/browser-keys.ts";
import type { CardProps } from "./card-props.ts";
import { handsOver, isYesOrNo } from "./words.ts";

export function ApprovalAnswers(props: CardProps) {
  return (
    <Switch fallback={<Message {...props} />}>
      <Match when={isYesOrNo(props.approval.kind)}>
        <YesOrNo {...props} />
      </Match>
      <Match when={props.approval.kind === "choice"}>
        <Choice {...props} />
      </Match>
      <Match when={handsOver(props.approval.kind)}>
        <Hands {...props} />
      </Match>
    </Switch>
  );
}

interface AnswerProps {
  readonly card: CardProps;
  readonly says?: "no";
  readonly class?: "pri";
  readonly keys?: string;
  readonly children: JSX.Element;
  onAnswer(): void;
}

export function Answer(props: AnswerProps) {
  const { currentApproval, approvals } = props.card.page;
  const isArmed = () => (props.says === "no" ? currentApproval.inSight() : currentApproval.armed());
  const isOff = () => !isArmed() || approvals.answering() !== undefined;
  return (
    <button
      type="button"
      class={props.class}
      aria-disabled={isOff()}
      aria-keyshortcuts={props.keys}
      onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
      onClick={() => !isOff() && props.onAnswer()}
    >
      {props.children}
    </button>
  );
}

function YesOrNo(card: CardProps) {
  const { currentApproval } = card.page;
  return (
    <span class="btns">
      <Answer card={card} class="pri" keys="Control+Enter" onAnswer={() => currentApproval.approve()}>
        Approve once <kbd>Ctrl ⏎</kbd>
      </Answer>
      <Show when={card.approval.kind === "run"}>
        <Answer card={card} keys="Control+E" onAnswer={() => currentApproval.begin("edit")}>
          Edit <kbd class="unwritten">Ctrl E</kbd>
        </Answer>
      </Show>
      <Deny {...card} />
      <Show when={card.approval.always !== null}>
        <Answer card={card} onAnswer={() => currentApproval.begin("always")}>
          Always allow ▾
        </Answer>
      </Show>
      <Show when={card.seat} keyed>
        {(seat) => (
          <button type="button" onClick={() => seat.takeOver()}>
            Take over <kbd>{TAKE_KEY}</kbd>
          </button>
        )}
      </Show>
    </span>
  );
}

function Deny(card: CardProps) {
  return (
    <Answer card={card} says="no" keys="Control+Backspace" onAnswer={() => card.page.currentApproval.begin("deny")}>
      Deny… <kbd class="unwritten">Ctrl ⌫</kbd>
    </Answer>
  );
}

function Choice(card: CardProps) {
  return (
    <span class="btns">
      <For each={card.approval.choices}>
        {(answer) => (
          <Answer card={card} onAnswer={() => card.page.currentApproval.approve({ answer })}>
            {answer}
          </Answer>
        )}
      </For>
      <Deny {...card} />
    </span>
  );
}

/** The agent handed the keyboard over. The person types, then says so. */
function Hands(card: CardProps) {
  const { currentApproval } = card.page;
  const isPassword = () => card.approval.kind === "password";
  return (
    <>
      <Show when={isPassword()}>
        <p class="mut">
          Only you can type; nothing is recorded, and the agent does not see it. The agent goes on by itself afterwards.
        </p>
      </Show>
      <span class="btns">
        <Show when={card.seat} keyed>
          {(seat) => (
            <button type="button" class="pri" onClick={() => seat.showTerminal()}>
              {isPassword() ? "Type the password" : "Take over"}
            </button>
          )}
        </Show>
        <Answer card={card} onAnswer={() => currentApproval.approve()}>
          Done, hand back
        </Answer>
        <Answer card={card} says="no" onAnswer={() => currentApproval.deny()}>
          Not now
        </Answer>
      </span>
    </>
  );
}

function Message(card: CardProps) {
  const { currentApproval } = card.page;
  const [answer, setAnswer] = createSignal("");
  function send(event: SubmitEvent): void {
    event.preventDefault();
    if (answer().trim() !== "") currentApproval.approve({ answer: answer().trim() });
  }
  return (
    <form class="btns" onSubmit={send}>
      <Answer card={card} class="pri" keys="Control+Enter" onAnswer={() => currentApproval.approve()}>
        OK <kbd>Ctrl ⏎</kbd>
      </Answer>
      <input
        aria-label="Your answer"
        placeholder="or answer in words"
        autocomplete="off"
        value={answer()}
        onInput={(event) => setAnswer(event.currentTarget.value)}
      />
      <Deny {...card} />
    </form>
  );
}
