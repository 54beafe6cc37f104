// The contract of Model when something goes wrong, for every provider, with streams and without: errors, cut and silent answers,
// Stop, and that the key is shown nowhere.

import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ModelAsk } from "../../../src/core/agent/model.ts";
import type { Cancelled } from "../../../src/core/base/cancellation.ts";
import { openModel } from "../../../src/host/models/model.ts";
import { installed } from "../../../src/host/models/packages.ts";
import { MODEL_IDLE_MS_MAX } from "../../../src/host/models/patience.ts";
import { FakeClock } from "../../fixtures/fakes/clock.ts";
import { FakeProvider, type FakeReply } from "../../fixtures/model/fake-provider.mjs";
import {
  ASK,
  asked,
  Caller,
  cases,
  gate,
  KEY,
  opened,
  providers,
  run,
  said,
  settingsFor,
  settingsOf,
  trouble,
} from "./models.ts";

let fake: FakeProvider;
beforeEach(async () => {
  fake = await FakeProvider.start();
});
afterEach(() => fake[Symbol.asyncDispose]());

describe.each(cases)("troubles of $provider, streaming: $streaming", (which) => {
  const { streaming } = which;
  const ask = (reply: FakeReply, question?: ModelAsk, caller?: Caller) => asked(which, fake, reply, question, caller);

  test("a refusal is not tried again", async () => {
    const found = trouble(await ask({ refuse: true }));
    expect(found).toMatchObject({ code: "refused", retry: null, message: expect.stringContaining("can't help") });
  });

  test("an answer that was cut at the limit keeps only its whole calls", async () => {
    const cut = { name: "run_command", malformed_args: '{"comma' };
    expect(trouble(await ask({ text: "On and on", finish: "length" }))).toMatchObject({
      code: "invalid",
      retry: null,
    });
    expect(trouble(await ask({ calls: [cut], finish: "length" })).code).toBe("invalid");
    const reply = said(await ask({ calls: [run("a"), cut], finish: "length" }));
    expect(reply.calls.map(({ args }) => args)).toEqual([{ command: "a" }]);
  });

  test.each([
    { status: 400, code: "invalid", retry: null, hint: "m-1" },
    { status: 401, code: "auth", retry: null, hint: "THE_KEY" },
    { status: 403, code: "auth", retry: null, hint: "THE_KEY" },
    { status: 404, code: "invalid", retry: null, hint: "m-1" },
    { status: 413, code: "invalid", retry: null, hint: "too long" },
    { status: 429, code: "limit", retry: { after_ms: null }, hint: "wait" },
    { status: 429, code: "limit", retry: { after_ms: 7_000 }, headers: { "retry-after": "7" }, hint: "wait" },
    {
      status: 429,
      code: "limit",
      retry: { after_ms: 250 },
      headers: { "retry-after-ms": "250", "retry-after": "1" },
      hint: "wait",
    },
    {
      status: 429,
      code: "limit",
      retry: null,
      body: { type: "error", error: { type: "insufficient_quota", message: "no money" } },
      hint: "plan",
    },
    { status: 500, code: "overloaded", retry: { after_ms: null }, hint: "again" },
    { status: 503, code: "overloaded", retry: { after_ms: 2_000 }, headers: { "retry-after": "2" }, hint: "again" },
    { status: 529, code: "overloaded", retry: { after_ms: null }, hint: "again" },
    {
      status: 307,
      code: "invalid",
      retry: null,
      headers: { location: "http://127.0.0.1:9/v1" },
      hint: "final address",
    },
  ])("status $status $headers is $code", async ({ code, retry, hint, ...reply }) => {
    const found = trouble(await ask({ message: `no: ${KEY}`, ...reply }));
    expect(found).toMatchObject({ code, retry, hint: expect.stringContaining(hint) });
    expect(JSON.stringify(found)).not.toContain(KEY);
    expect(fake.requests).toHaveLength(1);
  });

  test("a Retry-After date says when to try again", async () => {
    const clock = new FakeClock();
    const date = new Date(clock.now() + 90_000).toUTCString();
    fake.say({ status: 429, headers: { "retry-after": date } });
    const caller = new Caller();
    const found = trouble(
      await (await opened(settingsFor(which, fake), { clock })).complete(ASK, caller, caller.partial),
    );
    expect(found.retry).toEqual({ after_ms: 90_000 });
  });

  test("a proxy's error page is not an answer, and a long one is cut", async () => {
    const found = trouble(await ask({ status: 400, raw: `<html>${"x ".repeat(5_000)}` }));
    expect(found.code).toBe("invalid");
    expect(found.message.length).toBeLessThan(400);
    const other = trouble(await ask({ raw: "<html>Welcome to the hotel</html>" }));
    expect(["invalid", "network"]).toContain(other.code);
  });

  test.each([{ detail: "no such thing" }, { error: "no such thing" }, { message: "no such thing" }])(
    "the server's message is found in %j",
    async (body) => {
      expect(trouble(await ask({ status: 400, body })).message).toContain("400: no such thing");
    },
  );

  test("a missing server or a broken connection is tried again", async () => {
    const settings = settingsFor(which, fake);
    for (const cut of ["mid-stream", ...(streaming ? (["quietly"] as const) : [])] as const) {
      const found = trouble(await ask({ text: "A long answer that will not be whole.", calls: [run("a")], cut }));
      expect(found, cut).toMatchObject({ code: "network", retry: { after_ms: null } });
    }
    await fake[Symbol.asyncDispose]();
    const caller = new Caller();
    const model = await opened(settings);
    expect(trouble(await model.complete(ASK, caller, caller.partial))).toMatchObject({
      code: "network",
      retry: { after_ms: null },
    });
    fake = await FakeProvider.start();
  });

  test("Stop ends the call and its connection at once", async () => {
    for (const [i, hang] of ([true, "mid-stream"] as const).entries()) {
      const caller = new Caller();
      const heard = gate();
      caller.heard = heard.open;
      const done = ask({ text: "Something that never comes to its end, however long.", hang }, ASK, caller);
      await fake.asked(i + 1);
      if (hang === "mid-stream" && streaming) await heard.opened;
      caller.leave();
      expect(trouble(await done)).toMatchObject({ code: "aborted", retry: null });
      await fake.hungUp(i + 1);
    }
  });

  test("a call that was cancelled before it began is not sent", async () => {
    const model = await opened(settingsFor(which, fake));
    const gone: Cancelled = { onCancel: (leave) => leave() };
    expect(trouble(await model.complete(ASK, gone, () => undefined)).code).toBe("aborted");
    expect(fake.requests).toHaveLength(0);
  });

  test("a call to a silent server is given up", async () => {
    const clock = new FakeClock();
    const model = await opened(settingsFor(which, fake), { clock });
    for (const [i, hang] of ([true, "mid-stream"] as const).entries()) {
      fake.say({ text: "Something that never comes to its end, however long.", hang });
      const caller = new Caller();
      const done = model.complete(ASK, caller, caller.partial);
      await fake.asked(i + 1);
      clock.pass(MODEL_IDLE_MS_MAX);
      expect(trouble(await done)).toMatchObject({
        code: "network",
        retry: { after_ms: null },
        message: expect.stringContaining("silent"),
      });
      await fake.hungUp(i + 1);
    }
    fake.say({ text: "back" });
    const caller = new Caller();
    expect(said(await model.complete(ASK, caller, caller.partial)).text).toBe("back");
  });

  test("the key appears in nothing but the request", async () => {
    const printed = (["log", "info", "warn", "error", "debug"] as const).map((level) => vi.spyOn(console, level));
    const written = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, "write"));
    const caller = new Caller();
    const settings = settingsFor(which, fake);
    const model = await opened(settings);
    const seen: unknown[] = [model, settings, await openModel(settings, { packages: { ...installed, ai: broken } })];
    const message = `Bad key ${KEY} (Bearer ${KEY}; ${encodeURIComponent(KEY)})`;
    const errors = [400, 401, 404, 429, 500].map((status) => ({ status, message }));
    for (const reply of [...errors, { refuse: true }, { cut: "mid-stream", text: "abc" }, { raw: message }] as const) {
      fake.say(reply);
      seen.push(await model.complete(ASK, caller, caller.partial));
    }
    fake.say({ text: "x", stream_error: { type: "overloaded_error", message } });
    if (streaming) seen.push(await model.complete(ASK, caller, caller.partial));
    seen.push(caller.partials, ...[...printed, ...written].map(({ mock }) => mock.calls));
    vi.restoreAllMocks();
    expect(JSON.stringify(seen)).not.toContain(KEY);
    expect(inspect(seen, { depth: 20, showHidden: true })).not.toContain(KEY);
    expect(JSON.stringify(fake.requests)).not.toContain(KEY);
    expect([...fake.keys]).toEqual([KEY]);
  });
});

