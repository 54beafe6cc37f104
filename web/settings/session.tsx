// What agents may do in the shown session.
import { For, Show } from "solid-js";
import type { ShownSession } from "../app/page-state.ts";
import type { Control } from "../approvals/control.ts";
import { LEVELS } from "../approvals/words.ts";
import { Choice, Section, Toggle } from "./parts.tsx";

export function SessionSettings(props: { shown: ShownSession }) {
  const { control } = props.shown;
  const policy = () => control.facts.policy;
  return (
    <Section title="This session">
      <Choice
        name="Agents may type"
        now={policy()?.level}
        options={LEVELS}
        onChoose={(level) => control.setPolicy({ level })}
      />
      <Show when={policy()?.edit_folder}>
        {(folder) => <p class="hint">“Edit here” counts in {folder()}. Alt+U shows what undo would bring back.</p>}
      </Show>
      <For each={props.shown.agents()}>{(agent) => <AgentLevel control={control} agent={agent} />}</For>
      <Toggle
        title="Safe mode"
        means="Only commands known to be safe run without you."
        isOn={policy()?.safe_mode ?? true}
        onToggle={() => control.turn("safe_mode")}
      />
      <Toggle
        title="Auto-approve"
        means="Unrecognised commands run when the agent is confident; risky ones always ask."
        isOn={policy()?.auto_approve ?? false}
        onToggle={() => control.turn("auto_approve")}
      />
      <Show when={policy()?.auto_approve}>
        <label class="line">
          Confidence needed
          <input
            type="range"
            min="0"
            max="1"
            step="0.05"
            value={policy()?.threshold ?? 1}
            onChange={(event) => control.setPolicy({ threshold: event.currentTarget.valueAsNumber })}
          />
          <output>{(policy()?.threshold ?? 1).toFixed(2)}</output>
        </label>
      </Show>
    </Section>
  );
}

/** One agent may have a stricter or looser level than the others. */
function AgentLevel(props: { control: Control; agent: string }) {
  const own = () => props.control.facts.policy?.agent_levels[props.agent] ?? "session";
  const choices = [{ value: "session" as const, title: "Same as the session" }, ...LEVELS];
  return (
    <label class="line">
      {props.agent.replace("agent:", "")}
      <select
        value={own()}
        onChange={(event) => {
          const chosen = choices.find(({ value }) => value === event.currentTarget.value);
          // It shows the value from the daemon.
          event.currentTarget.value = own();
          if (chosen) props.control.setPolicy({ agent: props.agent, level: chosen.value });
        }}
      >
        <For each={choices}>{({ value, title }) => <option value={value}>{title}</option>}</For>
      </select>
    </label>
  );
}
