// The policy as a table, and the laws that hold for every row of it.

import fc from "fast-check";
import { expect, test } from "vitest";
import { DEFAULT_POLICY, judge, levelOf, type Policy, type Situation } from "../../../src/core/gate/policy.ts";
import type { Level } from "../../../src/protocol/words/policy.ts";

const line: Situation = {
  policy: DEFAULT_POLICY,
  level: DEFAULT_POLICY.level,
  what: "line",
  echo: "on",
  risk: "unknown",
  readable: true,
  ruled: null,
  confidence: null,
  permitted: false,
  escapes: false,
  plain_shell: false,
};
const keys: Situation = { ...line, what: "keys" };
const policy = (changes: Partial<Policy>) => ({
  policy: { ...DEFAULT_POLICY, ...changes },
  level: changes.level ?? DEFAULT_POLICY.level,
});

test.each<[string, Situation, string]>([
  ["safe", { ...line, risk: "safe" }, "allow class.safe"],
  ["unknown", line, "ask safe_mode.unknown"],
  ["risky", { ...line, risk: "risky" }, "ask safe_mode.risky"],
  [
    "safe, but the person wants to be asked",
    { ...line, risk: "safe", ...policy({ level: "always_ask" }) },
    "ask level.always_ask",
  ],
  [
    "safe, but it is the person's terminal",
    { ...line, risk: "safe", ...policy({ mode: "terminal" }) },
    "ask mode.terminal",
  ],
  ["unknown and sure, without the switch", { ...line, confidence: 1 }, "ask safe_mode.unknown"],
  ["unknown and sure", { ...line, confidence: 0.95, ...policy({ auto_approve: true }) }, "allow auto_approve"],
  [
    "unknown and not sure enough",
    { ...line, confidence: 0.89, ...policy({ auto_approve: true }) },
    "ask safe_mode.unknown",
  ],
  [
    "risky and sure",
    { ...line, risk: "risky", confidence: 1, ...policy({ auto_approve: true }) },
    "ask safe_mode.risky",
  ],
  [
    "unreadable and sure",
    { ...line, readable: false, confidence: 1, ...policy({ auto_approve: true }) },
    "ask safe_mode.unknown",
  ],
  ["always_allow does not lift safe mode", { ...line, ...policy({ level: "always_allow" }) }, "ask safe_mode.unknown"],
  [
    "risky, always_allow without safe mode",
    { ...line, risk: "risky", ...policy({ level: "always_allow", safe_mode: false }) },
    "allow level.always_allow",
  ],
  ["risky, without safe mode", { ...line, risk: "risky", ...policy({ safe_mode: false }) }, "ask class.risky"],
  ["a rule allows", { ...line, risk: "risky", ruled: "allow" }, "allow rules.allow"],
  ["a rule asks", { ...line, risk: "safe", ruled: "ask" }, "ask rules.ask"],
  ["a rule denies", { ...line, risk: "safe", ruled: "deny" }, "deny rules.deny"],
  ["keys, first time", keys, "ask level.ask_first"],
  ["keys, allowed before", { ...keys, permitted: true }, "allow permitted"],
  ["keys, always allowed", { ...keys, ...policy({ level: "always_allow" }) }, "allow level.always_allow"],
  [
    "keys to vim, always allowed, in safe mode",
    { ...keys, escapes: true, ...policy({ level: "always_allow" }) },
    "ask safe_mode.escapes",
  ],
  [
    "keys to vim, always allowed, in safe mode, allowed before",
    { ...keys, escapes: true, permitted: true, ...policy({ level: "always_allow" }) },
    "allow permitted",
  ],
  [
    "keys to vim, always allowed, without safe mode",
    { ...keys, escapes: true, ...policy({ level: "always_allow", safe_mode: false }) },
    "allow level.always_allow",
  ],
  [
    "keys to a plain shell, allowed before",
    { ...keys, permitted: true, plain_shell: true },
    "ask safe_mode.plain_shell",
  ],
  ["keys, always asked", { ...keys, permitted: true, ...policy({ level: "always_ask" }) }, "ask level.always_ask"],
  ["editing at a prompt", { ...line, what: "prompt_editing" }, "allow prompt.editing"],
  ["other keys at a prompt", { ...line, what: "prompt_keys" }, "ask prompt.keys"],
  [
    "a password prompt",
    { ...keys, echo: "off", permitted: true, ...policy({ level: "always_allow", safe_mode: false }) },
    "deny gate.echo_off",
  ],
])("%s", (_, situation, expected) => {
  const verdict = judge(situation);
  expect(`${verdict.do} ${verdict.rule}`).toBe(expected);
});

const levels = fc.constantFrom<Level>("ask_first", "always_ask", "always_allow");
const situations: fc.Arbitrary<Situation> = fc.record({
  policy: fc.record({
    mode: fc.constantFrom("agent", "terminal", "agent_terminal"),
    safe_mode: fc.boolean(),
    auto_approve: fc.boolean(),
    threshold: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  level: levels,
  what: fc.constantFrom("line", "keys", "prompt_keys", "prompt_editing"),
  echo: fc.constantFrom("on", "off", "raw"),
  risk: fc.constantFrom("safe", "risky", "unknown"),
  readable: fc.boolean(),
  ruled: fc.constantFrom("allow", "ask", "deny", null),
  confidence: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  permitted: fc.boolean(),
  escapes: fc.boolean(),
  plain_shell: fc.boolean(),
});

test("echo off denies, deny rules win, safe mode allows no risky line, confidence allows nothing risky", () => {
  fc.assert(
    fc.property(situations, (s) => {
      const verdict = judge(s);
      if (s.echo === "off") expect(verdict).toEqual({ do: "deny", rule: "gate.echo_off" });
      if (s.ruled === "deny") expect(verdict.do).toBe("deny");
      if (s.what === "line" && s.risk === "risky" && s.policy.safe_mode && s.ruled !== "allow")
        expect(verdict.do).not.toBe("allow");
      if (s.what === "line" && !s.readable && s.risk !== "safe" && s.policy.safe_mode && s.ruled !== "allow")
        expect(verdict.do).not.toBe("allow");
      if (s.level === "always_ask" && s.what !== "prompt_editing") expect(verdict.do).not.toBe("allow");
      // Nobody gets more by being less sure.
      const surer = judge({ ...s, confidence: 1 });
      if (verdict.do === "allow") expect(surer.do).toBe("allow");
    }),
    { numRuns: 5_000 },
  );
});

test("an agent's own level counts for it alone; others have the session's", () => {
  const names = fc.constantFrom("agent:a", "agent:b", "agent:c", "person");
  fc.assert(
    fc.property(levels, fc.dictionary(names, levels), names, (level, agent_levels, who) => {
      const counts = levelOf({ ...DEFAULT_POLICY, level, agent_levels }, who);
      expect(counts).toBe(Object.hasOwn(agent_levels, who) ? agent_levels[who] : level);
    }),
  );
});
