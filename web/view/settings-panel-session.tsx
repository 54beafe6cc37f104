// What agents may do in the shown session.
import { Show } from "solid-js";
import type { Control } from "../state/control.ts";
import { Choice, Section, Toggle } from "./settings-panel-parts.tsx";

export function SessionSettings(props: { control: Control }) {
  const { control } = props;
  const policy = () => control.facts.policy;
  return (
    <Section title="This session">
      <Choice
        name="Agents may type"
        now={policy()?.level}
        options={[
          { value: "ask_first", title: "Ask first", means: "once for each program; then it goes on by itself" },
          { value: "always_ask", title: "Always ask", means: "for every command and every key" },
          { value: "always_allow", title: "Always allow", means: "only what safe mode holds back is asked" },
        ]}
        onChoose={(level) => control.setPolicy({ level })}
      />
      <Toggle
        title="Safe mode"
        means="Only commands known to be safe run without you."
        isOn={policy()?.safe_mode ?? true}
        onToggle={() => control.setPolicy({ safe_mode: policy()?.safe_mode === false ? "on" : "off" })}
      />
      <Toggle
        title="Auto-approve"
        means="Commands nobody knows run when the agent is sure enough; risky ones never."
        isOn={policy()?.auto_approve ?? false}
        onToggle={() => control.setPolicy({ auto_approve: policy()?.auto_approve ? "off" : "on" })}
      />
      <Show when={policy()?.auto_approve}>
        <label class="line">
          Sure enough
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
