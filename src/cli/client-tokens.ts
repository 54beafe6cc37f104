// clients.json in the home folder: the clients that a person set up, each with a token that carries its name. Text in, text out.
import { randomBytes } from "node:crypto";
import fs from "node:fs";

type Clients = Readonly<Record<string, { readonly token: string }>>;

/** Undefined for a client that was not set up. */
export function clientToken(file: string, name: string): string | undefined {
  return fs.existsSync(file) ? clientsIn(fs.readFileSync(file, "utf8"))[name]?.token : undefined;
}

/** A client that is there keeps its token. */
export function withClient(text: string | undefined, name: string): string {
  const clients = clientsIn(text);
  if (text !== undefined && clients[name]) return text;
  return written({ ...clients, [name]: { token: randomBytes(32).toString("hex") } });
}

export function withoutClient(text: string | undefined, name: string): string | undefined {
  const { [name]: gone, ...others } = clientsIn(text);
  if (!gone) return text;
  return Object.keys(others).length === 0 ? undefined : written(others);
}

function clientsIn(text = "{}"): Clients {
  return JSON.parse(text) as Clients;
}

function written(clients: Clients): string {
  return `${JSON.stringify(clients, null, 2)}\n`;
}
