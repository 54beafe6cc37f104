// What an agent may do without asking, as one pure table. Rows are tried from top to bottom; the first that fits decides,
// and its name is the rule that is told, logged and shown. Refuses: to know how any of the facts came about.

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

/** The level that counts for whoever acts: an agent's own, or the session's. */
export function levelOf({ level, agent_levels }: Policy, who: string): Level {
  return agent_levels[who] ?? level;
}

export interface Situation {
  readonly policy: Omit<Policy, "level" | "agent_levels">;
  /** Of whoever acts. */
  readonly level: Level;
  /** line: a whole command line. keys: to the program in front. prompt_keys: at a prompt, other than editing a line. */
  readonly what: "line" | "keys" | "prompt_keys" | "prompt_editing";
  readonly echo: Echo;
  /** Of a line. */
  readonly risk: RiskClass;
  /** The line could not be read as a whole: nobody's confidence counts. */
  readonly readable: boolean;
  /** What the person's own rules say of the line. */
  readonly ruled: Decision | null;
  readonly confidence: number | null;
  /** Keys: a person allowed this program instance. */
  readonly permitted: boolean;
  /** Keys: the program can run other programs (editors, pagers, interpreters, shells). */
  readonly escapes: boolean;
  /** Keys: the program is a shell that does not mark its commands, so that each of its lines is unknown. */
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

/** Whatever no row names is asked. */
const REST: Verdict = { do: "ask", rule: "level.ask_first" };

export function judge(situation: Situation): Verdict {
  const row = TABLE.find(({ when }) => when(situation));
  return row ? { do: row.do, rule: row.rule } : REST;
}
