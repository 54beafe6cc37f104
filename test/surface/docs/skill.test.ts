// The skill for agents stays true: every command in it is run as an agent would run it, and ends as the text says.
import { describe, expect, it } from "vitest";
import { fencesIn, markdown, stepsIn } from "../../fixtures/markdown.ts";
import { sharedRehearsal } from "../../fixtures/stand/rehearsal.ts";

const SKILL = "skills/duetty/SKILL.md";
const text = markdown(SKILL);

describe("commands", () => {
  const { play } = sharedRehearsal({
    "package.json": '{"scripts": {"test": "node --test"}}',
    "sum.test.js": "require('node:test').test('sum', () => {});",
  });

  it.each(stepsIn(text))("$command", async (step) => {
    const { code, stdout, stderr } = await play(step);
    expect(code, `${stdout}\n${stderr}`).toBe(step.exit);
  });
});

it("is short, and its head is what skills need", () => {
  expect(text.split("\n").length).toBeLessThanOrEqual(120);
  const head = /^---\nname: (.*)\ndescription: (.*)\n---\n/.exec(text);
  expect(head?.[1]).toBe("duetty");
  expect(head?.[2]?.length).toBeGreaterThan(100);
  // The standard's limit; a colon followed by a space would end the YAML value.
  expect(head?.[2]?.length).toBeLessThanOrEqual(1_024);
  expect(head?.[2]).not.toMatch(/: |[#"']/);
  expect(fencesIn(text).every(({ language }) => language === "sh")).toBe(true);
});
