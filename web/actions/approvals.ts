// Answers to the current question, and switches for what agents may do, by name and by key.
import type { ActionsPage } from "../app/page-state.ts";
import { isYesOrNo } from "../approvals/words.ts";
import { within } from "../widgets/keys.ts";
import type { Action } from "./actions.ts";

export function approvalActions(page: Pick<ActionsPage, "currentApproval" | "overlay">): Action[] {
  const { currentApproval } = page;
  const kind = () => currentApproval.current()?.kind;
  // An overlay hides the question.
  const isAsked = () => kind() !== undefined && page.overlay() === "none";
  return [
    {
      id: "approval.approve",
      title: "Approve what the agent asks, once",
      group: "Agent",
      keys: [{ code: "Enter", ctrl: true }],
      when: isAsked,
      run() {
        const asked = kind();
        if (asked === undefined || (!isYesOrNo(asked) && asked !== "message") || currentApproval.doing() === "deny")
          return;
        currentApproval.approve(currentApproval.doing() === "edit" ? { edit: currentApproval.edited() } : {});
      },
    },
    {
      id: "approval.more",
      title: "Show more of what the agent asks",
      group: "Agent",
      keys: [{ code: "ArrowDown", alt: true }],
      when: () => isAsked() && currentApproval.seen.missing().length > 0,
      run: () => currentApproval.seen.showMore(),
    },
    {
      id: "approval.edit",
      title: "Edit what the agent asks",
      group: "Agent",
      keys: [{ code: "KeyE", ctrl: true }],
      when: () => isAsked() && kind() === "run",
      run: () => currentApproval.begin("edit"),
    },
    {
      id: "approval.deny",
      title: "Deny what the agent asks…",
      group: "Agent",
      keys: [{ code: "Backspace", ctrl: true }],
      when: isAsked,
      run: () => currentApproval.begin("deny"),
    },
  ];
}

/** Ctrl+E and Ctrl+Backspace edit text where there is some, and belong to the program that gets the keys. */
export function isForText(id: string, event: KeyboardEvent, agentHolds: () => boolean): boolean {
  if (id !== "approval.edit" && id !== "approval.deny") return false;
  if (within(event, ".xterm")) return !agentHolds();
  const { target } = event;
  return (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) && target.value !== "";
}

export function policyActions(page: ActionsPage): Action[] {
  const control = () => page.shown()?.control;
  const policy = () => control()?.facts.policy;
  const here = () => policy() !== undefined;
  return [
    {
      id: "policy.safe_mode",
      title: policy()?.safe_mode === false ? "Safe mode on" : "Safe mode off",
      group: "Agent",
      when: here,
      run: () => control()?.turn("safe_mode"),
    },
    {
      id: "policy.auto_approve",
      title: policy()?.auto_approve ? "Auto-approve off" : "Auto-approve on",
      group: "Agent",
      when: here,
      run: () => control()?.turn("auto_approve"),
    },
    {
      id: "agent.stop_all",
      title: "Stop all agents, in every session",
      group: "Agent",
      words: "kill switch panic",
      run: () => page.stopAll(),
    },
  ];
}
