// The folder every scene plays in: a small project with a history, made anew for each scene, the same each time.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const DEMO = "/tmp/demo";
const PROGRAMS = fileURLToPath(new URL("../../test/fixtures/programs/", import.meta.url));

export function prepareDemo() {
  rmSync(DEMO, { recursive: true, force: true });
  mkdirSync(join(DEMO, "bin"), { recursive: true });
  for (const file of readdirSync(PROGRAMS)) copyFileSync(join(PROGRAMS, file), join(DEMO, "bin", file));
  put("long.txt", Array.from({ length: 300 }, (_, n) => prose(n)).join("\n"));
  put("main.c", program());
  put("notes.md", "# Notes\n\n- one\n- zwei mit Umlaut: äöü\n- 三つ目 (wide)\n- emoji 🙂 and e\u0301\n");
  names();
  repository();
}

function put(name, text) {
  mkdirSync(join(DEMO, name, ".."), { recursive: true });
  writeFileSync(join(DEMO, name), text);
}

function prose(n) {
  const words = ["screen", "cursor", "margin", "needle", "column", "glyph", "region", "answer"];
  const rest = Array.from({ length: 6 + (n % 9) }, (_, i) => words[(n * 7 + i * 3) % words.length]).join(" ");
  return `${String(n + 1).padStart(3)}: ${rest}`;
}

function program() {
  const functions = Array.from(
    { length: 60 },
    (_, n) =>
      `/* step ${n}: returns n times ${n} */\nstatic int step_${n}(int n)\n{\n\tconst char *name = "step ${n}";\n` +
      `\tif (n > ${n}) {\n\t\tprintf("%s: %d\\n", name, n * ${n});\n\t\treturn n * ${n};\n\t}\n\treturn 0x${n.toString(16)};\n}\n`,
  );
  return `#include <stdio.h>\n#define LIMIT 100\n\n${functions.join("\n")}\nint main(void)\n{\n\treturn step_1(2);\n}\n`;
}

function names() {
  const all = [
    "日本語.txt",
    "中文文件名.md",
    "한국어.log",
    "smile-🙂.png",
    "family-👩‍👩‍👧.jpg",
    "café.txt",
    "naïve résumé.pdf",
  ];
  for (const name of all) put(join("names", name), "");
  for (let n = 0; n < 24; n += 1) put(join("names", `file-${String(n).padStart(2, "0")}${".c.h.sh".slice(0, 2)}`), "");
  put("names/sub/ディレクトリ/深い.txt", "deep\n");
}

function repository() {
  const at = join(DEMO, "project");
  mkdirSync(at);
  let commit = 0;
  const git = (...args) => {
    const date = `2024-01-02T03:${String(commit).padStart(2, "0")}:00Z`;
    const env = { PATH: process.env.PATH, HOME: DEMO, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    execFileSync("git", args, { cwd: at, env, stdio: "ignore" });
  };
  const save = (file, text, message) => {
    put(join("project", file), text);
    git("add", ".");
    commit += 1;
    git("commit", "-m", message);
  };
  writeFileSync(
    join(DEMO, ".gitconfig"),
    "[user]\n\tname = Ada Demo\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n",
  );
  git("init");
  const lines = Array.from({ length: 40 }, (_, n) => `line ${n + 1}`);
  save("a.txt", `${lines.join("\n")}\n`, "Begin: a file of forty lines");
  git("checkout", "-b", "wide");
  save("wide.txt", "全角\n", "Add 全角 text");
  save("wide.txt", "全角\n半角\n", "Add 半角 text 🎉");
  git("checkout", "main");
  save("b.txt", "b\n", "Add b");
  commit += 1;
  git("merge", "--no-ff", "-m", "Merge branch 'wide'", "wide");
  for (let n = 0; n < 8; n += 1) save("b.txt", `b\n${"more\n".repeat(n + 1)}`, `Grow b, step ${n + 1}`);
  const changed = lines.map((line, n) => (n === 4 || n === 30 ? `${line}, changed: déjà vu 全角\t(tab)` : line));
  put("project/a.txt", `${changed.filter((_, n) => n !== 20).join("\n")}\nappended   \n`);
}
