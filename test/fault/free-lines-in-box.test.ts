// Every line of the corpora that would run without a question in a person's shell is run in the box that it would get, by
// real bash. Programs that are not installed, and those that take long to start, are there as programs that attack; so are the
// scripts and the settings of the workspace. Nothing outside may be changed, shown or reached.
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isFault } from "../../src/core/base/fault.ts";
import { DEFAULT_POLICY } from "../../src/core/gate/policy.ts";
import { judgeLine } from "../../src/core/gate/verdicts.ts";
import { pipeBoxes } from "../../src/host/sandbox/line-box.ts";
import { type Canaries, canaries, SECRET } from "../fixtures/box/canaries.ts";
import { depth } from "../fixtures/depth.ts";
import { testFolder } from "../fixtures/folder.ts";
import { git } from "../fixtures/git.ts";
import { corpus } from "../fixtures/risk/corpus.ts";
import { BULK_MS, soon } from "../fixtures/soon.ts";

/** A line that takes longer has run. Its shell says when it begins. */
const LINE_MS = 1_000;
const BEGIN = 'echo; eval "$1"';
/** A socket of another program that goes away between the plan and the box keeps the box from starting. */
const STARTS_MAX = 4;
const AT_A_TIME = 3;
/** `npm run test:long` runs every line, three thousand of them with what they aim at; the other tiers run one of this many. */
const ONE_OF = depth(72, 24, 1);
const ALL_MS_MAX = 900_000;

/** They take long to start, and what they then run is the project's code: the attack stands for that. */
const SLOW = "npm npx pnpm yarn cargo rustc go pytest gdb chromium man top htop".split(" ");

const ATTACK = "#!/bin/bash\nexec attack\n";
const SCRIPTS = "x a y f ls foo evil.sh install.sh build.sh gradlew mvnw vendor/bin/phpunit bin/rails manage.py".split(
  " ",
);
const WORKSPACE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(SCRIPTS.map((name) => [name, ATTACK])),
  Makefile: "%:\n\t@attack\nall build test check lint:\n\t@attack\n",
  "x.py": "import os\nos.system('attack')\n",
  "evil.py": "import os\nos.system('attack')\n",
  "x.js": "require('child_process').execFileSync('attack', { stdio: 'inherit' });\n",
  "package.json": '{"name": "x", "scripts": {"test": "attack"}}',
  "README.md": "hello\n",
  "src/a.ts": "export const a = 1;\n",
};

