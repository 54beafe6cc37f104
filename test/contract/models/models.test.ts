// The contract of Model, for every provider, with streams and without, against a local server that speaks the real protocols:
// what goes to the model and what comes back. What goes wrong: troubles.test.ts.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Entry } from "../../../src/core/agent/history.ts";
import type { ModelAsk } from "../../../src/core/agent/model.ts";
import { readKeyFile } from "../../../src/host/models/key-file.ts";
import { testFolder } from "../../fixtures/folder.ts";
import { FakeProvider, type FakeReply } from "../../fixtures/model/fake-provider.mjs";
import { ASK, asked, Caller, cases, KEY, opened, run, SYSTEM, said, settingsOf, TOOLS } from "./models.ts";

let fake: FakeProvider;
beforeEach(async () => {
  fake = await FakeProvider.start();
});
afterEach(() => fake[Symbol.asyncDispose]());

describe.each(cases)("answers of $provider, streaming: $streaming", (which) => {
  const { protocol, streaming } = which;
  const ask = (reply: FakeReply, question?: ModelAsk, caller?: Caller) => asked(which, fake, reply, question, caller);

  test("answers with text, in parts when it streams", async () => {
    const caller = new Caller();
    const text = "Grüße, 世界! 👩‍👩‍👧 — done.";
    const reply = said(await ask({ text }, ASK, caller));
    expect(reply).toEqual({ text, calls: [], tokens: { input: 25, output: 12 } });
    expect(caller.partials.join("")).toBe(streaming ? text : "");
    expect(caller.partials.length > 1).toBe(streaming);
    expect(fake.requests).toMatchObject([
      { protocol, model: "m-1", system: SYSTEM, tools: TOOLS.map(({ name }) => name), stream: streaming },
    ]);
    expect(fake.requests[0]?.messages).toMatchObject([{ role: "user", text: "go" }]);
    expect([...fake.keys]).toEqual([KEY]);
  });

  test("calls a tool", async () => {
    const reply = said(await ask({ calls: [{ ...run("ls -la 'ä'"), id: "id-7" }] }));
    expect(reply).toMatchObject({
      text: "",
      calls: [{ id: "id-7", tool: "run_command", args: { command: "ls -la 'ä'" } }],
    });
  });

  test("says something and calls several tools, in order", async () => {
    const reply = said(await ask({ text: "First:", calls: [run("a"), { name: "read_screen" }, run("b")] }));
    expect(reply.text).toBe("First:");
    expect(reply.calls.map(({ tool, args }) => [tool, args])).toEqual([
      ["run_command", { command: "a" }],
      ["read_screen", {}],
      ["run_command", { command: "b" }],
    ]);
    expect(new Set(reply.calls.map(({ id }) => id)).size).toBe(3);
  });

  test("keeps arguments that are not JSON as text, and passes on unknown tools", async () => {
    const malformed_args = '{"command": "ls';
    const calls = [
      { name: "run_command", malformed_args },
      { name: "no_such_tool", args: { x: [1] } },
    ];
    const reply = said(await ask({ calls }));
    expect(reply.calls).toMatchObject([
      { tool: "run_command", args: malformed_args },
      { tool: "no_such_tool", args: { x: [1] } },
    ]);
  });

  test("gives every call an id of its own, in its answer and in the history", async () => {
    const history: Entry[] = [
      { role: "person", text: "go" },
      { role: "agent", text: "", calls: [{ id: "call_0", tool: "run_command", args: {} }] },
      { role: "observation", call_id: "call_0", tool: "run_command", ok: true, text: "x", again: null },
    ];
    const calls = ["call_0", "same", "same", "with blanks"].map((id) => ({ ...run("x"), id }));
    const ids = said(await ask({ calls }, { ...ASK, history })).calls.map(({ id }) => id);
    expect(new Set([...ids, "call_0"]).size).toBe(5);
    expect(ids[1]).toBe("same");
    expect(ids.every((id) => /^[\w-]{1,64}$/.test(id))).toBe(true);
  });

  test("sends a long history with every result beside its call", async () => {
    const turns = Array.from({ length: 40 }, (_, i): Entry[] => [
      { role: "person", text: `do ${i}` },
      { role: "person", text: "quickly" },
      {
        role: "agent",
        text: "",
        calls: [`a${i}`, `b${i}`].map((id) => ({ id, tool: "run_command", args: { command: id } })),
      },
      { role: "observation", call_id: `b${i}`, tool: "run_command", ok: false, text: `out b${i} ✓`, again: null },
      { role: "observation", call_id: `a${i}`, tool: "run_command", ok: true, text: "", again: null },
      { role: "agent", text: `did ${i}`, calls: [] },
      { role: "agent", text: "  ", calls: [] },
    ]);
    said(await ask({ text: "ok" }, { ...ASK, history: [...turns.flat(), { role: "person", text: "now" }] }));
    const messages = fake.requests[0]?.messages ?? [];
    const calls = messages.flatMap((message) => message.calls);
    const results = messages.filter(({ role }) => role === "tool");
    expect(calls.map(({ id }) => id)).toEqual(results.map(({ result_of }) => result_of));
    expect(calls).toHaveLength(80);
    expect(calls[2]).toMatchObject({ name: "run_command", args: { command: "a1" } });
    expect(results[0]?.text).toBe("(no output)");
    expect(results[1]?.text).toContain("out b0 ✓");
    if (protocol === "anthropic") expect(results.map(({ failed }) => failed).slice(0, 2)).toEqual([false, true]);
    expect(
      messages
        .filter(({ role }) => role === "user")
        .map(({ text }) => text)
        .slice(0, 2),
    ).toEqual(["do 0\n\nquickly", "do 1\n\nquickly"]);
    expect(messages.some(({ text, calls }) => text.trim() === "" && calls.length === 0)).toBe(false);
  });

  test("repairs a history that was cut or stopped", async () => {
    const history: Entry[] = [
      { role: "observation", call_id: "gone", tool: "read_screen", ok: true, text: "old screen", again: null },
      { role: "agent", text: "", calls: [{ id: "c1", tool: "bad name!", args: "{oops" }] },
      { role: "person", text: "half a pair: \ud83d" },
      { role: "agent", text: "well", calls: [] },
    ];
    said(await ask({ text: "ok" }, { ...ASK, history }));
    expect(fake.requests[0]?.messages).toMatchObject([
      { role: "user", text: "[read_screen] old screen" },
      { role: "assistant", calls: [{ id: "c1", name: "bad_name_", args: { unreadable: "{oops" } }] },
      { role: "tool", result_of: "c1", text: expect.stringContaining("Not carried out") },
      { role: "user", text: "half a pair: \ufffd" },
      { role: "assistant", text: "well" },
      { role: "user", text: "Go on." },
    ]);
  });
});

