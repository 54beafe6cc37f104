// With vitest: the same expectations as matchers of its own `expect`.
import { launch, matchers } from "duetty/testing";
import { afterEach, expect, test } from "vitest";

expect.extend(matchers);

let term;
afterEach(() => term?.close());

test("an entry can be taken back", { timeout: 60_000 }, async () => {
  term = await launch(["node", "todo.mjs"], { cwd: import.meta.dirname, cols: 60, rows: 12, timeout: 20_000 });
  await expect(term).toShow("3 open");
  await term.press("Down", "Space");
  await expect(term).toMatchScreen("one-done");
  await term.press("Space");
  await expect(term.getByText("[x]")).toHaveCount(0);
  await expect(term).not.toShow("2 open");
});
