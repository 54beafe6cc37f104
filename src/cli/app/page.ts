// Bare `duetty`: start what is missing, make sure there is a session, and open the page.
import { spawn } from "node:child_process";
import { type Client, clientOver } from "../../client/client.ts";
import { startingTransport, tokenIn, unixTransport } from "../../client/local.ts";
import { EXIT } from "../../protocol/plain/exit.ts";
import type { Home } from "../../protocol/plain/home.ts";
import { environment } from "../identity.ts";
import { line } from "../text/output.ts";

export async function openPage(home: Home): Promise<number> {
  const { url, id } = await pageLink(home, undefined);
  line(`duetty is ready: ${url}`);
  line("(the link works once, within a minute; duetty gives a new one)");
  line(`session ${id}; see it from anywhere with: duetty see ${id}`);
  if (process.stdout.isTTY) browse(url);
  return EXIT.ok;
}

/** A link that signs a browser in and shows a session: the named one, or one of the folder where we were called. */
export async function pageLink(home: Home, session_id: string | undefined): Promise<{ url: string; id: string }> {
  // The user who can start the daemon is the person, so they may have a link to the page.
  const person = () => ({ token: tokenIn(home.personToken) ?? "none", as: undefined });
  const client = clientOver(startingTransport(home, unixTransport(home, person)));
  const id =
    session_id === undefined ? await sessionHere(client) : (await client.status({ session_id })).session?.session_id;
  const { url } = await client.login_code({});
  return { url: `${url}&session=${id}`, id: id ?? "" };
}

async function sessionHere(client: Client): Promise<string> {
  const { sessions } = await client.pty_list({ all: false });
  // A person expects to be where they called us.
  const here = sessions.find(({ cwd, actor }) => cwd === process.cwd() && actor === "person");
  return (here ?? (await client.pty_open({ cwd: process.cwd(), base_env: environment() }))).session_id;
}

/** Opens a browser where there is a desktop. Elsewhere the printed link is enough. */
function browse(url: string): void {
  const opener = process.platform === "darwin" ? "open" : "xdg-open";
  if (process.platform !== "darwin" && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return;
  const child = spawn(opener, [url], { detached: true, stdio: "ignore" });
  child.on("error", () => line("no browser could be opened; use the link"));
  child.unref();
}
