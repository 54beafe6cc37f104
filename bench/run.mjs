// npm run bench [NAME…]: one file per question, one after the other, so that none disturbs another.
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));
const wanted = process.argv.slice(2);
const files = readdirSync(folder).filter((file) => file.endsWith(".bench.mjs"));
for (const file of files) {
  if (wanted.length > 0 && !wanted.some((name) => file.includes(name))) continue;
  const { question, run } = await import(`./${file}`);
  console.log(`\n## ${question}\n`);
  await run();
}
