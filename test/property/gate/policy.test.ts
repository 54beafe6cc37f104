// The policy as a table, and the laws that hold for every row of it.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  DEFAULT_POLICY,
  EDIT_RULE,
  isBoxed,
  judge,
  levelOf,
  type Policy,
  type Situation,
} from "../../../src/core/gate/policy.ts";
import { judgeLine } from "../../../src/core/gate/verdicts.ts";
import type { RiskKind } from "../../../src/protocol/ops/gate.ts";
import type { Level } from "../../../src/protocol/words/policy.ts";

const line: Situation = {
  policy: DEFAULT_POLICY,
  level: DEFAULT_POLICY.level,
  what: "line",
  echo: "on",
  risk: "unknown",
  kind: null,
  elsewhere: false,
  edits: false,
  box: "none",
  readable: true,
  deceives: false,
  ruled: null,
  confidence: null,
  permitted: false,
  escapes: false,
  plain_shell: false,
  interrupts: false,
  lent: false,
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
  ["Ctrl+C to the agent's own program", { ...keys, escapes: true, interrupts: true }, "allow interrupt.own"],
  [
    "Ctrl+C to its own program, always asked",
    { ...keys, interrupts: true, ...policy({ level: "always_ask" }) },
    "ask level.always_ask",
  ],
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
  expect(verdict.where).toBe("outside");
});

const risky = (kind: RiskKind): Situation => ({ ...line, risk: "risky", kind });
const trusting = policy({ level: "always_allow", safe_mode: false });

/** As written in docs/gate.md: the same line without a box, in a box of its own, in a boxed session. */
test.each<[string, Situation, none: string, line: string, session: string]>([
  ["safe", { ...line, risk: "safe" }, "allow outside", "allow box", "allow box"],
  ["unknown", line, "ask outside", "allow box", "allow box"],
  ["unreadable", { ...line, readable: false }, "ask outside", "allow box", "allow box"],
  ["deceives the eye", { ...line, readable: false, deceives: true }, "ask outside", "ask outside", "ask box"],
  ["network", risky("network"), "ask outside", "ask outside", "ask box+network"],
  ["install", risky("install"), "ask outside", "ask outside", "ask box+network"],
  ["destructive", risky("destructive"), "ask outside", "ask box", "ask box"],
  ["destructive, elsewhere", { ...risky("destructive"), elsewhere: true }, "ask outside", "ask outside", "ask box"],
  ["privilege", risky("privilege"), "ask outside", "ask outside", "ask outside"],
  ["deploy", risky("deploy"), "ask outside", "ask outside", "ask outside"],
  ["migrate", risky("migrate"), "ask outside", "ask outside", "ask outside"],
  ["a rule denies", { ...line, ruled: "deny" }, "deny outside", "deny outside", "deny box"],
  ["a rule asks", { ...line, ruled: "ask" }, "ask outside", "ask outside", "ask box"],
  ["a rule allows", { ...line, ruled: "allow" }, "allow outside", "allow outside", "allow box"],
  [
    "a rule allows the network",
    { ...risky("network"), ruled: "allow" },
    "allow outside",
    "allow outside",
    "allow box+network",
  ],
  ["destructive, a rule asks", { ...risky("destructive"), ruled: "ask" }, "ask outside", "ask box", "ask box"],
  [
    "destructive, a rule allows",
    { ...risky("destructive"), ruled: "allow" },
    "allow outside",
    "allow outside",
    "allow box",
  ],
  ["always asked", { ...line, ...policy({ level: "always_ask" }) }, "ask outside", "ask outside", "ask box"],
  ["the person's terminal", { ...line, ...policy({ mode: "terminal" }) }, "ask outside", "ask outside", "ask box"],
  ["echo off", { ...line, echo: "off" }, "deny outside", "deny outside", "deny box"],
  [
    "a session in which agents may do anything",
    { ...line, ...trusting },
    "allow outside",
    "allow outside",
    "allow box",
  ],
  ["the same, risky", { ...risky("network"), ...trusting }, "allow outside", "allow outside", "allow box+network"],
  ["keys to a program", keys, "ask outside", "allow box", "allow box"],
  ["keys to one that starts others", { ...keys, escapes: true }, "ask outside", "allow box", "allow box"],
  ["keys to what was lent to another", { ...keys, lent: true }, "ask outside", "ask box", "ask box"],
  ["keys, always asked", { ...keys, ...policy({ level: "always_ask" }) }, "ask outside", "ask box", "ask box"],
  ["other keys at a prompt", { ...line, what: "prompt_keys" }, "ask outside", "ask outside", "allow box"],
])("with a box: %s", (_, situation, ...expected) => {
  const verdicts = (["none", "line", "session"] as const).map((box) => judge({ ...situation, box }));
  expect(verdicts.map((verdict) => `${verdict.do} ${verdict.where}`)).toEqual(expected);
});

test("where a box is wanted and missing, the rules are those without one, and nobody's confidence counts", () => {
  const sure = { ...line, confidence: 1, ...policy({ auto_approve: true }) };
  expect(judge(sure)).toMatchObject({ do: "allow", rule: "auto_approve" });
  expect(judge({ ...sure, box: "missing" })).toEqual({ do: "ask", rule: "safe_mode.unknown", where: "outside" });
  expect(judge({ ...line, risk: "safe", box: "missing" })).toMatchObject({ do: "allow", where: "outside" });
});

