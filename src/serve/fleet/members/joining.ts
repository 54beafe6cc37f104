// This machine joins a fleet by a code. Its keys are made first, so that a full disk takes nothing from the code. Owns: nothing.
import type { Clock } from "../../../core/base/clock.ts";
import { type Fault, fault, isFault } from "../../../core/base/fault.ts";
import type { Bus } from "../../../core/fleet/bus.ts";
import { type DeviceId, isDeviceId, isHostId, subjects } from "../../../core/fleet/subjects.ts";
import { askToJoin, expired, type Invitation, joined, readCode } from "../../../host/fleet/invitation.ts";
import { keptIdentity } from "../../../host/fleet/keys.ts";
import { dialled } from "./dialing.ts";
import { ROLES } from "./files.ts";
import type { Membership } from "./membership.ts";
import { refusalIn } from "./refusal.ts";

const ANSWER_MS = 20_000;
/** A broker that was just started or read its configuration again: the machine that invited is back soon after. */
const BACK_MS = 8_000;
const AGAIN_MS = 500;
/** No code is good for longer than ten minutes; clocks may differ by one. */
const GOOD_MS_MAX = 11 * 60_000;

interface JoiningParts {
  readonly membership: Membership;
  readonly clock: Clock;
}

/** The name that this machine has from now on. */
export async function joinFleet(
  { membership, clock }: JoiningParts,
  code: string,
  ca: string | undefined,
): Promise<{ readonly name: string } | Fault> {
  const invitation = readInTime(code, clock.now());
  if (isFault(invitation)) return invitation;
  const { url, name, device, host, root, nkey, roles } = invitation;
  if (!isDeviceId(device) || host === null || !isHostId(host) || roles.length !== ROLES.length)
    return fault("fleet.forged", "this code is for another kind of machine", "Both machines need the same version.");
  const keys = madeKeys(membership.files.folder);
  if (isFault(keys)) return keys;
  let complaint: string | undefined;
  const onComplaint = (message: string) => {
    complaint = message;
  };
  const how = { url, nkeySeed: nkey, ca, inboxPrefix: subjects.joinInbox(device), name: `${name} joins`, onComplaint };
  const bus = await dialled(how, clock);
  if (isFault(bus)) return bus;
  try {
    const request = askToJoin(invitation, keys);
    const answer = await asked(bus, clock, device, request);
    if (isFault(answer)) return complaint === undefined ? answer : { ...answer, message: `the broker: ${complaint}` };
    const got = joined(invitation, keys, request, answer);
    if (isFault(got)) return got;
    const { host: asHost = "", person = "", agent = "" } = got.certs;
    const certs = { host: asHost, person, agent };
    membership.become({ v: 1, url, device, host, name, root, nkey: got.login, ...(ca !== undefined && { ca }), certs });
    if (got.revoked.number > 0) membership.takeRevoked(got.revoked.text);
    return { name };
  } finally {
    await bus.close();
  }
}

function readInTime(code: string, now: number): Invitation | Fault {
  const invitation = readCode(code, now);
  const clock = `This machine's clock says ${new Date(now).toISOString().slice(0, 16).replace("T", " ")} UTC.`;
  if (isFault(invitation)) {
    if (invitation.code !== "fleet.late")
      return { ...invitation, hint: "Copy the whole line that the invitation printed." };
    return { ...invitation, hint: `${invitation.hint} ${clock}` };
  }
  if (invitation.until - now > GOOD_MS_MAX)
    return fault("fleet.clock", "this code is good for longer than any code: one of the two clocks is wrong", clock);
  return invitation;
}

function madeKeys(folder: string): Record<(typeof ROLES)[number], string> | Fault {
  const [host, person, agent] = ROLES.map((role) => keptIdentity(folder, role));
  for (const one of [host, person, agent]) if (isFault(one)) return one;
  const keyOf = (one: typeof host) => (one && !isFault(one) ? one.publicKey : "");
  return { host: keyOf(host), person: keyOf(person), agent: keyOf(agent) };
}

/** Where nobody listens nothing was asked, so it is asked again. */
async function asked(bus: Bus, clock: Clock, device: DeviceId, request: Uint8Array): Promise<Uint8Array | Fault> {
  const until = clock.monotonic() + BACK_MS;
  for (;;) {
    const answer = await bus.request(subjects.join(device), request, { timeoutMs: ANSWER_MS });
    const refusal = isFault(answer) ? undefined : refusalIn(answer.data);
    if (refusal) return refusal.code === "fleet.late" ? expired() : refusal;
    if (!isFault(answer)) return answer.data;
    if (answer.code === "host.gone" && clock.monotonic() < until) {
      await new Promise<void>((resolve) => clock.after(AGAIN_MS, resolve));
      continue;
    }
    const hint = "The daemon there must run, and be connected to this very broker. {fleet_reached}";
    return fault(answer.code, "the machine that gave this code does not answer", hint);
  }
}
