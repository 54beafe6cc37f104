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

/** Their tests are long and keep both cores of a small machine busy. */
const HEAVY = ["e2e", "fault"];
/** Heavy files begin within this part of the run. One that began last would run alone at the end. */
const HEAVY_PART = 0.8;

/** Spreads heavy files over the run, so that they compete with tests that mostly wait. Pure tests come last: they are short. */
class HeavyFilesSpread extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isPure = ({ project }: TestSpecification) => project.name === "pure";
    const isHeavy = ({ moduleId }: TestSpecification) => HEAVY.some((folder) => moduleId.includes(`/test/${folder}/`));
    const heavy = sorted.filter((file) => !isPure(file) && isHeavy(file));
    const light = sorted.filter((file) => !isPure(file) && !isHeavy(file));
    const placed = [
      ...heavy.map((file, index) => ({ file, place: (index / heavy.length) * HEAVY_PART })),
      ...light.map((file, index) => ({ file, place: index / light.length })),
    ];
    placed.sort((a, b) => a.place - b.place);
    return [...placed.map(({ file }) => file), ...sorted.filter(isPure)];
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
    sequence: { sequencer: HeavyFilesSpread },
  },
});
