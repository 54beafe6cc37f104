// The recipes for agents, carried out: the CLI form with real programs, the MCP form as the server reads it.
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readInput, toolsOf } from "../../../src/mcp/tools.ts";
import { fencesIn, markdown, stepsIn } from "../../fixtures/markdown.ts";
import { sharedRehearsal } from "../../fixtures/stand/rehearsal.ts";

const text = markdown("docs/agents.md");
const { project, play } = sharedRehearsal({ "sum.test.js": "require('node:test').test('sum', () => {});" });
const inProject = (name: string) => join(project, name);
fs.copyFileSync("/bin/echo", inProject("demo"));

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
    const { code, stdout, stderr } = await play(step);
    expect(code, `${stdout}\n${stderr}`).toBe(step.exit);
  });
  it("the recipe leaves what it should", () => AFTERWARDS[section]?.());
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
