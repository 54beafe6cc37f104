// Operations about paired devices, and the end of all that was given away.
import { fault, isFault } from "../../core/base/fault.ts";
import type { Input } from "../../protocol/ops.ts";
import type { Context, Handlers } from "./context.ts";

type Mine = Pick<Handlers, "pair" | "devices" | "unpair" | "push">;

export function awayHandlers(ctx: Context): Mine {
  const { passes, visits, auth } = ctx;
  return {
    pair: async () => passes.full() ?? { ...auth.pairing.begin(Date.now()), url: `${ctx.origin()}/pair` },
    devices: async () => {
      const shown = passes.devices.map(({ kind: _, hash: __, ...pass }) => ({ ...pass, here: visits.count(pass.id) }));
      return { devices: shown };
    },
    unpair: async ({ device }) => {
      const found = passes.devices.find(({ id, name }) => id === device || name === device.normalize("NFC"));
      if (!found) return fault("not_found", `no device is called "${device}"`, "The list of devices has the names.");
      const ended = visits.count(found.id);
      const revoked = passes.revoke(found.id);
      return isFault(revoked) ? revoked : { id: found.id, name: found.name, ended };
    },
    push: async ({ subscription }, { away, visit }) => pushed(ctx, subscription, away === "device" ? visit : undefined),
  };
}

function pushed({ push }: Context, wanted: Input<"push">["subscription"], device: string | undefined) {
  if (device === undefined && wanted)
    return fault("input.invalid", "only a paired device is notified", "Pair it at the machine first.");
  if (device === undefined) return { key: null, on: false };
  const wrong = wanted ? push.subscribe(device, wanted) : undefined;
  if (wanted === null) push.forget(device);
  return wrong ?? { key: push.publicKey, on: push.has(device) };
}

/** Whoever came by a link, a device or a browser is out. Sessions and agents go on. */
export function shutDoors({ passes, visits, auth }: Context) {
  const links = passes.shares.length;
  const devices = passes.devices.map(({ name }) => name);
  const ids = [...passes.shares, ...passes.devices].map(({ id }) => id);
  const { browsers } = auth;
  const open = [...ids, browsers].reduce((sum, id) => sum + visits.count(id), 0);
  try {
    auth.renewCookies();
  } finally {
    // A disk that is full keeps no door open.
    visits.end(browsers);
    passes.revokeAll();
  }
  return { devices, links, open };
}