async function broken(): Promise<never> {
  throw new Error(`cannot load, by the way ${KEY}`);
}

describe.each(providers)("a stream of $provider", ({ provider, base }) => {
  test.each([
    { type: "overloaded_error", message: "Overloaded", code: "overloaded" },
    { type: "rate_limit_error", message: "Slow down", code: "limit" },
  ])("fails with the error $type that it carries", async ({ type, message, code }) => {
    fake.say({ text: "So far, so", stream_error: { type, message } });
    const model = await opened(settingsOf({ model: `${provider}/m`, base_url: base(fake.url), key_env: "THE_KEY" }));
    const caller = new Caller();
    const found = trouble(await model.complete(ASK, caller, caller.partial));
    expect(found).toMatchObject({ code, retry: { after_ms: null }, message: expect.stringContaining(message) });
  });

  test("may take long while data comes", async () => {
    const clock = new FakeClock();
    const [begin, go] = [gate(), gate()];
    const text = "A long answer that comes in the end, after all.";
    fake.say(async () => {
      await begin.opened;
      return { text, pause: go.opened };
    });
    const settings = settingsOf({ model: `${provider}/m`, base_url: base(fake.url), key_env: "THE_KEY" });
    const caller = new Caller();
    const heard = gate();
    caller.heard = heard.open;
    const done = (await opened(settings, { clock })).complete(ASK, caller, caller.partial);
    await fake.asked(1);
    clock.pass(MODEL_IDLE_MS_MAX - 1);
    begin.open();
    await heard.opened;
    clock.pass(MODEL_IDLE_MS_MAX - 1);
    go.open();
    expect(said(await done).text).toBe(text);
  });

  test("needs packages, and says which are missing", async () => {
    const missing = () =>
      Promise.reject(Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" }));
    const packages = { ...installed, anthropic: missing, openai: missing, compatible: missing };
    const settings = settingsOf({ model: `${provider}/m`, base_url: base(fake.url), key_env: "THE_KEY" });
    const found = await openModel(settings, { packages });
    expect(found).toMatchObject({
      code: "agent.unavailable",
      hint: expect.stringMatching(`npm install ai@7 @ai-sdk/${provider}@`),
    });
  });
});

test("an answer that is too large is given up", async () => {
  fake.say({ raw: "x".repeat(65 << 20) });
  const settings = settingsOf({ model: "anthropic/m", base_url: fake.url, key_env: "THE_KEY", streaming: false });
  const caller = new Caller();
  const found = trouble(await (await opened(settings)).complete(ASK, caller, caller.partial));
  expect(found).toMatchObject({ code: "invalid", retry: null, message: expect.stringContaining("larger than 64 MiB") });
});
