// `duetty mcp`: which agent the shim is and which daemon it calls. What it offers is in src/mcp. It touches nothing of the
// installation before a tool is called.
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { clientOver } from "../../client/client.ts";
import { KeptConnection } from "../../client/http.ts";
import { startingTransport, tokenIn, unixTransport } from "../../client/local.ts";
import { claimedNameIn } from "../../protocol/plain/agent-name.ts";
import type { Home } from "../../protocol/plain/home.ts";
import { UsageError } from "../args.ts";
import { clientToken } from "../client-tokens.ts";
import { parseLocal } from "../local-args.ts";

/** We are done when the client is gone, and do not wait for anything that still holds this process. */
const LINGER_MS = 500;

export async function serveMcp(home: Home, words: string[]): Promise<number> {
  const { tier, as, forms, textOnly } = flagsIn(words);
  const [{ serveOverStdio }, { isTier }] = await Promise.all([
    import("../../mcp/stdio.ts"),
    import("../../mcp/tools.ts"),
  ]);
  const wanted = tier ?? (process.env.DUETTY_MCP_TIER || "all");
  if (!isTier(wanted)) throw new UsageError(`no tier "${wanted}"; there are readonly, drive and all`);
  const name = as === undefined ? undefined : claimedNameIn(as);
  if (as !== undefined && name === undefined) throw new UsageError(`--as takes agent:NAME, not "${as}"`);
  // A client that was set up has a token that carries its name.
  const own = () => (name === undefined ? undefined : clientToken(home.clients, name));
  const token = () => process.env.DUETTY_TOKEN || (own() ?? tokenIn(home.agentToken) ?? "none");
  const kept = new KeptConnection();
  // What one client was shown, another one of the same name was not.
  const connection = randomUUID();
  const asAgent = (one: string) =>
    unixTransport(home, () => ({ token: token(), as: `agent:${one}`, connection }), kept);
  const asPerson = unixTransport(home, () => ({ token: tokenIn(home.personToken) ?? "none", as: undefined }), kept);
  await serveOverStdio({
    agent: (one) => clientOver(startingTransport(home, asAgent(one))),
    onlooker: () => clientOver(asAgent("mcp")),
    person: forms === "on" ? () => clientOver(startingTransport(home, asPerson)) : null,
    setUp: own() !== undefined,
    personToken: () => (forms === "on" ? tokenIn(home.personToken) : undefined),
    tier: wanted,
    machines: hasHosts(home) ? "several" : "this",
    textOnly,
    name,
    cwd: process.cwd(),
  });
  setTimeout(() => process.exit(0), LINGER_MS).unref();
  return 0;
}

/** The daemon's list, which is empty when the last machine was removed. Nothing of it is told here. */
function hasHosts({ hosts, fleet }: Home): boolean {
  return existsSync(fleet) || (existsSync(hosts) && !/^\s*(?:\[\s*\]\s*)?$/.test(readFileSync(hosts, "utf8")));
}

interface Flags {
  readonly tier: string | undefined;
  readonly as: string | undefined;
  readonly forms: "on" | "off";
  readonly textOnly: boolean;
}

function flagsIn(words: string[]): Flags {
  const { tier, as, "no-forms": no = false, "text-only": textOnly = false } = parseLocal("mcp", words).values;
  return { tier, as, forms: no ? "off" : formsIn(process.env), textOnly };
}

/** Inside a session the client may be an agent's own program, which would answer itself. */
function formsIn({ DUETTY_MCP_FORMS: forms, DUETTY_SESSION_ID }: NodeJS.ProcessEnv): "on" | "off" {
  // A misspelt "off" is an error, not an "on".
  if (forms && forms !== "on" && forms !== "off") throw new UsageError(`DUETTY_MCP_FORMS is on or off, not "${forms}"`);
  return forms === "off" || DUETTY_SESSION_ID !== undefined ? "off" : "on";
}
