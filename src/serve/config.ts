// config.json in the home folder: what a person may set for all sessions. A file that cannot be read stops the start with a
// clear word, because guessing would be worse.
import fs from "node:fs";
import * as z from "zod";

const Config = z.strictObject({
  /** Lines above the screen that are kept in memory for each session; everything is in the journal anyway. */
  scrollback_lines: z.int().min(0).max(100_000).default(1_000),
});
export type Config = z.output<typeof Config>;

export function readConfig(path: string): Config {
  const text = fs.existsSync(path) ? fs.readFileSync(path, "utf8") : "{}";
  const config = Config.safeParse(parsed(text, path));
  if (config.success) return config.data;
  throw new Error(`${path}: ${z.prettifyError(config.error)}`);
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not JSON: ${String(error)}`);
  }
}
