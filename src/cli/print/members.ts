// What the verbs of a fleet's membership print: always with what to do next.
import type { Output } from "../../protocol/ops.ts";
import { exactly, line } from "../text/output.ts";
import type { Printers } from "./printer.ts";
import { table, zonedTimeOf } from "./table.ts";

type Device = Output<"fleet_devices">["devices"][number];

const RELOAD =
  "duetty fleet nats-config > nats.conf, then nats-server --signal reload (or start it: nats-server -c nats.conf)";

export const printers: Printers = {
  fleet_init: { text: printBegun },
  fleet_invite: { text: printCode },
  fleet_join: { text: printJoined },
  fleet_devices: { text: printDevices },
  fleet_allow: { text: printAllowed },
  fleet_revoke: { text: printRevoked },
  fleet_renew: { text: printRenewed },
  fleet_nats_config: { text: ({ config }) => exactly(config.trimEnd()) },
  fleet_leave: {
    text: ({ name, device, root }) =>
      line(
        root
          ? `the fleet of ${name} is over`
          : `${name} has left; where the root key is: duetty fleet revoke ${device}`,
      ),
  },
};

const MAY = { none: "do nothing", watch: "watch", drive: "drive" } as const;
const CELL = { none: "nothing", watch: "watch", drive: "drive" } as const;

function printAllowed({ name, device, person, agent }: Output<"fleet_allow">): void {
  line(`here ${name} (${device}) may ${MAY[person]}, its agents may ${MAY[agent]}`);
  if (agent === "none" && person !== "none")
    line(`to let its agents in, too: duetty fleet allow ${name} --agents watch`);
}

function printBegun({ name, url, locked }: Output<"fleet_init">): void {
  line(`a fleet begins: this machine is ${name}, the broker is ${url}`);
  line(
    locked
      ? "The root key has a passphrase: renew certificates each month with duetty fleet renew."
      : "The root key has no passphrase: who reads this machine's files can let machines in.",
  );
  line("Next: 1. duetty fleet invite NAME");
  line(`      2. ${RELOAD}`);
  line("      3. on the other machine: duetty fleet join CODE");
}

function printCode({ name, code, expires_at, away }: Output<"fleet_invite">): void {
  exactly(code);
  line(`It lets ${name} in, once, until ${zonedTimeOf(expires_at)}. Keep it secret until it is used.`);
  line(`First let the broker know its login: ${RELOAD}`);
  line("Then on that machine: duetty fleet join CODE");
  if (away !== null) line(`Just now nobody can join: ${away}`);
}

function printJoined({ name, device, url, until }: Output<"fleet_join">): void {
  line(`this machine is ${name} (${device}) in the fleet at ${url}${until === null ? "" : `, until ${dayOf(until)}`}`);
  line(
    "Other machines may watch here. Say what each may do: duetty fleet devices, then duetty fleet allow NAME --level drive",
  );
}

function printDevices({ url, root, away, damage, devices, invited }: Output<"fleet_devices">): void {
  const rows = devices.map((one) => [
    one.name,
    one.device,
    one.host ?? "-",
    one.revoked ? "revoked" : one.until === null ? "-" : endOf(one.until),
    one.level ? CELL[one.level.person] : "this machine",
    one.level ? CELL[one.level.agent] : "-",
  ]);
  table([["NAME", "DEVICE", "HOST", "UNTIL", "MAY HERE", "ITS AGENTS"], ...rows], ["HOST", "DEVICE"]);
  for (const { name, expires_at } of invited) line(`${name} is invited until ${zonedTimeOf(expires_at)}`);
  for (const one of damage) line(one);
  if (away !== null) line(`nobody can join just now: ${away}`);
  line(root ? `the broker is ${url}; invite and revoke here` : `the broker is ${url}`);
}

function printRevoked({ name, device, serials }: Output<"fleet_revoke">): void {
  if (serials === 0) return line(`${name} is not invited any more`);
  line(`${name} (${device}) is out: its ${serials} certificates do not count any more`);
  line(`Now let the broker forget its login: ${RELOAD}`);
}

function printRenewed({ renewed }: Output<"fleet_renew">): void {
  for (const { name, until } of renewed) line(`${name} is good${until === null ? "" : ` until ${dayOf(until)}`}`);
  if (renewed.length > 1) line("Each machine fetches its own within six hours, or at once with: duetty fleet renew");
}

function endOf(until: Device["until"] & number): string {
  const days = Math.floor((until - Date.now()) / 86_400_000);
  return days < 0 ? `over since ${dayOf(until)}` : `${dayOf(until)}, ${days} days`;
}

function dayOf(ts: number): string {
  return new Date(ts).toISOString().slice(0, 10);
}