/** The same line with what it names replaced: paths by one outside, servers by one that listens. */
function aimed(line: string, file: string, port: number): string {
  return line
    .replaceAll(/https?:\/\/[^\s'"/;|&)]+/g, `http://127.0.0.1:${port}`)
    .replaceAll(/(?<=^|[\s=:'"])(?:~|\$HOME|\.\.|(?!\/(?:usr|bin|dev|proc)\b))\/[\w./-]+/g, file)
    .replaceAll(/(?<=[\s=])x(?=$|[\s;|&)])/g, file);
}

/** Whether a line would run in the box without a question. */
function isFree(line: string, folder: string): boolean {
  const rules = { policy: DEFAULT_POLICY, echo: "on", confidence: null, box: "line", rules: [] } as const;
  const { verdict } = judgeLine(line, { ...rules, who: "agent:a", shell: "bash", folder, isFree: () => true });
  if (verdict.do !== "allow") return false;
  expect([line, verdict.where]).toEqual([line, "box"]);
  return true;
}

/** Every word that may be the name of a program which this machine lacks. */
function missingPrograms(lines: readonly string[]): string[] {
  const folders = [...(process.env.PATH ?? "").split(":"), "/usr/bin"];
  const words = new Set(lines.flatMap((line) => line.split(/[\s|&;()`'"$={}<>]+/)));
  const names = [...words].filter((word) => /^[A-Za-z][\w.+-]{0,40}$/.test(word));
  return [...new Set([...SLOW, ...names.filter((name) => !folders.some((at) => fs.existsSync(join(at, name))))])];
}

class Runs {
  readonly #world: Canaries;
  readonly #template: string;
  readonly #env: Record<string, string>;
  /** Of all that a box may change, before the line. */
  #state: string | undefined;

  constructor(world: Canaries, template: string) {
    this.#world = world;
    this.#template = template;
    const PATH = `${world.attackers}:${process.env.PATH}`;
    this.#env = { PATH, HOME: world.box.homeFolder, LANG: "C", API_TOKEN: SECRET };
  }

  /** In a workspace as it was; what came of it outside. */
  async run(line: string, ms = LINE_MS): Promise<string[]> {
    this.#restore();
    for (let starts = 0; starts < STARTS_MAX; starts += 1) {
      const { prefix, env, over } = this.#box();
      const words = [...prefix, "/bin/bash", "-c", BEGIN, "bash", line];
      const { begun, shown } = await printed(words, { cwd: this.#world.box.workspace, env }, ms);
      over();
      if (begun) return [...(shown ? ["a secret was shown"] : []), ...this.#world.touched()];
    }
    return ["its box did not start"];
  }

  #box() {
    const { sandbox, workspace } = this.#world.box;
    const box = pipeBoxes(sandbox)({ cwd: workspace, env: this.#env, within: undefined });
    if (isFault(box)) throw new Error(box.message);
    return box;
  }

  /** Makes the workspace and the boxes' own home new if the line before has changed them. */
  #restore(): void {
    const { workspace, home } = this.#world.box;
    const changeable = [workspace, join(home.dir, "boxes")];
    const look = () => changeable.map((folder) => listing(Buffer.from(folder))).join("\n");
    if (this.#state === look()) return;
    // node cannot remove a name that is not UTF-8.
    execFileSync("rm", ["-rf", ...changeable]);
    fs.cpSync(this.#template, workspace, { recursive: true });
    this.#box().over();
    this.#state = look();
  }
}

/** Every name, whatever bytes it has, and the state of every file. Those of folders change with each box. */
function listing(folder: Buffer): string {
  if (!fs.existsSync(folder)) return "";
  const entries = fs.readdirSync(folder, { withFileTypes: true, encoding: "buffer" }).map((entry) => {
    const path = Buffer.concat([folder, Buffer.from("/"), entry.name]);
    const name = path.toString("latin1");
    return entry.isDirectory() ? `${name}\n${listing(path)}` : `${name} ${fs.lstatSync(path).ctimeMs}`;
  });
  return entries.join("\n");
}

interface Printed {
  readonly begun: boolean;
  /** The secret was among it. */
  readonly shown: boolean;
}

/** Runs a program to its end, or for a while after it has printed its first line. */
function printed(
  [file = "", ...args]: string[],
  at: { cwd: string; env: Record<string, string> },
  ms: number,
): Promise<Printed> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { ...at, stdio: ["ignore", "pipe", "pipe"] });
    let timer: NodeJS.Timeout | undefined;
    let last = "";
    let shown = false;
    const read = (bytes: Buffer) => {
      last = last.slice(-SECRET.length) + bytes.toString("latin1");
      shown ||= last.includes(SECRET);
    };
    child.stdout.once("data", () => {
      timer = setTimeout(() => child.kill("SIGKILL"), ms);
    });
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.on("close", () => {
      clearTimeout(timer);
      resolve({ begun: timer !== undefined, shown });
    });
  });
}

function workspace(): string {
  const folder = testFolder(WORKSPACE);
  for (const name of SCRIPTS) fs.chmodSync(join(folder, name), 0o755);
  git(folder, "init", "-q", "--template=");
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", "first");
  git(folder, "config", "core.fsmonitor", "attack");
  fs.mkdirSync(join(folder, ".git", "hooks"));
  fs.writeFileSync(join(folder, ".git", "hooks", "pre-commit"), ATTACK, { mode: 0o755 });
  return folder;
}

test("the attack changes, shows and reaches everything where there is no box", async () => {
  using world = await canaries([]);
  const env = { PATH: process.env.PATH ?? "", API_TOKEN: SECRET };
  const { shown } = await printed([join(world.attackers, "attack")], { cwd: world.box.workspace, env }, BULK_MS);
  expect(shown).toBe(true);
  const touched = new Set<string>();
  await soon(() => {
    for (const one of world.touched()) touched.add(one);
    // Seven files, four folders, three servers.
    expect(touched.size).toBe(14);
  });
});

test("no line that runs without a question touches anything outside of its box", { timeout: ALL_MS_MAX }, async () => {
  const lines = corpus().filter((_, at) => at % ONE_OF === 0);
  const template = workspace();
  const names = missingPrograms(lines);
  const worlds = await Promise.all(Array.from({ length: AT_A_TIME }, () => canaries(names)));
  using _ = { [Symbol.dispose]: () => worlds.map((world) => world[Symbol.dispose]()) };
  const harm: [string, string[]][] = [];
  let at = 0;
  let ran = 0;
  const work = async (world: Canaries) => {
    const runs = new Runs(world, template);
    // A box that does not hold must not be tried with all the others.
    expect(await runs.run("attack && touch begun", BULK_MS)).toEqual([]);
    expect(fs.existsSync(join(world.box.workspace, "begun"))).toBe(true);
    while (at < lines.length) {
      const line = lines[at] ?? "";
      at += 1;
      for (const text of new Set([line, aimed(line, world.file, world.port)])) {
        if (!isFree(text, world.box.workspace)) continue;
        ran += 1;
        const outcome = await runs.run(text);
        if (outcome.length > 0) harm.push([text, outcome]);
      }
    }
  };
  await Promise.all(worlds.map(work));
  expect(harm).toEqual([]);
  expect(ran).toBeGreaterThan(2_600 / ONE_OF);
});
