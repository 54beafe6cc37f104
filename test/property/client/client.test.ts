// A client is made of names: every operation is a method, and what a language asks for by itself is none.
import { expect, test } from "vitest";
import { clientOf } from "../../../src/client/client.ts";
import { ops } from "../../../src/protocol/ops.ts";

test("every operation is a method; awaiting a client, or writing it as JSON, asks for nothing", async () => {
  const asked: string[] = [];
  const client = clientOf(async (op) => asked.push(op), { close: () => "closed" });
  for (const { name } of ops) await (client[name] as (input: object) => Promise<unknown>)({});
  expect(asked.splice(0)).toEqual(ops.map(({ name }) => name));

  const awaited = await Promise.resolve(client);
  expect(awaited.close()).toBe("closed");
  expect(JSON.stringify(awaited)).toBe("{}");
  expect(`${awaited}`).toBe("[object Object]");
  expect(asked).toEqual([]);
});

test("what needs no input may be called without", async () => {
  const client = clientOf(async (op, input) => ({ op, input }));
  expect(await client.pty_list()).toEqual({ op: "pty_list", input: {} });
});
