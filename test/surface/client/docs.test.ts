// The examples of docs/client.md, carried out as they stand. A comment behind a line says what it prints.
import { expect, it } from "vitest";
import { fencesIn, markdown } from "../../fixtures/markdown.ts";
import { ROOT, run } from "../../fixtures/stand/installation.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const { duetty } = sharedStand();
const examples = fencesIn(markdown("docs/client.md")).filter(({ language }) => language === "js");

it("there are examples", () => expect(examples).toHaveLength(3));

it.each(examples.map(({ lines }) => ({ lines })))("example %#", async ({ lines }) => {
  const node = ["--input-type=module", "--eval", lines.join("\n")];
  const { code, stdout, stderr } = await run(process.execPath, node, { env: duetty.env, cwd: ROOT });
  expect([code, stderr]).toEqual([0, ""]);
  const promised = lines.flatMap((line) => /; \/\/ (.+)$/.exec(line)?.[1] ?? []);
  expect(promised.length).toBeGreaterThan(0);
  for (const text of promised) expect(stdout).toContain(text);
});
