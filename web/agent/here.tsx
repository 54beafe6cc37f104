// Who is here: every agent that called lately, with what it did last and what it waits for.
import { For, Show } from "solid-js";
import { marked } from "../../src/core/base/invisible.ts";
import type { PageState } from "../app/page-state.ts";
import { holderOf } from "../sessions/labels.ts";
import { clockWord } from "../text/numbers.ts";
import { didWords, type PresentAgent, waitWords } from "./present.ts";

export function AgentsHere(props: { page: PageState }) {
  const agents = () => props.page.present.agents();
  return (
    <Show when={agents().length > 0}>
      <h2>Agents here</h2>
      <ul class="here">
        <For each={agents()}>{(agent) => <Here page={props.page} agent={agent} />}</For>
      </ul>
    </Show>
  );
}

function Here(props: { page: PageState; agent: PresentAgent }) {
  const { page } = props;
  const waits = () => waitWords(props.agent, page.approvals.pending);
  const session = () => page.sessions.find(props.agent.session_id ?? "");
  return (
    <li>
      <span class="pill agent">{holderOf(props.agent.actor).word}</span>{" "}
      <Show when={waits()}>{(words) => <b class={words().includes("your") ? "warn" : "agent"}>{words()}</b>}</Show>
      <small>
        {clockWord(props.agent.ts)} {marked(didWords(props.agent, page.approvals.pending))}
        <Show when={session()?.session_id !== page.info()?.session_id && session()}>
          {(other) => (
            <>
              {" in "}
              <button type="button" class="link" onClick={() => page.select(other().session_id)}>
                {other().name ?? other().session_id}
              </button>
            </>
          )}
        </Show>
      </small>
    </li>
  );
}
