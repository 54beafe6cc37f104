// What can be done with the agent of the shown session, by name.
import type { Lead } from "../agent/conversation.ts";
import type { ActionsPage } from "../app/page-state.ts";
import { isOver } from "../sessions/labels.ts";
import type { Action } from "./actions.ts";

export function agentActions(page: ActionsPage): Action[] {
  const agent = () => page.shown()?.agent;
  const state = () => agent()?.status?.state ?? "idle";
  const lead = (action: Lead, title: string, when: () => boolean): Action => ({
    id: `agent.${action}`,
    title,
    group: "Agent",
    when,
    run: () => void agent()?.control(action),
  });
  return [
    {
      id: "agent.ask",
      title: "Ask the agent…",
      group: "Agent",
      words: "prompt chat task",
      when: () => agent() !== undefined && !isOver(page.info()?.state ?? "done"),
      run: () => page.goToAgent(),
    },
    lead("pause", "Pause the agent", () => state() !== "idle" && state() !== "paused" && !agent()?.hosted()),
    lead("resume", "Resume the agent", () => state() === "paused"),
    lead("step", "Let the agent take one step", () => state() === "paused" && !agent()?.hosted()),
  ];
}
