// The tests as mutants need them: in the given order, in one worker, and with limits that end a hang soon.
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import config from "../../vitest.config.ts";

const order = (process.env.MUTATION_FILES ?? "").split(" ").filter((file) => file !== "");
const isCoverage = process.env.MUTANT_COVERAGE !== undefined;

class GivenOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => order.findIndex((file) => moduleId.endsWith(`/${file}`));
    return [...files].sort((a, b) => rank(a) - rank(b));
  }
}

const test = config.test ?? {};
const projects = (test.projects ?? []).map((project) =>
  typeof project === "object" && "test" in project
    ? // A module that was loaded by an earlier file of the process would not be counted again.
      { ...project, test: { ...project.test, ...(isCoverage ? { isolate: true } : {}) } }
    : project,
);
const limits = isCoverage ? {} : { testTimeout: 20_000, hookTimeout: 30_000, maxWorkers: 1, bail: 1, retry: 0 };

export default defineConfig({
  test: {
    ...test,
    ...limits,
    projects,
    setupFiles: ["test/setup.ts", "scripts/mutation/coverage-setup.ts"],
    ...(isCoverage ? {} : { sequence: { sequencer: GivenOrder } }),
  },
});
