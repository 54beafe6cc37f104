// Every line of the corpora that would run without a question where there is no box is run, by real bash with real programs, in a
// sandbox without a network. Around the workspace lie files and a variable that no such line may change or show. The workspace
// holds files whose names look like options, so that a pattern that becomes one is seen.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { classify } from "../../src/core/gate/risk/classify.ts";
import { depth } from "../fixtures/depth.ts";
import { testFolder } from "../fixtures/folder.ts";
import { corpus } from "../fixtures/risk/corpus.ts";

/** What a line may take. Those that stay (tail -f) are ended. */
const LINE_SECONDS = 1;
/** After so many lines we look whether one of them has changed something. */
const LINES_A_LOOK = 20;
const BOX_MS_MAX = 240_000;
/** One of this many lines is run; `npm run test:long` runs all of them. */
const ONE_OF = depth(24, 12, 1);
const SECRET = "CANARY-7f3a91";

/** Runners of the project's own code by intent. What they would start is not the matter here, and they are slow to start. */
const SHIMS = "npm npx pnpm yarn bun deno cargo go gradle mvn dotnet node python python3 pip pip3 uv poetry".split(" ");

const DRIVER = `cd /work
export API_TOKEN=${SECRET}
look() {
  [ -z "$(find /outside /home/ann -newer /log/start -print -quit)" ] || printf '%s\\0' "\${ran[@]}" >> /log/touched
  : > /log/start
  ran=()
}
while IFS= read -r -d '' line; do
  timeout -k 0.1 ${LINE_SECONDS} bash -c "$line" < /dev/null > /log/printed 2>&1
  [ ! -s /log/printed ] || ! grep -qa ${SECRET} /log/printed || printf '%s\\0' "$line" >> /log/shown
  printf '%s\\0' "$line" >> /log/ran
  ran+=("$line")
  [ "\${#ran[@]}" -lt ${LINES_A_LOOK} ] || look
done < /log/lines
look
`;

const WORKSPACE = {
  "package.json": '{"name":"x","scripts":{"test":"true"}}',
  Makefile: "all build test check lint:\n\t@true\n",
  "README.md": "hello\n",
  "file.txt": "one\ntwo\n",
  "data.json": '{"a":1}',
  "main.c": "int main(void){return 0;}\n",
  "-delete": "",
  "-rf": "",
  "-i": "",
  "-o": "",
  "--output=out": "",
  "-exec": "",
};

test("no line that runs without a question changes or shows anything outside the workspace", () => {
  const safe = corpus().filter((line) => classify(line).class === "safe");
  expect(safe.length).toBeGreaterThan(1_400);
  const lines = safe.filter((_, i) => i % ONE_OF === 0);
  const outside = testFolder({ "kept.txt": SECRET });
  const home = testFolder({ "notes.txt": SECRET, ".bash_profile": "", ".netrc": SECRET });
  fs.mkdirSync(join(home, ".ssh"));
  fs.writeFileSync(join(home, ".ssh", "id_ed25519"), SECRET);
  const work = testFolder(WORKSPACE);
  for (const name of ["src", "test", "tests", ".cache", ".tmp"]) fs.mkdirSync(join(work, name));
  fs.writeFileSync(join(work, "src", "a.ts"), "export const a = 1;\n");
  execFileSync("git", ["init", "-q", work]);
  const log = testFolder({
    lines: lines.map((line) => `${line}\0`).join(""),
    ran: "",
    shown: "",
    touched: "",
    driver: DRIVER,
  });
  fs.writeFileSync(join(log, "start"), "");
  const before = [snapshot(outside), snapshot(home)];
  run({ outside, home, work, log });
  const parts = (name: string) => fs.readFileSync(join(log, name), "utf8").split("\0").filter(Boolean);
  expect(parts("ran")).toHaveLength(lines.length);
  expect(parts("touched")).toEqual([]);
  expect([snapshot(outside), snapshot(home)]).toEqual(before);
  expect(parts("shown")).toEqual([]);
});

/** Every file with its content. */
function snapshot(folder: string): readonly string[] {
  const names = fs.readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return names.map((name) => {
    const file = join(folder, name);
    return fs.statSync(file).isFile() ? `${name} ${fs.readFileSync(file, "utf8")}` : name;
  });
}

function run({ outside, home, work, log }: Record<"outside" | "home" | "work" | "log", string>): void {
  const shims = testFolder(Object.fromEntries(SHIMS.map((name) => [name, "#!/bin/sh\nexit 0\n"])));
  for (const name of SHIMS) fs.chmodSync(join(shims, name), 0o755);
  const variables = {
    PATH: "/shims:/usr/bin:/bin",
    HOME: "/home/ann",
    TMPDIR: "/work/.tmp",
    XDG_CACHE_HOME: "/work/.cache",
    npm_config_cache: "/work/.cache/npm",
    PAGER: "cat",
    GIT_PAGER: "cat",
    TERM: "dumb",
    LANG: "C.UTF-8",
  };
  const args = [
    ...["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"],
    ...Object.entries(variables).flatMap(([name, value]) => ["--setenv", name, value]),
    ...["--ro-bind", "/usr", "/usr", "--ro-bind", "/etc", "/etc", "--symlink", "usr/bin", "/bin"],
    ...["--symlink", "usr/lib", "/lib", "--ro-bind-try", "/usr/lib64", "/lib64", "--symlink", "usr/sbin", "/sbin"],
    ...["--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--ro-bind", shims, "/shims"],
    ...["--bind", outside, "/outside", "--bind", home, "/home/ann", "--bind", work, "/work", "--bind", log, "/log"],
    ...["bash", "/log/driver"],
  ];
  execFileSync("bwrap", args, { timeout: BOX_MS_MAX, stdio: ["ignore", "ignore", "pipe"] });
}
