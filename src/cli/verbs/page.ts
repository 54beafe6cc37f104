// Bare `duetty`: start what is missing, make sure there is a session, and open the page.
import { spawn } from "node:child_process";
import fs from "node:fs";
import { type Client, clientOver } from "../../client/client.ts";
import { isAbsent, startDaemon, unixTransport } from "../../client/local.ts";
import { EXIT } from "../../protocol/plain/exit.ts";
import type { Home } from "../../protocol/plain/home.ts";

export async function openPage(home: Home): Promise<number> {
  // Whoever may start the daemon is the person; a link for the page is theirs.
  const token = () => fs.readFileSync(home.personToken, "utf8").trim();
  const client = clientOver(unixTransport(home, () => ({ token: token(), as: undefined })));
  const { url, id } = await ready(home, client);
  process.stdout.write(`duetty is ready: ${url}\n(the link works once, within a minute; duetty gives a new one)\n`);
  process.stdout.write(`session ${id}; see it from anywhere with: duetty see ${id}\n`);
  if (process.stdout.isTTY) browse(url);
  return EXIT.ok;
}

async function ready(home: Home, client: Client): Promise<{ url: string; id: string }> {
  if (!fs.existsSync(home.personToken)) await startDaemon(home);
  try {
    return await prepare(client);
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
  await startDaemon(home);
  return prepare(client);
}

async function prepare(client: Client): Promise<{ url: string; id: string }> {
  const { sessions } = await client.pty_list({ all: false });
  const base_env = Object.fromEntries(
    Object.entries(process.env).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])),
  );
  const session = sessions[0] ?? (await client.pty_open({ cwd: process.cwd(), base_env }));
  const { url } = await client.login_code({});
  return { url: `${url}&session=${session.session_id}`, id: session.session_id };
}

/** Where there is a desktop. Where there is none, the printed link is enough. */
function browse(url: string): void {
  const opener = process.platform === "darwin" ? "open" : "xdg-open";
  if (process.platform !== "darwin" && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return;
  const child = spawn(opener, [url], { detached: true, stdio: "ignore" });
  child.on("error", () => process.stdout.write("no browser could be opened; use the link\n"));
  child.unref();
}
