// Every runner, in order of preference when several match equally well.
import { JAVASCRIPT, SCRIPT } from "./javascript-table.ts";
import { JVM_DOTNET } from "./jvm-dotnet.ts";
import { OTHERS, WRAPPERS } from "./others.ts";
import { PYTHON, PYTHON_WRAPPERS } from "./python.ts";
import type { Runner } from "./runner.ts";
import { RUST_GO } from "./rust-go.ts";

export const RUNNERS: readonly Runner[] = [
  ...JAVASCRIPT,
  ...RUST_GO,
  ...PYTHON,
  ...JVM_DOTNET,
  ...OTHERS,
  SCRIPT,
  ...PYTHON_WRAPPERS,
  ...WRAPPERS,
];
