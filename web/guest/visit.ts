// A visit by a link, from its first call to its end. Owns: the link's secret until it is used, where the visit stands, and the
// seat in front of the shared session. Refuses: to draw.
import { type Accessor, createRoot, createSignal } from "solid-js";
import { backoffMs } from "../../src/client/backoff.ts";
import { call, type Fault, isFault, passId } from "../wire/api.ts";
import { redeem, takeSecret } from "../wire/pass.ts";
import { createSeat, type Seat, type Shared } from "./seat.ts";

/** Why nothing is shown. incomplete: the address has no secret. away: nobody answers, and it is tried again. */
export type Over = "incomplete" | "invalid" | "used_up" | "revoked" | "expired" | "inside" | "away";

export interface Visit {
  /** Undefined until the visit has begun, and after it is over. */
  readonly seat: Accessor<Seat | undefined>;
  readonly over: Accessor<Over | undefined>;
}

export function createVisit(): Visit {
  const secret = takeSecret();
  const [seat, setSeat] = createSignal<Seat>();
  const [over, setOver] = createSignal<Over>();
  // Another link into the same tab changes only what is behind the #.
  window.addEventListener("hashchange", () => location.reload());

  let attempt = 0;

  function end(why: Over): void {
    const left = seat();
    setSeat(undefined);
    setOver(why);
    left?.dispose();
    if (why !== "away") return;
    setTimeout(() => void begin(), backoffMs(attempt, Math.random()));
    attempt += 1;
  }
  const ended = () => end(whyEnded(remembered()));

  /** The session could not be reached. Only a refusal ends the visit: a daemon that begins again knows the link. */
  async function look(): Promise<void> {
    const answer = await call("shared", {});
    if (isFault(answer) && isRefusal(answer) && seat()) ended();
  }

  async function begin(): Promise<void> {
    const shared = await admitted(secret);
    if (typeof shared === "string") return end(shared);
    setOver(undefined);
    remember(shared.expires_at);
    setSeat(createRoot((dispose) => createSeat(shared, { ended, look: () => void look(), dispose })));
  }
  void begin();
  return { seat, over };
}

/** Who was here before is not counted once more: the link may be good for a few times only. */
async function admitted(secret: string): Promise<Shared | Over> {
  if (passId() === undefined) return "invalid";
  const known = remembered();
  if (known !== undefined || secret === "") {
    const shared = await call("shared", {});
    if (!isFault(shared)) return shared;
    if (!isRefusal(shared)) return "away";
    if (secret === "") return known === undefined ? "incomplete" : whyEnded(known);
  }
  const refused = await redeem(secret);
  if (refused) return whyRefused(refused);
  const shared = await call("shared", {});
  if (!isFault(shared)) return shared;
  return isRefusal(shared) ? "invalid" : "away";
}

function isRefusal({ code }: Fault): boolean {
  return code === "auth.required" || code === "auth.forbidden" || code === "role.inside";
}

function whyRefused({ code }: Fault): Over {
  if (code === "link.used_up") return "used_up";
  if (code === "role.inside") return "inside";
  return code.startsWith("auth.") ? "invalid" : "away";
}

/** The daemon forgets a link that is over. This browser knows when it was to end. */
function whyEnded(until: number | undefined): Over {
  return until !== undefined && until <= Date.now() ? "expired" : "revoked";
}

const keyOf = () => `duetty.pass.${passId()}`;

/** When the link ends that this browser opened. */
function remembered(): number | undefined {
  const until = Number(localStorage.getItem(keyOf()) ?? Number.NaN);
  return Number.isFinite(until) ? until : undefined;
}

function remember(until: number): void {
  localStorage.setItem(keyOf(), String(until));
}
