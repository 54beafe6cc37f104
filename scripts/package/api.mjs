// Writes docs/api.md from the declarations that are shipped and the table of operations: `npm run api`. With --check it
// only says whether the page is as old as they are.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { ops } from "../../build/protocol/ops.js";
import { declared } from "./declared.mjs";
import { fieldLines, typeText, wrapped } from "./schema-text.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const FILE = `${root}docs/api.md`;
const { exports } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
const WHO = { read: "It only looks.", write: "Agents' calls go through the gate.", control: "For people only." };

const head = readFileSync(new URL("api-head.md", import.meta.url), "utf8");

function entryText([path, { types }]) {
  const name = `duetty${path.slice(1)}`;
  const seen = new Set();
  const all = declared(`${root}${types}`).filter((one) => !seen.has(one.name) && seen.add(one.name));
  return [`### ${name}`, "", "```ts", all.map(({ text }) => text).join("\n\n"), "```", ""].join("\n");
}

function operationText({ name, summary, effect, input, output }) {
  const given = z.toJSONSchema(input, { io: "input", unrepresentable: "any" });
  const answer = z.toJSONSchema(output, { io: "output", unrepresentable: "any" });
  const fields = fieldLines(given);
  const call = fields.length > 0 ? [`${name}({`, ...fields, "})"] : [`${name}()`];
  const answered = answer.properties
    ? ["// answers", "{", ...fieldLines(answer), "}"]
    : [`// answers ${typeText(answer)}`];
  const said = wrapped(`${summary} ${WHO[effect]}`, 110);
  return [`### ${name}`, "", ...said, "", "```ts", ...call, ...answered, "```", ""].join("\n");
}

const entries = Object.entries(exports).filter(([, target]) => typeof target === "object");
const parts = [head, "## What you import\n", ...entries.map(entryText), "## Operations\n", ...ops.map(operationText)];
if (!process.argv.includes("--check")) writeFileSync(FILE, parts.join("\n"));
else if (readFileSync(FILE, "utf8") !== parts.join("\n")) {
  console.error("docs/api.md is older than the code: run `npm run api`.");
  process.exitCode = 1;
}
