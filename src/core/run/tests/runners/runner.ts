// What planning knows about a test runner: how to recognise it and how to tell it what to run.
// Words are not quoted yet; paths are relative to the folder. Refuses: watch modes, anything that waits for a person.
import type { Folder } from "../folder.ts";

export type Words = readonly string[];

export interface Found {
  /** The evidence, in words for a person. */
  readonly why: string;
  /** 0: the project's own test command. 1: its configuration. 2: only a hint. 3: a wrapper that hides the runner. */
  readonly rank: 0 | 1 | 2 | 3;
}

export interface Unit {
  readonly kind: "files" | "package";
  readonly words: Words;
  readonly what: readonly string[];
}

export interface Runner {
  readonly name: string;
  /** The files it is responsible for. */
  readonly sources: RegExp;
  find(folder: Folder): Promise<Found | undefined>;
  all(folder: Folder): Promise<Words>;
  /** By its usual names, is this a test? */
  isTest?(path: string): boolean;
  /** Where the tests of a source file would be. */
  testsOf?(path: string): readonly string[];
  /** Only these test files. */
  files?(folder: Folder, files: readonly string[]): Promise<Words>;
  /** All tests that depend on these files, as the runner itself knows them. */
  related?(folder: Folder, files: readonly string[]): Promise<Words>;
  named?(folder: Folder, name: string, files: readonly string[]): Promise<Words>;
  /** One package of several, by name. */
  inPackage?(folder: Folder, name: string): Promise<Words>;
  /** The crates, packages or modules that hold these files; undefined when it is all of them. */
  units?(folder: Folder, files: readonly string[]): Promise<Unit | undefined>;
}

export function escapeRegex(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
