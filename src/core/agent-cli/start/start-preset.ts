// How one agent CLI is started, as data: its words, its variables, where it keeps its own files, and what its box must open.

/**
 * `{node}` and `{duetty}` are our own program, `{home}` where it finds the daemon, `{hook}` a shell's line that reports to us,
 * `{cwd}` the folder, `{private}` the session's own folder, `{config}` the agent's in the box, `{id}` its conversation.
 */
export type Value = string | boolean | number | readonly Value[] | { readonly [key: string]: Value };

/** A text with places in braces; or a value that is written as JSON, or as TOML behind a text. */
export type Word = string | { readonly json: Value } | { readonly toml: Value; readonly after: string };

/** Where an agent keeps its files. In a box it has a folder of its own for each start. */
interface ConfigFolder {
  /** Variables that lead it there. */
  readonly env: Readonly<Record<string, string>>;
  /** The person's own: the variable that names it, or where it lies in their home. */
  readonly theirs: { readonly variable?: string; readonly path: string };
  /** The parts of the agent's folder that it writes. The first is in place of the person's. */
  readonly parts: readonly [string, ...string[]];
  /** Files of a login. A box can read and write the person's own: whoever renews a login elsewhere makes the old one useless. */
  readonly login: readonly string[];
  /** Settings of the person's that are seen in the box and cannot be changed there. */
  readonly seen: readonly string[];
  /**
   * Files of the conversation `{id}` (`{id8}`: its first eight letters), with `*` for anything: all that a later start gets. Nothing in
   * them is obeyed but by whoever goes on with that conversation.
   */
  readonly conversation: readonly string[];
  /** Where settings lie apart from the rest: their folder in the person's home, and the part in its place. */
  readonly apart?: { readonly path: string; readonly part: string; readonly seen: readonly string[] };
  /** Files that a new folder begins with, so that no dialog is in the way. */
  readonly begins: Readonly<Record<string, Value>>;
}

export interface StartPreset {
  readonly name: string;
  readonly command: readonly string[];
  /** How a person gets it. */
  readonly install: string;
  readonly args: readonly Word[];
  /** Only in our box. */
  readonly boxArgs: readonly Word[];
  /** What stands before the first prompt. It is never typed: before the program is ready it would be lost. */
  readonly prompt: readonly string[];
  /** Gives a new conversation our id. Empty: the agent tells its own, or nobody knows it. */
  readonly newId: readonly string[];
  /** Right behind the command. Empty: an old conversation cannot be named. */
  readonly resume: readonly string[];
  readonly env: Readonly<Record<string, Word>>;
  readonly boxEnv: Readonly<Record<string, Word>>;
  /** Files of one start, in the session's private folder. */
  readonly files: Readonly<Record<string, Value>>;
  /** Variables with keys, which boxes keep out otherwise. */
  readonly keys: readonly string[];
  /** Variables with the address of another provider. Its host is opened. */
  readonly bases: readonly string[];
  readonly hosts: readonly string[];
  readonly config: ConfigFolder | null;
}
