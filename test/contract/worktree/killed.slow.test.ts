// Many trees that are made at once, by several daemons.
import { join } from "node:path";
import { expect, it } from "vitest";
import { depth } from "../../fixtures/depth.ts";
import { testFolder } from "../../fixtures/folder.ts";
import { ok, opened, repository } from "../../fixtures/worktree/kit.ts";

it("twenty trees at once are all made, also by two daemons", async () => {
  const folder = testFolder();
  const repo = repository(folder);
  for (let round = 0; round < depth(1, 2, 10); round += 1) {
    const daemons = await Promise.all([opened(folder), opened(folder, { state: join(folder, "other") })]);
    const all = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const trees = daemons[i % 2] ?? (await opened(folder));
        const id = `s_${String(round * 100 + i).padStart(8, "0")}`;
        return ok(await trees.create({ cwd: repo, id, slug: "x", form: i % 5 === 4 ? "clone" : "linked" }));
      }),
    );
    expect(new Set(all.map(({ path }) => path)).size).toBe(20);
    const same = await Promise.all(
      daemons.map((trees, i) =>
        trees.create({ cwd: repo, id: `s_${round}000same${i}`, slug: "x", form: "linked", branch: `same${round}` }),
      ),
    );
    expect(same.filter((one) => "path" in one)).toHaveLength(1);
  }
});
