// The classifier against bash itself: made-up lines run in a box whose only programs are shims that log how they were
// started. The classifier must have named every program that started, and every program of a safe line must be safe.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { classify, commandsOf } from "../../src/core/gate/risk/classify.ts";
import { depth } from "../fixtures/depth.ts";
import { testFolder } from "../fixtures/folder.ts";
import { generate, NAMES, WRAPPERS } from "../fixtures/risk/lines.ts";

const LINES = depth(100, 300, 4_500);
/** Lines for each box: starting one costs more than running a line. */
const BATCH = 750;
/** Ends what hangs: a batch takes five seconds at rest. */
const BOX_MS_MAX = 200_000;
const ALL_MS_MAX = (LINES / BATCH) * BOX_MS_MAX;
const END = "@end@";

interface Started {
  readonly line: number;
  readonly argv: readonly string[];
}

const SHIM = `#!/real/dash
printf '%s\\0' "$PWD" "\${0##*/}" "$@" ${END} >> /log/started
case "\${0##*/}" in ${WRAPPERS.join("|")}) exec "/real/\${0##*/}" "$@";; esac
`;

/** Each line in a folder of its own, which is how a shim knows whose it is, even without an environment. */
const DRIVER = `i=0
while IFS= read -r -d '' line; do
  mkdir -p "/lines/$i"
  ( cd "/lines/$i" && : > a && exec < /dev/null > /dev/null 2>&1 && eval "$line"; wait )
  i=$((i+1))
done < /log/lines
sleep 0.2
`;

const SAYS = "bash starts no program that the classifier did not name, and safe lines start only safe programs";
test(SAYS, { timeout: ALL_MS_MAX }, () => {
  const lines = generate(20_261_115, LINES);
  const started: Started[] = [];
  for (let from = 0; from < lines.length; from += BATCH) {
    for (const one of run(lines.slice(from, from + BATCH))) started.push({ ...one, line: one.line + from });
  }
  // The oracle is worth nothing when little ran.
  expect(started.length).toBeGreaterThan(LINES);

  const missed = started.filter(({ line, argv }) => {
    const named = commandsOf(lines[line] ?? "");
    return named !== null && !named.some((name) => name.split("/").at(-1) === argv[0]);
  });
  expect(missed.map(({ line, argv }) => [lines[line], argv])).toEqual([]);

  const safe = lines.map((line) => classify(line).class === "safe");
  expect(safe.filter(Boolean).length).toBeGreaterThan(LINES / 10);
  const harmful = started.filter(
    ({ line, argv }) => safe[line] && classify(argv.map(quote).join(" ")).class !== "safe",
  );
  expect(harmful.map(({ line, argv }) => [lines[line], argv])).toEqual([]);
});

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function run(lines: readonly string[]): readonly Started[] {
  const shims = testFolder();
  for (const name of [...NAMES, ...WRAPPERS]) fs.writeFileSync(join(shims, name), SHIM, { mode: 0o755 });
  const log = testFolder({ lines: lines.map((line) => `${line}\0`).join(""), started: "", driver: DRIVER });
  box({ shims, log });
  return read(join(log, "started"));
}

/** No network, no files but these, ends with us. */
function box({ shims, log }: { readonly shims: string; readonly log: string }): void {
  const programs = ["dash", "sleep", "mkdir", ...WRAPPERS].flatMap((name) => [
    "--ro-bind",
    `/usr/bin/${name}`,
    `/real/${name}`,
  ]);
  const args = [
    ...[
      "--unshare-all",
      "--die-with-parent",
      "--clearenv",
      "--setenv",
      "PATH",
      "/usr/bin",
      "--setenv",
      "HOME",
      "/lines",
    ],
    ...[
      "--ro-bind",
      "/usr/lib",
      "/usr/lib",
      "--symlink",
      "usr/lib",
      "/lib",
      "--ro-bind-try",
      "/usr/lib64",
      "/usr/lib64",
    ],
    ...["--symlink", "usr/lib64", "/lib64", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/lines", ...programs],
    ...["--ro-bind", shims, "/usr/bin", "--symlink", "usr/bin", "/bin", "--bind", log, "/log"],
    ...["/real/bash", "-c", `mkdir() { /real/mkdir "$@"; }; sleep() { /real/sleep "$@"; }; . /log/driver`],
  ];
  execFileSync("bwrap", args, { timeout: BOX_MS_MAX, stdio: ["ignore", "ignore", "pipe"] });
}

function read(file: string): readonly Started[] {
  const started: Started[] = [];
  let argv: string[] = [];
  for (const field of fs.readFileSync(file, "utf8").split("\0")) {
    if (field !== END) {
      argv.push(field);
      continue;
    }
    const [folder = "", ...rest] = argv;
    started.push({ line: Number(/^\/lines\/(\d+)/.exec(folder)?.[1]), argv: rest });
    argv = [];
  }
  return started;
}
