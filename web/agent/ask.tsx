// Where a person writes to the agent and chooses which one. Owns: the text until it is sent.
import { createSignal, For, Show } from "solid-js";
import type { PageState, ShownSession } from "../app/page-state.ts";
import { isOver } from "../sessions/labels.ts";
import { chosenAgent } from "./conversation.ts";

/** More lines are scrolled to. */
const ROWS_MAX = 6;

export function AgentAsk(props: { page: PageState; shown: ShownSession }) {
  const { page, shown } = props;
  const [text, setText] = createSignal("");
  const [steps, setSteps] = createSignal(false);
  const [sending, setSending] = createSignal(false);
  const chosen = () => chosenAgent(shown.agent.agents(), page.settings.now.agent);
  const isHosted = () => chosen()?.kind === "hosted";
  /** Why nothing can be asked now. The pane and the settings say what is missing. */
  const why = () => {
    if (isOver(shown.live.facts.state ?? "running")) return "This session has ended.";
    if (shown.agent.busy()) return "It is working on your task. Stop it to ask for something else.";
    if (chosen()?.available === false) return `${chosen()?.title} is not ready.`;
    return undefined;
  };

  async function send(): Promise<void> {
    const task = text().trim();
    if (task === "" || why() !== undefined || sending()) return;
    setSending(true);
    const name = chosen()?.name;
    const isTaken = await shown.agent.ask(task, { ...(name && { agent: name }), step_by_step: steps() && !isHosted() });
    setSending(false);
    if (isTaken) setText("");
  }

  return (
    <form
      class="ask-box"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <textarea
        data-ask
        aria-label="Ask the agent"
        aria-describedby="ask-why"
        placeholder="Ask the agent to do something here"
        rows={Math.min(ROWS_MAX, text().split("\n").length + 1)}
        value={text()}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.ctrlKey) return;
          event.preventDefault();
          void send();
        }}
      />
      <span class="row">
        <AgentPicker page={page} shown={shown} />
        <StepSwitch isOn={steps() && !isHosted()} can={!isHosted()} onToggle={() => setSteps(!steps())} />
        <button type="submit" disabled={why() !== undefined || sending() || text().trim() === ""}>
          Ask
        </button>
      </span>
      <p class="why mut" id="ask-why">
        <Show when={why()}>{(reason) => <>{reason()}</>}</Show>
      </p>
    </form>
  );
}

function StepSwitch(props: { isOn: boolean; can: boolean; onToggle(): void }) {
  return (
    <button
      type="button"
      class="sw"
      role="switch"
      aria-checked={props.isOn}
      disabled={!props.can}
      title={props.can ? "On: it pauses before each action" : "This agent cannot work step by step"}
      onClick={() => props.onToggle()}
    >
      <i />
      Step by step
    </button>
  );
}

function AgentPicker(props: { page: PageState; shown: ShownSession }) {
  const agents = () => props.shown.agent.agents();
  const chosen = () => chosenAgent(agents(), props.page.settings.now.agent);
  return (
    <select
      aria-label="Which agent"
      title={chosen()?.note ?? ""}
      value={chosen()?.name ?? ""}
      onChange={(event) => props.page.settings.set({ agent: event.currentTarget.value })}
    >
      <For each={agents()}>
        {({ name, title, available, note }) => (
          <option value={name} disabled={!available} title={note}>
            {available ? title : `${title} (not available)`}
          </option>
        )}
      </For>
    </select>
  );
}
