// The same mistakes over MCP, HTTP, the page's calls and the CLI: each is told what to do in its own words.
import { expect, it } from "vitest";
import { connectMcp } from "../fixtures/mcp/clients.ts";
import { sharedStand } from "../fixtures/stand/stand.ts";

const { duetty, person, openShell } = sharedStand();

/** A call as the page makes it. */
async function pageCall(op: string, input: object): Promise<string> {
  const headers = { authorization: `Bearer ${duetty.token("person")}`, "x-duetty-surface": "page" };
  const response = await fetch(`http://127.0.0.1:${duetty.port}/v1/${op}`, {
    method: "POST",
    headers,
    body: JSON.stringify(input),
  });
  return ((await response.json()) as { error: { hint: string } }).error.hint;
}

it("a session that does not exist", async () => {
  await using mcp = await connectMcp(duetty);
  const input = { session_id: "nobody" };
  expect((await mcp.call("pty_read_screen", input)).text).toMatch(/List them with pty_list\.$/);
  await expect(person.pty_read_screen(input)).rejects.toMatchObject({ hint: "List them with pty_list." });
  expect((await duetty.cli("see", "nobody")).stderr).toContain("List them with: duetty ls\n");
  expect(await pageCall("pty_read_screen", input)).toBe("Choose one from the list.");
});

it("a session without marks, and one that waits for input", async () => {
  await using mcp = await connectMcp(duetty);
  const { session_id } = await person.pty_open({ command: ["sh"] });
  const run = { session_id, command: "true" };
  expect((await mcp.call("run_command", run)).text).toMatch(/pty_send/);
  const told = await duetty.cli("run", session_id, "--", "true");
  expect(told.stderr).toContain(`duetty send ${session_id} --text CMD --keys Enter --wait-input`);
  expect(await pageCall("run_command", run)).toBe("Type in the terminal instead.");
  const { session_id: shell } = await openShell();
  const waits = await duetty.cli("run", shell, "--", "cat");
  expect(waits).toMatchObject({ code: 5, stderr: expect.stringContaining(`duetty send ${shell} --text TEXT`) });
  expect(waits.stderr).not.toMatch(/pty_|block_end/);
  expect(await pageCall("run_command", { session_id: shell, command: "true" })).toMatch(/^Answer it in the terminal/);
});

it("input that fits no schema", async () => {
  expect((await duetty.cli("resize", "nobody", "1", "1")).stderr).toContain("See: duetty resize --help");
  expect(await pageCall("pty_resize", {})).toMatch(/reload/);
  await expect(person.pty_resize({ session_id: "x", cols: 0, rows: 0 })).rejects.toMatchObject({
    hint: "See pty_resize in /v1/openapi.json.",
  });
});
