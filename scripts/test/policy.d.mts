/** The result of one test file in one run of vitest. */
export interface FileReport {
  /** Relative to the repository. */
  readonly file: string;
  /** Full names of the tests that passed. */
  readonly passed: readonly string[];
  /** Failed tests, hooks and imports. */
  readonly failures: readonly { readonly test: string; readonly error: string }[];
}

/** One run of vitest. */
export interface RunReport {
  readonly exitCode: number;
  readonly interrupted: boolean;
  readonly unhandledErrors: readonly string[];
  readonly files: readonly FileReport[];
}

export interface Verdict {
  readonly exitCode: 0 | 1;
  readonly reasons: readonly string[];
  readonly flaky: readonly FileReport[];
  readonly failed: readonly FileReport[];
}

export const WORKERS: number;
export const RETRIED_FILES_MAX: number;
export const FLAKY_FILES_MAX: number;
export function isRetryable(file: string): boolean;
export function filesToRetry(first: RunReport): readonly string[];
export function judge(first: RunReport, second: RunReport | null): Verdict;
export function count(n: number, noun: string): string;
