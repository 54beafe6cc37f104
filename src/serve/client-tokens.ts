// The clients that a person set up with `duetty setup`, each with a token that carries its name. Reads the file again when it
// changed. Refuses: to write it; the CLI does that for the person.
import { timingSafeEqual } from "node:crypto";
import fs from "node:fs";
import * as z from "zod";
import { AGENT_NAME } from "../protocol/plain/agent-name.ts";

const Clients = z.record(z.string().regex(AGENT_NAME), z.object({ token: z.string().min(64) }));

export class ClientTokens {
  #path: string;
  #tokens: ReadonlyMap<string, Buffer> = new Map();
  #read = "";

  constructor(path: string) {
    this.#path = path;
  }

  has(name: string): boolean {
    return this.#now().has(name);
  }

  nameOf(token: string): string | undefined {
    const given = Buffer.from(token);
    for (const [name, known] of this.#now())
      if (known.length === given.length && timingSafeEqual(known, given)) return name;
    return undefined;
  }

  #now(): ReadonlyMap<string, Buffer> {
    const stat = fs.statSync(this.#path, { throwIfNoEntry: false });
    const version = stat ? `${stat.ino} ${stat.mtimeMs} ${stat.size}` : "";
    if (version === this.#read) return this.#tokens;
    this.#read = version;
    const clients = stat ? Clients.safeParse(parsed(fs.readFileSync(this.#path, "utf8"))).data : {};
    // A file that is not ours to understand gives nobody a name.
    this.#tokens = new Map(Object.entries(clients ?? {}).map(([name, { token }]) => [name, Buffer.from(token)]));
    return this.#tokens;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
