// Every promise in SECURITY.md names a test, and each of these tests exists and is active.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const INACTIVE = /\b(?:test|it|describe)\.(?:skip|only|todo|fails|skipIf|runIf)\b/;
const CASE = /\b(?:test|it)(?:\.each|\.for)?\(|\bfc\.assert\(/;

const errors = [];
/** The rows of the tables under these headings, without their heads. */
const rows = readFileSync("SECURITY.md", "utf8")
  .split("\n")
  .map((text, index) => ({ text, line: index + 1 }))
  .filter(({ text }) => /^\|(?! promise \| shown by| hole \| shown by|-)/.test(text));
const named = new Set();

for (const { text, line } of rows) {
  const paths = [...text.matchAll(/`(test\/[^`\s]+)`/g)].map(([, path]) => path);
  if (paths.length === 0) errors.push(`SECURITY.md:${line}: a promise without a test`);
  for (const path of paths) {
    named.add(path);
    if (!existsSync(path)) {
      errors.push(`SECURITY.md:${line}: ${path} does not exist`);
      continue;
    }
    const files = statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true, encoding: "utf8" }).map((name) => join(path, name))
      : [path];
    const tests = files
      .filter((file) => file.endsWith(".test.ts"))
      .map((file) => ({ file, source: readFileSync(file, "utf8") }));
    if (!tests.some(({ source }) => CASE.test(source))) errors.push(`SECURITY.md:${line}: ${path} contains no test`);
    for (const { file, source } of tests)
      if (INACTIVE.test(source)) errors.push(`${file}: an inactive test guards a promise`);
  }
}
if (rows.length === 0) errors.push("SECURITY.md has no table of promises");

for (const error of errors) console.error(error);
console.log(`${rows.length} rows of SECURITY.md name ${named.size} tests, ${errors.length} errors`);
process.exitCode = errors.length > 0 ? 1 : 0;
