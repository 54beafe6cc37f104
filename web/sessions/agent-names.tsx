// Agent CLIs that people are likely to have, as suggestions for a field with list="agents". Others can be typed.
import { For } from "solid-js";

const NAMES = ["claude", "codex", "copilot", "gemini", "opencode", "qwen"];

export function AgentNames() {
  return (
    <datalist id="agents">
      <For each={NAMES}>{(name) => <option value={name} />}</For>
    </datalist>
  );
}
