// Questions tell whether their asker still waits, and a late yes tells what it does.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { connectMcp } from "../../fixtures/mcp/clients.ts";
import { until } from "../../fixtures/soon.ts";
import { sharedStand, UNBOXED } from "../../fixtures/stand/stand.ts";
import { TestTerminal } from "../../fixtures/stand/terminal.ts";
import { TestViewer } from "../../fixtures/stand/viewer.ts";

const { duetty, person, agent, openGatedShell, pendingOf } = sharedStand({
  config: { ...UNBOXED, elicitation: "on" },
  agent: "one",
});
const LATE = "one is no longer waiting; it runs when one asks again.";
const touch = (name: string, timeout_ms: number) => ({ command: `touch ${name}`, timeout_ms });

it("viewers hear when the asker stops waiting and when it waits again", async () => {
  const { session_id } = await openGatedShell();
  const viewer = TestViewer.open(duetty, session_id);
  await viewer.hello();
  const told = () => viewer.messages.flatMap((one) => (one.type === "approval" ? [one.approval.waits] : []));
  await agent().run_command({ session_id, ...touch("a", 100) });
  await viewer.until(() => told().length === 2);
  const again = agent().run_command({ session_id, ...touch("a", 60_000) });
  await viewer.until(() => told().length === 3);
  expect(told()).toEqual([true, false, true]);
  await person.approve({ approval_id: (await pendingOf(session_id)).approval_id });
  expect(await again).toMatchObject({ status: "done" });
  await viewer.until(() => viewer.message("approval_settled") !== undefined);
  expect(viewer.message("approval_settled")?.approval).toMatchObject({ state: "approved", waits: true });
});

it("on the command line: the list and a late yes say it, and then the same line runs without a second question", async () => {
  const { session_id, cwd } = await openGatedShell();
  const { approval_id = "" } = await agent().run_command({ session_id, ...touch("late", 100) });
  expect((await duetty.cli("approvals")).stdout).toContain(LATE);
  expect((await duetty.cli("approve", approval_id)).stdout).toContain(`Approved. ${LATE}`);
  expect(existsSync(join(cwd, "late"))).toBe(false);
  const again = await agent().run_command({ session_id, ...touch("late", 60_000) });
  expect(again).toMatchObject({ status: "done", exit_code: 0 });
  expect(existsSync(join(cwd, "late"))).toBe(true);
});

it("while the asker waits nothing of this is said", async () => {
  const { session_id } = await openGatedShell();
  const ran = agent().run_command({ session_id, ...touch("now", 60_000) });
  const { approval_id } = await pendingOf(session_id);
  expect((await duetty.cli("approvals")).stdout).not.toContain(LATE);
  expect((await duetty.cli("approve", approval_id)).stdout).not.toContain(LATE);
  expect(await ran).toMatchObject({ status: "done" });
});

it("in attach: the question and the answer to a yes say it", async () => {
  const { session_id } = await openGatedShell();
  await agent().run_command({ session_id, ...touch("seen", 100) });
  const terminal = TestTerminal.open(duetty, ["attach", session_id], { cols: 200, rows: 24 });
  await terminal.shows(LATE);
  await terminal.shows("no longer waiting, open");
  const answered = async () => {
    terminal.type("\x19y");
    return (await person.approvals({ session_id })).approvals.length === 0;
  };
  await until(answered, "the answer");
  await terminal.shows(`Approved. ${LATE}`);
});

it("over MCP: a client with a form waits while it shows it; one without a form is told that it no longer waits", async () => {
  const { session_id } = await openGatedShell();
  let whileShown: boolean | undefined;
  await using mcp = await connectMcp(duetty, {
    elicit: async () => {
      whileShown = (await pendingOf(session_id)).waits;
      return { action: "cancel" };
    },
  });
  await mcp.call("run_command", { session_id, ...touch("form", 100) });
  expect(whileShown).toBe(true);
  expect((await pendingOf(session_id)).waits).toBe(false);
  await using plain = await connectMcp(duetty, {});
  const { text } = await plain.call("run_command", { session_id, ...touch("form", 100) });
  expect(text).toContain("You no longer wait for it.");
  expect(text).toContain("The question is open for 5 minutes; an answer counts for 5 more.");
});
