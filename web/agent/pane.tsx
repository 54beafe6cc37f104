// The agent's side of the page: its state, its plan, the conversation, and the ask box. It is a column where there is room, and a
// sheet over the terminal elsewhere.
import { createSignal, Show } from "solid-js";
import type { PageState, ShownSession } from "../app/page-state.ts";
import { ReplayBar } from "../replay/bar.tsx";
import { AgentAsk } from "./ask.tsx";
import { ConversationView } from "./conversation-view.tsx";
import { AgentHead } from "./head.tsx";
import { AgentsHere } from "./here.tsx";
import { PlanList } from "./plan.tsx";

export function AgentPane(props: { page: PageState; shown: ShownSession }) {
  const { page, shown } = props;
  const isFresh = () => shown.agent.items.length === 0 && shown.agent.saying() === undefined;
  return (
    <aside aria-label="Agent" id="agent" data-sheet={page.sheet()}>
      <Show
        when={page.present.isReady() || !isFresh()}
        fallback={
          <header>
            <b>Agents</b>
          </header>
        }
      >
        <AgentHead page={page} shown={shown} />
      </Show>
      <div class="talk-scroll" tabindex={0}>
        <AgentsHere page={page} />
        <PlanList plan={shown.agent.status?.plan ?? []} />
        <Show when={!isFresh()} fallback={<Nothing page={page} />}>
          <ConversationView page={page} shown={shown} />
        </Show>
      </div>
      <Show when={!page.replaying()}>
        <ReplayBar page={page} shown={shown} />
      </Show>
      <Show when={page.present.isReady()}>
        <AgentAsk page={page} shown={shown} />
      </Show>
    </aside>
  );
}

/** What can be asked, or how to get somebody who can be asked. */
function Nothing(props: { page: PageState }) {
  return (
    <Show when={props.page.present.isReady()} fallback={<MaybeSetUp page={props.page} />}>
      <p class="empty">
        Ask for something to be done in this terminal: “run the tests and fix what fails”. You see every step, and what
        is risky waits for you.
      </p>
    </Show>
  );
}

/** Who has an agent already may want another one, but seldom. */
function MaybeSetUp(props: { page: PageState }) {
  return (
    <Show when={props.page.present.agents().length > 0} fallback={<SetUp page={props.page} />}>
      <details>
        <summary>Set up another agent</summary>
        <SetUp page={props.page} />
      </details>
    </Show>
  );
}

/** Seldom seen, so it is loaded when it is. */
function SetUp(props: { page: PageState }) {
  const [view, setView] = createSignal<typeof import("./set-up.tsx")>();
  void import("./set-up.tsx").then(setView);
  return (
    <Show when={view()} keyed>
      {({ SetUp }) => <SetUp page={props.page} />}
    </Show>
  );
}
