// What a session needs to be started again, beside what its meta says: kept with it, so that it outlives the machine's restart.
// Refuses: to keep secrets. Pure.

export interface Recipe {
  /** The boot of the machine in which it ran. What the kernel counted then, such as pids, means nothing in another. */
  readonly boot: string;
  /** Its folder, as last reported. */
  readonly cwd: string;
  /** Variables that were asked for. Null: taken away. */
  readonly env: Readonly<Record<string, string | null>>;
  /** Variables that were asked for, whose values look secret. */
  readonly env_missing: readonly string[];
  /** The session that this one was started for, and the one that was started for this. */
  readonly restored_from?: string;
  readonly restored_as?: string;
  /** A person does not want it back. */
  readonly forgotten?: true;
  /** Why it could not be started, the last time that somebody tried. */
  readonly failed?: string;
}

/** Variables are in a person's way when they are many or long: more is not asked for by hand. */
const ENV_CHARS_MAX = 32_000;

/** The values that may be kept, and the names of those that may not. */
export function keptVariables(
  asked: Readonly<Record<string, string | null>>,
  isSecret: (name: string, value: string) => boolean,
): Pick<Recipe, "env" | "env_missing"> {
  const env: Record<string, string | null> = {};
  const env_missing: string[] = [];
  let room = ENV_CHARS_MAX;
  for (const [name, value] of Object.entries(asked)) {
    room -= name.length + (value?.length ?? 0);
    if (value !== null && (room < 0 || isSecret(name, value))) env_missing.push(name);
    else env[name] = value;
  }
  return { env, env_missing };
}

export function isRecipe(value: unknown): value is Recipe {
  if (typeof value !== "object" || value === null) return false;
  const { boot, cwd, env, env_missing, restored_from, restored_as, failed } = value as Fields;
  const isOptional = (text: unknown) => text === undefined || typeof text === "string";
  return (
    typeof boot === "string" &&
    typeof cwd === "string" &&
    typeof env === "object" &&
    env !== null &&
    Object.values(env).every((text) => text === null || typeof text === "string") &&
    Array.isArray(env_missing) &&
    env_missing.every((name) => typeof name === "string") &&
    [restored_from, restored_as, failed].every(isOptional)
  );
}

type Fields = Readonly<Partial<Record<keyof Recipe, unknown>>>;
