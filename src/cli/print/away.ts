// What the verbs about paired devices print.
import type { Device } from "../../protocol/ops/away.ts";
import type { Output } from "../../protocol/ops.ts";
import { line } from "../text/output.ts";
import type { Printers } from "./printer.ts";
import { table, timeOf } from "./table.ts";

export const printers: Printers = {
  pair: { text: printCode },
  devices: { text: printDevices },
  unpair: {
    text: ({ name, id, ended }) => line(`${name} (${id}) is paired no more${ended > 0 ? `, ${ended} open ended` : ""}`),
  },
};

function printCode({ code, url, expires_at }: Output<"pair">): void {
  line(code);
  line(`Open ${url} on the device and type this code until ${timeOf(expires_at)}. It works once.`);
  if (url.startsWith("http://127.0.0.1:"))
    line("Only this machine reaches that address. docs/away.md says how others do: duetty serve --host, or a tunnel.");
}

function printDevices({ devices }: Output<"devices">): void {
  if (devices.length === 0) return line("no device is paired; pair one with: duetty pair");
  table([["ID", "NAME", "PAIRED", "LAST SEEN", "FROM", "HERE"], ...devices.map(rowOf)]);
}

function rowOf({ id, name, made_at, last_used_at, last_from, here }: Device): string[] {
  const seen = last_used_at === null ? "never" : timeOf(last_used_at);
  return [id, name, timeOf(made_at), seen, last_from ?? "-", `${here}`];
}
