// The judge as a table: which evidence wins, and that no match is unknown.
import { expect, test } from "vitest";
import { type AgentEvidence, judgeAgent } from "../../../src/core/agent-cli/judge.ts";
import { presetOf, presetsWith } from "../../../src/core/agent-cli/own-presets.ts";
import { isFault } from "../../../src/core/base/fault.ts";

const NOTHING: AgentEvidence = {
  exit: null,
  status: undefined,
  isDoubted: false,
  isEntered: true,
  title: "",
  titleAgeMs: 0,
  rows: [],
  newMs: null,
};
const ASKS = ["Do you want to proceed?", "❯ 1. Yes", "  2. No"];
const MOVED = ["Do you want to proceed?", "  1. Yes", "❯ 2. No"];
const PROMPT = ["─────", "❯ ", "─────"];
const busy = { state: "working", app: "claude-code" } as const;

function presets(own: Parameters<typeof presetsWith>[0] = {}) {
  const all = presetsWith(own);
  if (isFault(all)) throw new Error(all.message);
  return all;
}

function judged(name: string, seen: Partial<AgentEvidence>, own = {}) {
  const preset = presets(own).find((one) => one.name === name);
  if (!preset) throw new Error(name);
  const { state, kind, source } = judgeAgent(preset, { ...NOTHING, ...seen });
  return `${state}${kind ? ` ${kind}` : ""} by ${source}`;
}

test.each<[string, string, Partial<AgentEvidence>]>([
  ["done by exit", "claude", { exit: { code: 0, signal: null }, status: busy, rows: ASKS }],
  ["error by exit", "claude", { exit: { code: 1, signal: null } }],
  ["error by exit", "claude", { exit: { code: null, signal: "SIGKILL" } }],
  ["working by status", "claude", { status: busy, title: "✳ x", rows: ASKS }],
  ["blocked auth by status", "codex", { status: { state: "blocked", kind: "auth" } }],
  // Escape was pressed: what is seen now counts before what was said before.
  ["idle by screen", "claude", { status: busy, isDoubted: true, title: "✳ x", rows: PROMPT }],
  ["working by title", "claude", { status: busy, isDoubted: true, title: "◐ x", rows: PROMPT }],
  ["working by status", "claude", { status: busy, isDoubted: true, rows: ["nothing known"] }],
  ["blocked permission by screen", "claude", { title: "✳ x", rows: ASKS }],
  ["blocked permission by screen", "claude", { title: "✳ x", rows: MOVED }],
  ["blocked permission by screen", "claude", { title: "✳ x", rows: [...MOVED.slice(1), "Esc to cancel"] }],
  ["blocked question by screen", "claude", { title: "✳ x", rows: ["  1. Vue", "❯ 2. Solid", "Enter to select"] }],
  ["blocked permission by screen", "copilot", { rows: ["Do you want to run this command?", ...MOVED.slice(1)] }],
  ["working by title", "claude", { title: "◑ x", titleAgeMs: 2_999, rows: PROMPT }],
  ["unknown by none", "claude", { title: "◑ x", titleAgeMs: 3_000, rows: PROMPT }],
  ["blocked permission by screen", "claude", { title: "◑ x", titleAgeMs: 3_000, rows: ASKS }],
  ["idle by title", "gemini", { title: "◇  Ready (work)    ", titleAgeMs: 900_000 }],
  ["unknown by none", "claude", { rows: ["a new release, with other words", "» "] }],
  ["starting by none", "claude", { newMs: 59_999 }],
  ["unknown by none", "claude", { newMs: 60_000 }],
  // Twelve rows that are not empty: the dialog above them is what the agent wrote of one.
  ["unknown by none", "opencode", { rows: ["△ Permission required", "Allow once", ...Array(12).fill("text")] }],
  [
    "blocked permission by screen",
    "opencode",
    { rows: ["△ Permission required", "Allow once", ...Array(30).fill("")] },
  ],
  ["blocked question by screen", "claude", { rows: ["Do you trust the files in this folder?", "❯ 1. Yes, proceed"] }],
  // The pointer was moved.
  [
    "blocked permission by screen",
    "claude",
    { title: "✳ x", rows: ["Do you want to proceed?", "  1. Yes", "❯ 2. No, and tell it why"] },
  ],
  ["blocked permission by screen", "copilot", { rows: ["Do you want to run this command?", "│  1. Yes", "│ ❯ 2. No"] }],
  ["blocked question by screen", "claude", { rows: ["Which one?", "  1. red", "❯ 3. blue", "Enter to select"] }],
  ["blocked question by screen", "gemini", { rows: ["Do you trust this folder?", "  1. Yes", "● 2. No"] }],
  ["unknown by none", "mastracode", { rows: ["> "] }],
])("%s: %s", (expected, name, seen) => {
  expect(judged(name, seen)).toBe(expected);
});

test.each<[string, string, string[]]>([
  ["rm -rf dist/", "claude", ["│ Bash command │", "│ │", "│   rm -rf dist/ │", "│   Clean up │", ...ASKS]],
  ["touch z", "claude", ["Bash command", "Tip: x", "for a test", "╌".repeat(30), " touch z", "╌".repeat(30), ...ASKS]],
  ["Do you want to create z.ts?", "claude", ["Do you want to create z.ts?", ...ASKS.slice(1)]],
  ["$ touch z", "codex", ["Would you like to run the following command?", "Reason: a test", "$ touch z", "› 1. Yes"]],
  ["? Shell touch z", "gemini", ["│ ? Shell  touch z │", "│ Allow execution of [Shell]? │", "│ ● 1. Allow once │"]],
  ["# Run touch z", "opencode", ["△ Permission required", "  # Run touch z", "Allow once   Reject"]],
])("what is asked is told, not that something is: %s", (expected, name, rows) => {
  const preset = presets().find((one) => one.name === name);
  if (!preset) throw new Error(name);
  const found = judgeAgent(preset, { ...NOTHING, rows });
  expect(found).toMatchObject({ state: "blocked", kind: "permission", evidence: expected });
  expect(rows[found.row ?? -1]).toContain(expected.replace("Shell ", "Shell  "));
});

test("22 agents are known, by program or by the script that an interpreter runs", () => {
  const all = presets();
  expect(all).toHaveLength(22);
  const nameOf = (name: string, script?: string) =>
    presetOf(all, { pid: 1, name, ...(script === undefined ? {} : { script }) })?.name;
  expect(nameOf("claude")).toBe("claude");
  expect(nameOf("node", "gemini.js")).toBe("gemini");
  expect(nameOf("cursor-agent")).toBe("cursor");
  for (const other of ["bash", "vim", "node", "python3"]) expect(nameOf(other)).toBeUndefined();
});

test("a person's rules come before ours, and theirs may be a new agent; a bad pattern has a hint", () => {
  const own = { claude: { rules: [{ state: "idle" as const, screen: ["^» "] }] } };
  expect(judged("claude", { rows: ["» "] }, own)).toBe("idle by screen");
  const mine = { mine: { programs: ["my-agent"], rules: [{ state: "working" as const, title: "^busy" }] } };
  expect(judged("mine", { title: "busy now" }, mine)).toBe("working by title");
  expect(presetOf(presets(mine), { pid: 1, name: "my-agent" })?.name).toBe("mine");
  const wrong = presetsWith({ mine: { rules: [{ state: "idle", screen: ["("] }] } });
  expect(isFault(wrong) && wrong.hint).toBe("Search for literal text instead.");
});
