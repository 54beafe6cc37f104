// `duetty mcp`: who the shim is and whom it calls. Everything it offers is in src/mcp. Loads and touches nothing of the
// installation before a tool is called.
import fs from "node:fs";
import { parseArgs } from "node:util";
import { clientOver } from "../../client/client.ts";
import { startingTransport, unixTransport } from "../../client/local.ts";
import type { Home } from "../../protocol/plain/home.ts";
import { UsageError } from "../args.ts";

const NAME = /^agent:([\w.-]{1,40})$/;
/** All is done when the client is gone; whatever still holds this process is not waited for. */
const LINGER_MS = 500;

export async function serveMcp(home: Home, words: string[]): Promise<number> {
  const { tier, as, forms } = flagsIn(words);
  const [{ serveOverStdio }, { isTier }] = await Promise.all([
    import("../../mcp/stdio.ts"),
    import("../../mcp/tools.ts"),
  ]);
  const wanted = tier ?? (process.env.DUETTY_MCP_TIER || "all");
  if (!isTier(wanted)) throw new UsageError(`no tier "${wanted}"; there are readonly, drive and all`);
  const name = as === undefined ? undefined : NAME.exec(as)?.[1];
  if (as !== undefined && name === undefined) throw new UsageError(`--as takes agent:NAME, not "${as}"`);
  const asAgent = (one: string) =>
    unixTransport(home, () => ({ token: process.env.DUETTY_TOKEN || tokenIn(home.agentToken), as: `agent:${one}` }));
  const asPerson = unixTransport(home, () => ({ token: tokenIn(home.personToken), as: undefined }));
  await serveOverStdio({
    agent: (one) => clientOver(startingTransport(home, asAgent(one))),
    onlooker: () => clientOver(asAgent("mcp")),
    person: forms === "on" ? () => clientOver(startingTransport(home, asPerson)) : null,
    personToken: () => (forms === "on" ? tokenOf(home.personToken) : undefined),
    tier: wanted,
    name,
    cwd: process.cwd(),
  });
  setTimeout(() => process.exit(0), LINGER_MS).unref();
  return 0;
}

interface Flags {
  readonly tier: string | undefined;
  readonly as: string | undefined;
  readonly forms: "on" | "off";
}

function flagsIn(words: string[]): Flags {
  try {
    const options = { tier: { type: "string" }, as: { type: "string" }, "no-forms": { type: "boolean" } } as const;
    const { tier, as, "no-forms": no = false } = parseArgs({ args: words, options }).values;
    return { tier, as, forms: no ? "off" : formsIn(process.env) };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Inside a session the client may be an agent's own program, and would answer itself. */
function formsIn({ DUETTY_MCP_FORMS: forms, DUETTY_SESSION_ID }: NodeJS.ProcessEnv): "on" | "off" {
  // Whoever meant "off" and wrote something else is told, not taken for an "on".
  if (forms && forms !== "on" && forms !== "off") throw new UsageError(`DUETTY_MCP_FORMS is on or off, not "${forms}"`);
  return forms === "off" || DUETTY_SESSION_ID !== undefined ? "off" : "on";
}

/** Missing before the first daemon ran: that call fails, starts one, and reads again. */
function tokenIn(file: string): string {
  return tokenOf(file) ?? "none";
}

function tokenOf(file: string): string | undefined {
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim() || undefined : undefined;
}
