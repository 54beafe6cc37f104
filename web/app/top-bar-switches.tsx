// Safe mode and auto-approve. Each switch explains itself in its tooltip.
import { Show } from "solid-js";
import type { Control } from "../approvals/control.ts";
import { Popover } from "../widgets/popover.tsx";

export function SafeMode(props: { control: Control }) {
  const isOn = () => props.control.facts.policy?.safe_mode ?? true;
  return (
    <button
      type="button"
      class="sw"
      role="switch"
      aria-checked={isOn()}
      title="On: only commands known to be safe run without you"
      onClick={() => props.control.turn("safe_mode")}
    >
      <i />
      Safe mode
    </button>
  );
}

export function AutoApprove(props: { control: Control }) {
  const isOn = () => props.control.facts.policy?.auto_approve ?? false;
  return (
    <span class="auto">
      <button
        type="button"
        class="sw"
        role="switch"
        aria-checked={isOn()}
        title="On: unrecognised commands run when the agent is confident; risky ones always ask"
        onClick={() => props.control.turn("auto_approve")}
      >
        <i />
        Auto-approve
      </button>
      <Show when={isOn()}>
        <Popover
          name="Confidence needed"
          button={(props.control.facts.policy?.threshold ?? 0.9).toFixed(2)}
          class="sure"
        >
          {() => <Threshold control={props.control} />}
        </Popover>
      </Show>
    </span>
  );
}

function Threshold(props: { control: Control }) {
  const value = () => props.control.facts.policy?.threshold ?? 0.9;
  return (
    <label class="threshold">
      <span>
        Confidence needed <b>{value().toFixed(2)}</b>
      </span>
      <input
        type="range"
        min="0.5"
        max="1"
        step="0.01"
        value={value()}
        onChange={(event) => props.control.setPolicy({ threshold: event.currentTarget.valueAsNumber })}
      />
      <small class="mut">
        Unrecognised commands run when the agent is at least this confident. Risky ones always ask.
      </small>
    </label>
  );
}
