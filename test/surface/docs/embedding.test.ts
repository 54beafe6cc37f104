// The examples of docs/client.md and docs/library.md, carried out as they stand. A comment behind a line says what it prints.
import { expect, it } from "vitest";
import { fencesIn, markdown } from "../../fixtures/markdown.ts";
import { ROOT, run } from "../../fixtures/stand/installation.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const { duetty } = sharedStand();
const examples = ["docs/client.md", "docs/library.md"].flatMap((doc) =>
  fencesIn(markdown(doc)).flatMap(({ language, lines }) => (language === "js" ? [{ doc, lines }] : [])),
);

it("there are examples", () => expect(examples).toHaveLength(7));

it.each(examples)("example %# in $doc", async ({ lines }) => {
  const node = ["--input-type=module", "--eval", lines.join("\n")];
  const { code, stdout, stderr } = await run(process.execPath, node, { env: duetty.env, cwd: ROOT });
  expect([code, stderr]).toEqual([0, ""]);
  const promised = lines.flatMap((line) => /; \/\/ (.+)$/.exec(line)?.[1] ?? []);
  expect(promised.length).toBeGreaterThan(0);
  for (const text of promised) expect(stdout).toContain(text);
});
