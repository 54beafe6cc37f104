// What the agent CLI in front of a session is doing, in the same words everywhere.

interface Doing {
  readonly agent: string | null;
  readonly agent_state: { readonly state: string; readonly why: string } | null;
}

/** "claude asks: rm -r dist", "codex idle". Undefined: no agent CLI is in front. */
export function agentWords({ agent, agent_state: now }: Doing, say: "all" | "short" = "all"): string | undefined {
  if (!now) return undefined;
  const asks = say === "all" && now.why !== "" ? `asks: ${now.why}` : "asks";
  return `${agent} ${now.state === "blocked" ? asks : now.state}`;
}
