// Answers that a client makes up, repeats or takes elsewhere run nothing that nobody allowed; a call that was given up
// runs nothing later. Spoken by hand, as no proper client would.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { createRequestStateCodec } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { stateKey } from "../../../src/mcp/parts.ts";
import { connectMcp, type ProgressReport, WAYS } from "../../fixtures/mcp/clients.ts";
import { riskyCommand, riskyIn } from "../../fixtures/mcp/risky.ts";
import { BIN } from "../../fixtures/stand/installation.ts";
import { sharedStand, stand, UNBOXED } from "../../fixtures/stand/stand.ts";

const ON = { elicitation: "on", ...UNBOXED } as const;
const s = sharedStand({ config: ON });
const { duetty, person } = s;

const REVISION = "2026-07-28";
const YES = { approve: { action: "accept", content: {} } };

interface Spoken {
  readonly result?: {
    readonly resultType?: string;
    readonly requestState?: string;
    readonly isError?: boolean;
    readonly structuredContent?: Record<string, unknown>;
  };
  readonly error?: { readonly code: number };
}

/** One request of 2026 to run a command, with whatever else is in its params. */
function written(args: object, more: object, name: string): string {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": { name, version: "1" },
    "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
  };
  const params = { name: "run_command", arguments: args, _meta, ...more };
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
}

async function speak(args: object, more: object = {}, name = "forger"): Promise<Spoken> {
  const headers = {
    host: `127.0.0.1:${duetty.port}`,
    authorization: `Bearer ${duetty.token("agent")}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": REVISION,
    "mcp-method": "tools/call",
    "mcp-name": "run_command",
  };
  return JSON.parse((await duetty.request("/mcp", headers, written(args, more, name))).body);
}

async function asked() {
  const { session_id, command, count } = await riskyIn(s);
  return { args: { session_id, command }, count };
}

test("a yes without the state, or with a forged one, does not count", async () => {
  const { args, count } = await asked();
  expect((await speak(args, { inputResponses: YES })).result?.resultType).toBe("input_required");
  const { error } = await speak(args, { inputResponses: YES, requestState: "v1.e30.AAAA" });
  expect(error?.code).toBe(-32_602);
  const { requestState = "" } = (await speak(args)).result ?? {};
  const [version, payload, mac] = requestState.split(".");
  const other = Buffer.from(payload ?? "", "base64url")
    .toString()
    .replace(/a_\w{8}/, "a_00000000");
  const forged = [version, Buffer.from(other).toString("base64url"), mac].join(".");
  expect((await speak(args, { inputResponses: YES, requestState: forged })).error?.code).toBe(-32_602);
  expect(count()).toBe(0);
});

test("before the first daemon there is no guessable key", async () => {
  await using fresh = await stand({ daemon: "later", config: ON });
  const { DUETTY_TOKEN, ...env } = fresh.duetty.env;
  const shim = spawn(process.execPath, [BIN, "mcp"], { env, stdio: ["pipe", "pipe", "inherit"] });
  const over = new Promise((resolve) => shim.on("exit", resolve));
  const lines = createInterface(shim.stdout)[Symbol.asyncIterator]();
  const say = async (args: object, more: object = {}): Promise<Spoken> => {
    shim.stdin.write(`${written(args, more, "forger")}\n`);
    return JSON.parse((await lines.next()).value);
  };
  const { command, count } = riskyCommand(fresh);
  const args = { command, cwd: "/" };
  const guess = createRequestStateCodec({ key: stateKey("none") });
  const forged = await guess.mint({ approval_id: "a_00000000", session_id: null, digest: "" });
  expect((await say(args, { inputResponses: YES, requestState: forged })).error?.code).toBe(-32_602);
  // The first real call brings up a daemon and with it the key: forms work from then on, in the same process.
  const { requestState } = (await say(args)).result ?? {};
  const { result } = await say(args, { inputResponses: YES, requestState });
  expect(result?.structuredContent).toMatchObject({ status: "done" });
  expect((await say(args, { inputResponses: YES, requestState: forged })).error?.code).toBe(-32_602);
  expect(count()).toBe(1);
  shim.stdin.end();
  expect(await over).toBe(0);
});

test("a yes for one call counts for no other call and no other agent", async () => {
  const { args, count } = await asked();
  const other = await asked();
  const { requestState } = (await speak(args)).result ?? {};
  const moved = await speak(other.args, { inputResponses: YES, requestState });
  expect(moved.result).toMatchObject({ isError: true, structuredContent: { error: { code: "input.invalid" } } });
  const agent = await speak(args, { inputResponses: YES, requestState }, "somebody-else");
  expect(agent.result).toMatchObject({ isError: true });
  expect([count(), other.count()]).toEqual([0, 0]);
});

test("a repeated yes runs nothing again", async () => {
  const { args, count } = await asked();
  const { requestState } = (await speak(args)).result ?? {};
  const first = await speak(args, { inputResponses: YES, requestState });
  expect(first.result?.structuredContent).toMatchObject({ status: "done" });
  const second = await speak(args, { inputResponses: YES, requestState });
  expect(second.result?.resultType).toBe("input_required");
  expect(count()).toBe(1);
});

test("two equal calls at once share one question, and one yes causes one run", async () => {
  const { args, count } = await asked();
  const [one, two] = await Promise.all([speak(args), speak(args)]);
  const answers = [one, two].map(({ result }) => ({ inputResponses: YES, requestState: result?.requestState }));
  await Promise.all(answers.map((answer) => speak(args, answer)));
  expect(count()).toBe(1);
});

test.each(WAYS)(
  "a call over %s that was cancelled while a person was asked runs nothing when the yes comes",
  async (way) => {
    const { args, count } = await asked();
    await using mcp = await connectMcp(duetty, { way, name: "quitter" });
    const stop = new AbortController();
    let approval = "";
    const progress = ({ message = "" }: ProgressReport) => {
      approval = /approval (a_\w+)/.exec(message)?.[1] ?? "";
      stop.abort();
    };
    await expect(mcp.call("run_command", args, { signal: stop.signal, progress })).rejects.toThrow();
    await expect
      .poll(async () => (await person.approvals({})).approvals.map((one) => one.approval_id))
      .toContain(approval);
    // Once the daemon knows that nobody waits, a yes is kept for who asks again.
    await expect
      .poll(async () => (await mcp.call("run_command", { ...args, timeout_ms: 0 })).data.approval_id)
      .toBe(approval);
    await person.approve({ approval_id: approval });
    expect(count()).toBe(0);
    expect((await mcp.call("run_command", args)).data).toMatchObject({ status: "done" });
    expect(count()).toBe(1);
  },
);
