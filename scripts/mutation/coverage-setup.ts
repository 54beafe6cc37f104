// Names the running test file for the coverage of mutants, in this process and in those that it starts.
import { expect } from "vitest";

const path = expect.getState().testPath ?? "";
const key = path.slice(path.lastIndexOf("/test/") + 1).replaceAll("/", "__");
process.env.MUTANT_TEST = key;
const mutation = (globalThis as { __mutation?: [unknown, unknown, { file: string }] }).__mutation;
if (mutation) mutation[2].file = key;