test.each(["", "/", "/v1", "/v1/", "/v1/messages"])("Anthropic's address may end in '%s'", async (end) => {
  fake.say({ text: "here" });
  const settings = settingsOf({}, { ANTHROPIC_AUTH_TOKEN: KEY, ANTHROPIC_BASE_URL: `${fake.url}${end}` });
  const caller = new Caller();
  expect(said(await (await opened(settings)).complete(ASK, caller, caller.partial)).text).toBe("here");
  expect([...fake.keys]).toEqual([KEY]);
});

test("Ollama needs no key and gets none", async () => {
  fake.say({ text: "here" });
  const settings = settingsOf({ model: "ollama/llama3" }, { OLLAMA_HOST: fake.url, OPENAI_API_KEY: KEY });
  const caller = new Caller();
  expect(said(await (await opened(settings)).complete(ASK, caller, caller.partial)).text).toBe("here");
  expect(fake.requests).toMatchObject([{ protocol: "chat", model: "llama3" }]);
  expect(fake.keys.size).toBe(0);
});

test("a key is read from a file, and from nothing else", () => {
  const dir = testFolder({ key: `${KEY}\n`, large: "x".repeat(20_000) });
  execFileSync("mkfifo", [join(dir, "pipe")]);
  expect(readKeyFile(join(dir, "key"))).toBe(`${KEY}\n`);
  const others = ["large", "pipe", "none", "."].map((name) => readKeyFile(join(dir, name)));
  expect(others).toEqual([undefined, undefined, undefined, undefined]);
});
