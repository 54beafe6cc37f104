// With node:test: the kit's own `expect` needs no runner.
import { test } from "node:test";
import { expect, launch } from "duetty/testing";

test("an entry is marked, and the program tells how many are open", async (t) => {
  const term = await launch(["node", "todo.mjs"], { cwd: import.meta.dirname, cols: 60, rows: 12, timeout: 20_000 });
  t.after(() => term.close());

  const list = term.getByRole("box", { name: "To do" });
  await expect(list.getByRole("selected")).toHaveText("[ ] write the program");
  await term.press("Down", "Space");
  await expect(list.getByRole("selected")).toHaveText("[x] test it");
  await expect(term.getByRole("status")).toHaveText("2 open");
  await expect(term).toMatchScreen("one-done");

  await term.press("q");
  await expect(term).toHaveExited(2);
});
