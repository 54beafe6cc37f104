// The agent's plan: done, current and coming steps.
import { For, Show } from "solid-js";
import type { AgentStatus } from "../../src/protocol/ops/agent.ts";

type Plan = AgentStatus["plan"];
type Status = Plan[number]["status"];

const SIGNS: Readonly<Record<Status, { readonly sign: string; readonly word: string }>> = {
  completed: { sign: "✓", word: "done" },
  in_progress: { sign: "▸", word: "now" },
  pending: { sign: "○", word: "to do" },
};

export function PlanList(props: { plan: Plan }) {
  const done = () => props.plan.filter(({ status }) => status === "completed").length;
  return (
    <Show when={props.plan.length > 0}>
      <section aria-label="Plan">
        <h2>
          Plan{" "}
          <span>
            {done()} of {props.plan.length}
          </span>
        </h2>
        <ol class="plan">
          <For each={props.plan}>
            {({ text, status }) => (
              <li aria-current={status === "in_progress" ? "step" : undefined} data-status={status}>
                <span role="img" aria-label={SIGNS[status].word}>
                  {SIGNS[status].sign}
                </span>
                {text}
              </li>
            )}
          </For>
        </ol>
      </section>
    </Show>
  );
}
