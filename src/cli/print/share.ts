// What the verbs about links print.
import type { Share } from "../../protocol/ops/share.ts";
import type { Output } from "../../protocol/ops.ts";
import { line } from "../text/output.ts";
import type { Printers } from "./printer.ts";
import { table, timeOf } from "./table.ts";

export const printers: Printers = {
  share: { text: printShare },
  shares: { text: printShares },
  unshare: { text: ({ id, ended }) => line(`${id} works no more${ended > 0 ? `, ${ended} open ended` : ""}`) },
};

const MAY = { watch: "may watch", type: "may watch and type", approve: "may watch, type and answer questions" };

function printShare({ share, url }: Output<"share">): void {
  line(url);
  const secrets = share.masked ? "secrets are hidden" : "secrets are shown";
  line(`${share.name} ${MAY[share.role]} until ${timeOf(share.expires_at)}; ${secrets}. This link is shown once.`);
  line(`Take it back: duetty unshare ${share.id}`);
}

function printShares({ shares }: Output<"shares">): void {
  if (shares.length === 0) return line("nothing is shared; share a session with: duetty share SESSION");
  table([["ID", "SESSION", "NAME", "ROLE", "UNTIL", "USES LEFT", "HERE"], ...shares.map(rowOf)]);
}

function rowOf({ id, session_id, name, role, expires_at, uses_left, here }: Share): string[] {
  return [id, session_id, name, role, timeOf(expires_at), uses_left === null ? "any" : `${uses_left}`, `${here}`];
}
