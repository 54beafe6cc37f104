// `duetty restore`: shows which sessions ended with the machine, asks, and starts them again. What an agent opened and what is
// risky is asked about one by one. Refuses: to start anything without a yes.
import { type Client, clientOver } from "../../client/client.ts";
import type { Lost } from "../../protocol/ops/reopen.ts";
import { EXIT } from "../../protocol/plain/exit.ts";
import type { Home } from "../../protocol/plain/home.ts";
import { connected } from "../connect.ts";
import { environment } from "../identity.ts";
import { parseLocal } from "../local-args.ts";
import { table, timeOf } from "../print/table.ts";
import { json, line } from "../text/output.ts";
import { isYes } from "../text/yes.ts";

export async function restore(home: Home, words: string[]): Promise<number> {
  const { values, positionals } = parseLocal("restore", words);
  const client = clientOver(connected(home, undefined));
  const which = positionals.length === 0 ? {} : { sessions: [...positionals] };
  const base_env = environment();
  if (values.json || values.forget) {
    const action = values.forget ? "forget" : values.yes ? "start" : "show";
    const answer = await client.restore({ do: action, ...which, ...(action === "start" ? { base_env } : {}) });
    if (values.json) json(answer);
    else for (const lost of answer.sessions) line(`${titleOf(lost)} will not be offered again`);
    return codeOf(answer.sessions);
  }
  const { sessions } = await client.restore(which);
  if (sessions.length === 0) line("Nothing to restore: no session ended with the machine.");
  if (sessions.length === 0) return EXIT.ok;
  printOffers(sessions);
  const wanted = values.yes ? confirmed(sessions, positionals) : await asked(sessions);
  return wanted.length === 0 ? EXIT.ok : started(client, wanted, base_env);
}

async function started(client: Client, wanted: readonly Lost[], base_env: Record<string, string>): Promise<number> {
  const ids = wanted.map(({ session_id }) => session_id);
  const { sessions } = await client.restore({ do: "start", sessions: ids, base_env });
  for (const lost of sessions) {
    const { restored_as, failed } = lost;
    line(
      restored_as === null ? `${titleOf(lost)} did not start: ${failed}` : `${titleOf(lost)} is back as ${restored_as}`,
    );
  }
  return codeOf(sessions);
}

/** --yes is an answer for what was named; and for all that need no question of their own. */
function confirmed(sessions: readonly Lost[], named: readonly string[]): Lost[] {
  const wanted = sessions.filter(({ alone }) => named.length > 0 || alone === null);
  for (const lost of sessions)
    if (!wanted.includes(lost)) line(`Not started, because ${lost.alone}: duetty restore ${lost.session_id} --yes`);
  return wanted;
}

async function asked(sessions: readonly Lost[]): Promise<Lost[]> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    line("Nothing was started. With --yes they are, but for those that are marked with !.");
    return [];
  }
  const together = sessions.filter(({ alone }) => alone === null);
  const wanted =
    together.length > 0 &&
    (await isYes(`\nStart ${together.map(({ name, session_id }) => name ?? session_id).join(", ")}? [y/N] `))
      ? together
      : [];
  for (const lost of sessions) {
    if (lost.alone === null) continue;
    line("");
    line(lost.line);
    line(`  in ${lost.cwd}${lost.box ? ", boxed" : ""}: ${lost.alone}`);
    if (await isYes("Start it? [y/N] ")) wanted.push(lost);
  }
  return wanted;
}

function printOffers(sessions: readonly Lost[]): void {
  const cells = sessions.map(({ alone, session_id, name, created_at, cwd, box, line: starts }) => [
    alone === null ? " " : "!",
    session_id,
    name ?? "",
    timeOf(created_at),
    box ? "boxed" : "",
    cwd,
    starts,
  ]);
  table([["", "session", "name", "opened", "", "folder", "starts"], ...cells]);
  if (sessions.some(({ alone }) => alone !== null)) line("! is asked about alone:");
  for (const lost of sessions) {
    const failed = lost.failed === null ? [] : [`it did not start before: ${lost.failed}`];
    for (const note of [...(lost.alone === null ? [] : [lost.alone]), ...lost.notes, ...failed])
      line(`  ${lost.session_id}: ${note}`);
  }
}

function titleOf({ session_id, name }: Lost): string {
  return name === null ? session_id : `${session_id} (${name})`;
}

function codeOf(sessions: readonly Lost[]): number {
  return sessions.some(({ outcome }) => outcome === "failed") ? EXIT.error : EXIT.ok;
}
