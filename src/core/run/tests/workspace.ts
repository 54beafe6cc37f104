// Port: the folder whose tests are run, with what planning needs to read. It never writes.
// Adapter: src/host/disk/workspace.ts.

export interface Workspace {
  /** Absolute path of the folder that was named. */
  readonly root: string;
  /** Text of a file below (or above, with ../) the root; undefined when it is not there or larger than a named limit. */
  read(path: string): Promise<string | undefined>;
  exists(path: string): Promise<boolean>;
  /** Names in a folder; empty when it is not there. */
  list(dir: string): Promise<readonly string[]>;
  /** Paths (relative to root) that differ from the last commit, new files included; empty without git. */
  changed(): Promise<readonly string[]>;
}
