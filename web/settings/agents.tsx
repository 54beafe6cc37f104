// The agents that can be asked, what the others lack, and this browser's default.
import { For, Show } from "solid-js";
import { chosenAgent } from "../agent/conversation.ts";
import type { PageState, ShownSession } from "../app/page-state.ts";
import { Section } from "./parts.tsx";

export function AgentSettings(props: { page: PageState; shown: ShownSession }) {
  const { page, shown } = props;
  const chosen = () => chosenAgent(shown.agent.agents(), page.settings.now.agent)?.name;
  return (
    <Section title="Agents">
      <fieldset class="choice-of agents">
        <legend>Who is asked</legend>
        <For each={shown.agent.agents()}>
          {({ name, title, available, note, is_default }) => (
            <label>
              <input
                type="radio"
                name="set-agent"
                disabled={!available}
                checked={chosen() === name}
                onChange={() => page.settings.set({ agent: name })}
              />
              <span>
                {title}
                <Show when={is_default}>
                  {" "}
                  <span class="pill">default</span>
                </Show>
                <Show when={!available}>
                  {" "}
                  <span class="pill">not available</span>
                </Show>
                <small>{note}</small>
              </span>
            </label>
          )}
        </For>
      </fieldset>
    </Section>
  );
}
