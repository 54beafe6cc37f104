// npm run bench [NAME…]: one file per question, one after the other, so that none disturbs another. With BENCH_JSON=FILE the
// tables are written there as well, with what they were measured on.
import { readdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg, release } from "node:os";
import { fileURLToPath } from "node:url";
import { tables } from "./stand.mjs";

const folder = fileURLToPath(new URL(".", import.meta.url));
const wanted = process.argv.slice(2);
const files = readdirSync(folder).filter((file) => file.endsWith(".bench.mjs"));
const machine = { cpu: cpus()[0]?.model, cores: cpus().length, kernel: release(), node: process.version };
const answers = [];
for (const file of files) {
  if (wanted.length > 0 && !wanted.some((name) => file.includes(name))) continue;
  const { question, run } = await import(`./${file}`);
  console.log(`\n## ${question}\n`);
  const [date, load] = [new Date().toISOString(), loadavg()[0]];
  await run();
  answers.push({ file, question, date, load, tables: tables.splice(0) });
}
if (process.env.BENCH_JSON) writeFileSync(process.env.BENCH_JSON, `${JSON.stringify({ machine, answers }, null, 2)}\n`);
