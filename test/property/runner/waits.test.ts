// Uses real timers: how the waiting functions of the fixtures treat time is the subject.
import { expect, it, onTestFinished } from "vitest";
import { appendToError, diagnosticsText, onFailure } from "../../fixtures/diagnostics.ts";
import { soon, until } from "../../fixtures/soon.ts";

const SHORT_MS = 100;

async function failureOf(result: Promise<unknown>): Promise<Error> {
  const error = await result.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) throw new Error("expected a failure");
  return error;
}

it("soon fails with the last error, what it waited for, and the diagnostics", async () => {
  const registration = onFailure(() => "  | $ false");
  onTestFinished(() => registration.close());
  let n = 0;
  const count = () => {
    n += 1;
    return n;
  };
  const { message, stack } = await failureOf(soon(() => expect(count()).toBe(-1), SHORT_MS));
  expect(message).toMatch(`expected ${n} to be -1`);
  expect(message).toMatch(/Waited \d+ ms for: .*expect\(count\(\)\)\.toBe\(-1\)/);
  expect(message).toMatch(/Diagnostics:\n {2}\| \$ false$/);
  expect(stack).toContain(message);
});

it("a check that never returns fails at the deadline", async () => {
  const { message } = await failureOf(soon(() => new Promise(() => undefined), SHORT_MS));
  expect(message).toMatch(/^the check did not return within \d+ ms/);
});

it("until fails with the name of its condition", async () => {
  const { message } = await failureOf(until(() => false, "the end", SHORT_MS));
  expect(message).toMatch(/^the end did not happen within \d+ ms/);
});

it("time in which the process could not run does not count", async () => {
  const blockedMs = 3 * SHORT_MS;
  setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, blockedMs), SHORT_MS / 2);
  const startedAt = Date.now();
  await failureOf(until(() => false, "the end", SHORT_MS));
  expect(Date.now() - startedAt).toBeGreaterThan(SHORT_MS / 2 + blockedMs);
});

it("diagnostics are bounded in size and time, and their failure is part of the text", async () => {
  const sources = [
    () => "x".repeat(1_000_000),
    () => new Promise<string>(() => undefined),
    () => {
      throw new Error("no daemon");
    },
  ];
  const registrations = sources.map(onFailure);
  const text = await diagnosticsText();
  expect(text.length).toBeLessThan(5_000);
  expect(text).toMatch("(no diagnostics within 1000 ms)");
  expect(text).toMatch("(no diagnostics: Error: no daemon)");
  await Promise.all(registrations.map((registration) => registration.close()));
});

it("a source that ended during the test is still part of its diagnostics", async () => {
  const registration = onFailure(() => "the last screen");
  await registration.close();
  expect(await diagnosticsText()).toMatch("the last screen");
});

it("diagnostics are appended to an error once", () => {
  const once = appendToError(new Error("broken"), "Diagnostics:\n$1 a screen").message;
  expect(once).toBe("broken\nDiagnostics:\n$1 a screen");
  expect(appendToError(new Error(once), "Diagnostics:\nanother").message).toBe(once);
  expect(appendToError(AbortSignal.abort().reason, "a note").message).toMatch(/\na note$/);
});
