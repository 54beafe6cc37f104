// What an agent may do without asking, as one pure table. We try rows from top to bottom; the first that fits decides,
// and its name is the rule that is logged and shown. Refuses: to know where the facts came from.

import type { RiskClass } from "../../protocol/ops/gate.ts";
import type { Decision, Level, Policy as WirePolicy } from "../../protocol/words/policy.ts";
import type { Echo } from "../../protocol/words/program.ts";
import type { DeepReadonly } from "../base/deep-readonly.ts";

export type Policy = DeepReadonly<WirePolicy>;

export const DEFAULT_POLICY: Policy = {
  mode: "agent_terminal",
  level: "ask_first",
  agent_levels: {},
  safe_mode: true,
  auto_approve: false,
  threshold: 0.9,
};

/** The level that counts for an actor: the agent's own, or the session's. */
export function levelOf({ level, agent_levels }: Policy, who: string): Level {
  return agent_levels[who] ?? level;
}

export interface Situation {
  readonly policy: Omit<Policy, "level" | "agent_levels">;
  /** The actor's level. */
  readonly level: Level;
  /** line: a whole command line. keys: for the foreground program. prompt_keys: at a prompt, beyond editing a line. */
  readonly what: "line" | "keys" | "prompt_keys" | "prompt_editing";
  readonly echo: Echo;
  /** The line's risk. */
  readonly risk: RiskClass;
  /** The line could not be parsed as a whole, so confidence does not count. */
  readonly readable: boolean;
  /** What the person's own rules say about the line. */
  readonly ruled: Decision | null;
  readonly confidence: number | null;
  /** Keys: a person allowed this program instance. */
  readonly permitted: boolean;
  /** Keys: the program can run other programs (editors, pagers, interpreters, shells). */
  readonly escapes: boolean;
  /** Keys: the program is a shell that does not mark its commands, so each of its lines is unknown. */
  readonly plain_shell: boolean;
}

export type Verdict = { readonly do: Decision; readonly rule: string };

interface Row {
  readonly rule: string;
  readonly do: Verdict["do"];
  readonly when: (s: Situation) => boolean;
}

const sure = ({ policy, confidence, readable }: Situation): boolean =>
  policy.auto_approve && readable && confidence !== null && confidence >= policy.threshold;
const isLine = ({ what }: Situation): boolean => what === "line";
const isKeys = ({ what }: Situation): boolean => what === "keys";

const TABLE: readonly Row[] = [
  { rule: "gate.echo_off", do: "deny", when: (s) => s.echo === "off" },
  { rule: "rules.deny", do: "deny", when: (s) => s.ruled === "deny" },
  { rule: "prompt.editing", do: "allow", when: (s) => s.what === "prompt_editing" },
  { rule: "mode.terminal", do: "ask", when: (s) => s.policy.mode === "terminal" },
  { rule: "level.always_ask", do: "ask", when: (s) => s.level === "always_ask" },
  { rule: "rules.ask", do: "ask", when: (s) => s.ruled === "ask" },

  { rule: "rules.allow", do: "allow", when: (s) => isLine(s) && s.ruled === "allow" },
  { rule: "class.safe", do: "allow", when: (s) => isLine(s) && s.risk === "safe" },
  { rule: "auto_approve", do: "allow", when: (s) => isLine(s) && s.risk === "unknown" && sure(s) },
  { rule: "safe_mode.risky", do: "ask", when: (s) => isLine(s) && s.risk === "risky" && s.policy.safe_mode },
  { rule: "safe_mode.unknown", do: "ask", when: (s) => isLine(s) && s.policy.safe_mode },
  { rule: "level.always_allow", do: "allow", when: (s) => isLine(s) && s.level === "always_allow" },
  { rule: "class.risky", do: "ask", when: (s) => isLine(s) && s.risk === "risky" },
  { rule: "class.unknown", do: "ask", when: (s) => isLine(s) },

  { rule: "prompt.keys", do: "ask", when: (s) => s.what === "prompt_keys" && s.policy.safe_mode },
  { rule: "safe_mode.plain_shell", do: "ask", when: (s) => isKeys(s) && s.plain_shell && s.policy.safe_mode },
  { rule: "permitted", do: "allow", when: (s) => isKeys(s) && s.permitted },
  { rule: "safe_mode.escapes", do: "ask", when: (s) => isKeys(s) && s.escapes && s.policy.safe_mode },
  { rule: "level.always_allow", do: "allow", when: (s) => s.level === "always_allow" },
  { rule: "auto_approve", do: "allow", when: (s) => isKeys(s) && sure(s) },
];

/** When no row fits, a person is asked. */
const REST: Verdict = { do: "ask", rule: "level.ask_first" };

export function judge(situation: Situation): Verdict {
  const row = TABLE.find(({ when }) => when(situation));
  return row ? { do: row.do, rule: row.rule } : REST;
}
