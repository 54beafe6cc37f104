// Many machines of a fleet in one process, for bench/fleet.bench.mjs: real cards and seals, sessions that are only words. Arguments:
// the broker, the folder of the root's key, the first one's number, how many. Says "ready" when all have spoken.
import { readFileSync } from "node:fs";
import { Changes } from "../build/core/base/changes.js";
import { openNats } from "../build/host/bus/nats.js";
import { nodeClock } from "../build/host/clock.js";
import { issue, NOBODY_REVOKED } from "../build/host/fleet/certificate.js";
import { makeIdentity, openRoot } from "../build/host/fleet/keys.js";
import { HostSide } from "../build/serve/fleet/nats/host-side.js";

const [url, folder, first, count] = process.argv.slice(2);
const root = openRoot(folder);
/** A real one, of the daemon that asks. */
const like = JSON.parse(readFileSync(`${folder}/session.json`, "utf8"));
const CONNECTIONS = 20;
const buses = await Promise.all(Array.from({ length: CONNECTIONS }, (_, i) => openNats({ url, name: `many ${i}` })));
while (!buses.every(({ status }) => status === "connected")) await new Promise((resolve) => setTimeout(resolve, 20));
const rules = { others: "watch", devices: {} };
const membership = {
  revoked: () => NOBODY_REVOKED,
  rules: () => rules,
  takeRevoked: () => "known",
  onChange: () => () => undefined,
};
const log = { say: () => undefined, error: (error) => console.error(error) };
for (let i = Number(first); i < Number(first) + Number(count); i += 1) {
  const id = (1_000 + i).toString(36).padStart(8, "0");
  const [host, device, name, identity] = [`h_${id}`, `d_${id}`, `m${i}`, makeIdentity()];
  const claims = { key: identity.publicKey, device, name, host, role: "host", hosts: ["*"] };
  const certs = { host: issue(root, claims, Date.now()), person: "", agent: "" };
  const sessions = Array.from({ length: 10 }, (_, n) => sessionOf(`s_${id.slice(-6)}${n}0`));
  await HostSide.open({
    ...{ bus: buses[i % CONNECTIONS], membership, clock: nodeClock, changes: new Changes(nodeClock), log },
    member: { url, host, device, name, root: root.publicKey, identities: { host: identity }, certs },
    perform: async (op) =>
      op.name === "pty_list" ? { sessions } : op.name === "approvals" ? { approvals: [] } : { needs: [], notify: [] },
    random: Math.random,
    counts: () => ({ sessions: 10, pending: 0 }),
    note: () => undefined,
    attach: () => ({ fault: true, code: "session.not_found", message: "only words", hint: "" }),
  });
}
console.log("ready");

function sessionOf(session_id) {
  return { ...like, session_id };
}
