// What the verbs of other machines print.
import type { Output } from "../../protocol/ops.ts";
import { EXIT } from "../../protocol/plain/exit.ts";
import { line } from "../text/output.ts";
import type { Printers } from "./printer.ts";
import { table } from "./table.ts";

type Host = Output<"hosts_add">;

export const printers: Printers = {
  hosts: { text: printHosts },
  hosts_add: {
    text: printAdded,
    meanwhile: ({ name, install }) => (install ? installing(name) : undefined),
    code: ({ reach }) => (reach === "here" ? EXIT.ok : EXIT.error),
  },
  hosts_remove: { text: ({ host }) => line(`${host} is forgotten; what runs there goes on`) },
};

function printHosts({ me, hosts }: Output<"hosts">): void {
  if (hosts.length === 0) return line("no other machines; reach one with: duetty hosts add NAME ssh://HOST");
  const rows = hosts.map((one) => [
    one.host,
    one.reach === "here" ? "here" : `${one.reach} ${ageOf(one.since)}`,
    one.sessions === null ? "-" : String(one.sessions),
    one.questions === null ? "-" : String(one.questions),
    one.version ?? "-",
    one.address,
  ]);
  table([["HOST", "STATE", "RUNNING", "QUESTIONS", "VERSION", "ADDRESS"], ...rows], ["VERSION", "ADDRESS"]);
  for (const { host, why } of hosts) if (why !== null) line(`${host}: ${why}`);
  line(`this machine is ${me}`);
}

function installing(name: string): string {
  return `this duetty is packed and sent to ${name}, where npm puts it into ~/.local/share/duetty: five minutes at most`;
}

function printAdded({ host, reach, why }: Host): void {
  if (reach === "here")
    return line(`${host} is here; its sessions: duetty ls --all, one of them: duetty attach ${host}/ID`);
  const how = reach === "refused" ? "it cannot be used yet" : "it is not reached yet, and tried again";
  line(`${host} was added; ${how}${why === null ? "" : `: ${why}`}`);
  if (why === "duetty is not installed there")
    line(`to put it into ~/.local/share/duetty there, say the same again with --install`);
}

function ageOf(since: number): string {
  const seconds = Math.max(0, Math.round((Date.now() - since) / 1_000));
  if (seconds < 120) return `${seconds}s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)}m` : `${Math.round(seconds / 3_600)}h`;
}
