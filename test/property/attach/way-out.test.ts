// A person who is attached sees how to leave, also on a narrow terminal, and what to do when the session is over.
import { expect, test } from "vitest";
import { firstState } from "../../../src/cli/attach/state.ts";
import { statusLine } from "../../../src/cli/attach/status-line.ts";

const here = { ...firstState("person"), mode: "agent_terminal", hold: "person", reason: "typing" } as const;

function shown(more: Partial<ReturnType<typeof firstState>>, cols = 80): string {
  const line = statusLine({ ...here, ...more }, { cols, rows: 24, now: 1_000, at: 0, clippedFrom: undefined });
  return line.replace(/\x1b\[[\d;:]*m/g, "");
}

test("the way out stays in 80 columns, in an editor and at a password", () => {
  expect(shown({ state: "waiting_for_input", program: "vim", command: "vim notes.md" })).toMatch(/Ctrl\+\\ detach $/);
  expect(shown({ state: "waiting_for_input", echo: "off", reason: "echo_off" })).toMatch(/Ctrl\+\\ detach $/);
});

test("a lost session says how it comes back, and offers no key that does nothing", () => {
  const line = shown({ state: "lost", hold: "nobody", reason: null });
  expect(line).toContain("duetty restore");
  expect(line).toContain("Ctrl+\\ detach");
  expect(line).not.toMatch(/Ctrl\+[\]T]/);
});