const levels = fc.constantFrom<Level>("ask_first", "always_ask", "always_allow", "edit_here");
const anything: fc.Arbitrary<Situation> = fc.record({
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
  kind: fc.constantFrom("install", "migrate", "deploy", "destructive", "network", "privilege", null),
  elsewhere: fc.boolean(),
  edits: fc.boolean(),
  box: fc.constantFrom("none", "line", "session", "missing"),
  readable: fc.boolean(),
  deceives: fc.boolean(),
  ruled: fc.constantFrom("allow", "ask", "deny", null),
  confidence: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  permitted: fc.boolean(),
  escapes: fc.boolean(),
  plain_shell: fc.boolean(),
  interrupts: fc.boolean(),
  lent: fc.boolean(),
});
const situations = anything.map((s): Situation => ({ ...s, kind: s.risk === "risky" ? s.kind : null }));

test("echo off denies, deny rules win, safe mode allows no risky line, confidence allows nothing risky", () => {
  fc.assert(
    fc.property(situations, (s) => {
      const verdict = judge(s);
      if (s.echo === "off") expect(verdict).toMatchObject({ do: "deny", rule: "gate.echo_off" });
      if (s.ruled === "deny") expect(verdict.do).toBe("deny");
      if (s.what === "line" && s.risk === "risky" && s.policy.safe_mode && s.ruled !== "allow")
        expect(verdict.do === "allow" && verdict.rule !== EDIT_RULE).toBe(false);
      const isConfined = isBoxed(s.box) && verdict.where === "box";
      if (s.what === "line" && !s.readable && s.risk !== "safe" && s.policy.safe_mode && s.ruled !== "allow")
        expect(verdict.do === "allow" && !isConfined).toBe(false);
      if (s.level === "always_ask" && s.what !== "prompt_editing") expect(verdict.do).not.toBe("allow");
      // Nobody gets more by being less sure.
      const surer = judge({ ...s, confidence: 1 });
      if (verdict.do === "allow") expect(surer.do).toBe("allow");
    }),
    { numRuns: 5_000 },
  );
});

test("edit_here is ask_first, but for lines that destroy only what is below its folder, in a box", () => {
  fc.assert(
    fc.property(situations, (s) => {
      const [here, first] = (["edit_here", "ask_first"] as const).map((level) => judge({ ...s, level }));
      if (here?.rule !== EDIT_RULE) return void expect(here).toEqual(first);
      expect(first).toMatchObject({ do: "ask", where: "box" });
      expect(here).toEqual({ do: "allow", rule: EDIT_RULE, where: "box" });
      expect(s).toMatchObject({ what: "line", risk: "risky", kind: "destructive", edits: true, deceives: false });
      expect([s.ruled, s.elsewhere, isBoxed(s.box)]).toEqual([null, false, true]);
      expect(s.policy.mode).not.toBe("terminal");
      expect(s.echo).not.toBe("off");
    }),
    { numRuns: 20_000 },
  );
});

test("with boxes, nothing runs outside that neither a person's yes, a rule, nor a trusting session allowed", () => {
  fc.assert(
    fc.property(situations, (s) => {
      const { do: decision, where } = judge(s);
      const isTrusting = s.level === "always_allow" && !s.policy.safe_mode;
      const isAllowed = s.ruled === "allow" || isTrusting;
      if (!isBoxed(s.box) || decision !== "allow" || s.what !== "line") return;
      expect(where !== "box" && !isAllowed).toBe(false);
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

describe("a line that destroys is asked about where it does so", () => {
  const where = (text: string) => {
    const facts = { policy: DEFAULT_POLICY, echo: "on", confidence: null, box: "line", rules: [] } as const;
    const { verdict } = judgeLine(text, {
      ...facts,
      who: "agent:a",
      shell: "bash",
      folder: "/home/p/work",
      isFree: () => false,
    });
    return `${verdict.do} ${verdict.where}`;
  };
  const NAMED = ["rm -rf '/srv/a b'", `rm -rf /srv/${"x".repeat(200)}`, "timeout 5 rm -rf /srv/x"];
  test.each([
    "rm -rf build",
    "rm -rf /home/p/work/build",
    "echo x >a.txt",
    "mv a b",
    "rm -rf build /srv/x",
    "rm -rf ../x",
    "rm a; kill 1",
    "rm -rf /srv/x; rm -rf build",
    "echo x >/srv/x; echo x >a.txt",
  ])("in the workspace: %s", (text) => expect(where(text)).toBe("ask box"));
  test.each(["rm -rf /proc/self/cwd/build", 'rm -rf "$x" /srv/x', "rm -rf /home/p/work/../x", 'echo x >/srv/"$x"'])(
    "nobody can say where: %s",
    (text) => expect(where(text)).toBe("ask box"),
  );
  test.each([
    "rm -rf /srv/x",
    "echo x >>/srv/x",
    "sh -c 'echo x >~/x'",
    "mv a /srv/x",
    "kill 123",
    "pkill node",
    ...NAMED,
  ])("elsewhere: %s", (text) => expect(where(text)).toBe("ask outside"));
});
