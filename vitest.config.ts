import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { WORKERS } from "./scripts/test/policy.mjs";

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

/** Their tests are the longest: a long file that begins last would run alone while the other workers have nothing to do. */
const FIRST = ["e2e", "fault"];

/** Orders files by folder, and within a folder as vitest does: by their last duration, or by their size. */
class LongFoldersFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number => {
      if (project.name === "pure") return 2;
      return FIRST.some((folder) => moduleId.includes(`/test/${folder}/`)) ? 0 : 1;
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
    sequence: { sequencer: LongFoldersFirst },
  },
});
