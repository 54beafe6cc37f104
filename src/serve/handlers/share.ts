// Operations about links to one session.
import { hostname } from "node:os";
import { fault, isFault } from "../../core/base/fault.ts";
import type { Session } from "../../core/session/session.ts";
import type { Input } from "../../protocol/ops.ts";
import { isReserved } from "../../protocol/plain/agent-name.ts";
import { durationMs } from "../../protocol/words/duration.ts";
import type { SharePass } from "../pass/passes.ts";
import { type Context, type Handlers, onSession } from "./context.ts";

/** Longer is an account, not a link. */
const SHARE_DAYS_MAX = 30;
const DAY_MS = 86_400_000;

type Mine = Pick<Handlers, "share" | "shares" | "unshare" | "shared">;

export function shareHandlers(ctx: Context): Mine {
  return {
    share: ({ session_id, ...wanted }) => onSession(ctx, session_id, async (session) => shared(ctx, session, wanted)),
    shares: async ({ session_id }) => {
      const session = session_id === undefined ? undefined : ctx.sessions.find(session_id);
      if (isFault(session)) return session;
      const all = ctx.passes.shares.filter((pass) => session === undefined || pass.session_id === session.id);
      return { shares: all.map((pass) => shownOf(ctx, pass)) };
    },
    unshare: async ({ id }) => {
      const open = ctx.visits.count(id);
      const revoked = ctx.passes.revoke(id);
      return isFault(revoked) ? revoked : { id, ended: open };
    },
    shared: async (_, { guest }) => {
      const pass = guest && ctx.passes.find(guest.id);
      if (pass?.kind !== "share") return fault("input.invalid", "nothing was shared with you", "You came by no link.");
      const { name, role, masked, expires_at } = pass;
      return onSession(ctx, pass.session_id, async (session) => {
        return { session: session.info(), machine: machine(ctx), name, role, masked, expires_at };
      });
    },
  };
}

function shared(ctx: Context, session: Session, wanted: Omit<Input<"share">, "session_id">) {
  const { for: time, uses = null, unmasked, role } = wanted;
  const name = wanted.name.normalize("NFC");
  if (isReserved(name))
    return fault("input.invalid", `"${name}" would be taken for somebody else`, "Give another name.");
  const life = durationMs(time);
  if (life > SHARE_DAYS_MAX * DAY_MS)
    return fault("input.invalid", `a link lasts ${SHARE_DAYS_MAX} days at most`, "Share it again then.");
  const expires_at = Date.now() + life;
  const given = { session_id: session.id, role, name, masked: !unmasked, expires_at, uses_left: uses };
  const made = ctx.passes.share(given);
  if (isFault(made)) return made;
  const { pass, secret } = made;
  session.gate.log({ kind: "share", state: "made", id: pass.id, name, role, masked: pass.masked, expires_at });
  const path = `/s/${pass.id}#${secret}`;
  return { share: shownOf(ctx, pass), path, url: `${ctx.origin()}${path}`, token: ctx.auth.keyOf(pass.id) };
}

/** Some accounts of containers have no name. */
function machine({ env }: Context): string {
  return env.USER ? `${env.USER}@${hostname()}` : hostname();
}

function shownOf(ctx: Context, pass: SharePass) {
  const { kind: _, hash: __, ...shown } = pass;
  return { ...shown, here: ctx.visits.count(pass.id) };
}
