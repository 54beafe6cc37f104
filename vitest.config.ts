import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { WORKERS } from "./scripts/test/policy.mjs";

/** The longest begin first: one that begins last is all that runs at the end, while the other core rests. */
const LONG = [
  "random-sequences",
  "free-lines-in-box",
  "many-commands",
  "transcript",
  "e2e/views",
  "contract/worktree/killed",
  "surface/agent-cli/prompt",
  "agent/built-in",
  "fleet/cli",
  "fleet/far-sides",
  "fleet/members",
  "fleet/hostile-machine",
  "fleet/membership",
  "e2e/fleet",
  "classifier-against-bash",
  "package/installed",
  "package/examples",
  "floods-and-restarts",
  "e2e/sharing",
  "everyday-hands",
  "heals-itself",
  "killed-processes",
  "where-lines-run",
  "surface/run/blocks",
  "box/sessions",
  "e2e/replay",
  "screen/past",
  "fast-exits",
  "shadow",
  "approvals-without-forms",
  "safe-lines-in-sandbox",
  "mcp/inspector",
  "surface/box/network",
  "hostile-output",
  "surface/screen/wait",
  "box/lines",
  "invisible-text",
  "sim/gate",
  "test-summary",
  "e2e/keyboard-control",
  "test-runners",
  "surface/agent/ask",
  "surface/screen/wait-for-programs",
  "who/inside",
  "e2e/approvals",
  "gate/gate",
  "guard-state",
  "screen-subscriptions",
  "docs/recipes",
];

/** They start no program of ours and own nothing outside of themselves. */
const PURE = ["property", "sim", "golden"].map((folder) => `test/${folder}/**/*.test.ts`);
/** "all": npm run test:all. "long": npm run test:long. Otherwise what `npm test` runs. */
const tier = process.env.TESTS ?? "";
/** Twenty minutes, so only on request: `npm run soak`. */
const SOAK = process.env.SOAK_MINUTES
  ? [{ extends: true as const, test: { name: "soak", include: ["test/soak/*.ts"] } }]
  : [];
/** Slow by nature: real brokers and sshd, packages installed into new projects, kill storms. Only in `npm run test:all`. */
const SLOW = tier === "" ? ["test/**/*.slow.test.ts"] : [];
/** They wait for half a minute on purpose, or fetch packages. Only in `npm run test:long`. */
const LONG_ONLY = tier === "long" ? [] : ["install-for-real", "daemon-that-sleeps"].map((name) => `test/**/fleet/${name}.slow.test.ts`);
/** Projects whose tests fail on purpose, and programs of others. */
const NOT_OURS = ["test/fixtures/**", "test/peers/**"];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number => {
      // Short and many: they fill the workers until the last real test ends.
      if (project.name === "pure") return LONG.length + 1;
      const at = LONG.findIndex((name) => moduleId.replace(".slow.", ".").endsWith(`/${name}.test.ts`));
      return at < 0 ? LONG.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    // The files of a worker share its process: its daemon, its browser and its modules.
    projects: [
      { extends: true, test: { name: "pure", include: PURE, exclude: SLOW, isolate: false } },
      { extends: true, test: { name: "real", isolate: false, include: ["test/**/*.test.ts"], exclude: [...NOT_OURS, ...PURE, ...SLOW, ...LONG_ONLY] } },
      ...SOAK,
    ],
    globalSetup: ["test/programs.mjs", "test/run-folder.ts"],
    // Sets the timeouts, too, because they depend on the load of the machine.
    setupFiles: ["test/setup.ts"],
    maxWorkers: WORKERS,
    sequence: { sequencer: LongestFirst },
  },
});
