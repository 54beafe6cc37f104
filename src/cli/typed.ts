// What the CLI adds to an input that no argument may hold: a secret from the terminal, and the text of a file.
import fs from "node:fs";
import { CallError } from "../client/client.ts";
import { UsageError } from "./args.ts";
import type { Verb } from "./verb-table.ts";

type Input = Readonly<Record<string, unknown>>;

/** The code of a fault that a secret heals. */
const MISSING = "fleet.passphrase";

const WHY_NOT: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "you may not read it",
};

export async function withTyped({ typed, file, verb }: Verb, input: Input): Promise<Input> {
  const read = file !== undefined && typeof input[file] === "string" ? { [file]: textOf(String(input[file])) } : {};
  if (typed === undefined || input[typed.field] === undefined) return { ...input, ...read };
  const { [typed.field]: wanted, ...rest } = input;
  if (wanted !== true) return { ...rest, ...read };
  const secret = await ask("Passphrase: ");
  if (secret === undefined) throw new UsageError(`no passphrase was typed (duetty ${verb} --help)`);
  const again = typed.twice && process.stdin.isTTY ? await ask("The same again: ") : secret;
  if (again !== secret) throw new UsageError("the two are not the same");
  return { ...rest, ...read, [typed.field]: secret };
}

/** Asks for the secret when it turns out to be missing. */
export async function askedAgain<T>({ typed }: Verb, body: object, call: (body: object) => Promise<T>): Promise<T> {
  try {
    return await call(body);
  } catch (error) {
    const heals = error instanceof CallError && error.code === MISSING && typed && !(typed.field in body);
    const secret = heals && process.stdin.isTTY ? await ask("Passphrase of the fleet's root key: ") : undefined;
    if (secret === undefined || !typed) throw error;
    return call({ ...body, [typed.field]: secret });
  }
}

async function ask(question: string): Promise<string | undefined> {
  return (await import("./text/secret.ts")).typedSecret(question);
}

function textOf(path: string): string {
  try {
    return fs.readFileSync(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw new UsageError(`${path} cannot be read: ${WHY_NOT[code] ?? error}`);
  }
}
