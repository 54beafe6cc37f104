// The recipes for agents, carried out: the CLI form with real programs, the MCP form as the server reads it.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readInput, toolsOf } from "../../src/mcp/tools.ts";
import { fencesIn, markdown, Rehearsal, stepsIn } from "../fixtures/recipes.ts";

const text = markdown("docs/agents.md");
const rehearsal = new Rehearsal();
const inProject = (name: string) => join(rehearsal.project, name);

beforeAll(async () => {
  fs.copyFileSync("/bin/echo", inProject("demo"));
  fs.writeFileSync(inProject("sum.test.js"), "require('node:test').test('sum', () => {});");
  execFileSync("git", ["init", "-q"], { cwd: rehearsal.project });
  await rehearsal.begin();
});
afterAll(() => rehearsal[Symbol.asyncDispose]());

/** What has to be true after a recipe, besides its exit codes. */
const AFTERWARDS: Readonly<Record<string, () => void>> = {
  "Drive vim": () => expect(fs.readFileSync(inProject("notes.txt"), "utf8")).toBe("first line\n"),
  "Answer a wizard": () => {
    const made = JSON.parse(fs.readFileSync(inProject("package.json"), "utf8"));
    expect(made.name).toBe("demo");
    // For the recipe about tests.
    fs.writeFileSync(inProject("package.json"), JSON.stringify({ ...made, scripts: { test: "node --test" } }));
  },
};

const steps = stepsIn(text);
describe.each([...new Set(steps.map(({ section }) => section))])("%s", (section) => {
  it.each(steps.filter((step) => step.section === section))("$command", async (step) => {
    const { code, stdout, stderr } = await rehearsal.play(step);
    expect(code, `${stdout}\n${stderr}`).toBe(step.exit);
  });
  it("leaves what it should", () => AFTERWARDS[section]?.());
});

it("there is a recipe for each thing that was promised", () => {
  const sections = new Set(steps.map(({ section }) => section));
  for (const what of ["vim", "wizard", "gdb", "dev server", "sudo", "tests"])
    expect(
      [...sections].some((section) => section.includes(what)),
      what,
    ).toBe(true);
});

const calls = fencesIn(text)
  .filter(({ language }) => language === "mcp")
  .flatMap(({ lines }) => lines);
it.each(calls)("%s", (line) => {
  const [, name, args] = /^(\w+) (\{.*\})$/.exec(line) ?? [];
  const tool = toolsOf("all").find(({ op }) => op.name === name);
  if (!tool) throw new Error(`${name} is no tool`);
  readInput(tool, JSON.parse(args ?? ""));
});
