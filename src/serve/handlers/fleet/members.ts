// Operations about who belongs to this person's fleet.
import { type Fault, isFault } from "../../../core/base/fault.ts";
import { nameOfMachine } from "../../fleet/config.ts";
import type { Known, Members } from "../../fleet/members/members.ts";
import type { Member } from "../../fleet/members/membership.ts";
import type { Answer, Context, Handlers } from "../context.ts";

type Mine = Pick<
  Handlers,
  | "fleet_init"
  | "fleet_invite"
  | "fleet_join"
  | "fleet_devices"
  | "fleet_allow"
  | "fleet_revoke"
  | "fleet_renew"
  | "fleet_nats_config"
  | "fleet_leave"
>;

export function membersHandlers({ members, config }: Context): Mine {
  const loaded = () => members.load();
  return {
    fleet_init: async ({ url, name = nameOfMachine(config.fleet), passphrase, ca }) => {
      const member = await (await loaded()).init({ url, name, passphrase, ca });
      return isFault(member) ? member : { ...meOf(member), locked: passphrase !== undefined };
    },
    fleet_invite: async ({ name, passphrase }) => {
      const fleet = await loaded();
      const invited = fleet.invite(name, passphrase);
      if (isFault(invited)) return invited;
      const { device, host, until } = invited.invitee;
      return { name, device, host, code: invited.code, expires_at: until, away: fleet.desk.away?.message ?? null };
    },
    fleet_join: async ({ code, ca }) => {
      const fleet = await loaded();
      const member = await fleet.join(code, ca);
      if (isFault(member)) return member;
      const known = fleet.known();
      const me = isFault(known) ? undefined : known.find(({ device }) => device === member.device);
      return { ...meOf(member), until: me ? endsAt(me) : null };
    },
    fleet_devices: async () => devicesOf(await loaded()),
    fleet_allow: async ({ device, level, agents }) => {
      const fleet = await loaded();
      const found = fleet.allow(device, level, agents);
      return isFault(found) ? found : { name: found.name, device: found.device, ...fleet.levelsOf(found.device) };
    },
    fleet_revoke: async ({ device, passphrase }) => (await loaded()).revoke(device, passphrase),
    fleet_renew: async ({ device, passphrase }) => {
      const renewed = await (await loaded()).renew(device, passphrase);
      if (isFault(renewed)) return renewed;
      return { renewed: renewed.map((one) => ({ name: one.name, device: one.device, until: endsAt(one) })) };
    },
    fleet_nats_config: async () => (await loaded()).natsConfig(),
    fleet_leave: async ({ root }) => {
      const left = await (await loaded()).leave(root ? "root" : "member");
      return isFault(left) ? left : { name: left.name, device: left.device, root };
    },
  };
}

function meOf({ name, device, host, url }: Member) {
  return { name, device, host, url };
}

/** When the first of its certificates ends. */
function endsAt({ certificates }: Known): number | null {
  return certificates.length === 0 ? null : Math.min(...certificates.map(({ until }) => until));
}

function devicesOf(fleet: Members): Answer<"fleet_devices"> | Fault {
  const known = fleet.known();
  if (isFault(known)) return known;
  const { member, damage } = fleet.membership;
  const infoOf = (one: Known) => {
    const me = one.device === member?.device;
    const certificates = one.certificates.map(({ role, serial, until }) => ({ role, serial, until }));
    const { name, device, host, revoked } = one;
    const level = me ? null : fleet.levelsOf(device);
    return { name, device, host, me, certificates, until: endsAt(one), revoked, level };
  };
  return {
    url: member?.url ?? "",
    root: fleet.hasRoot,
    away: fleet.hasRoot ? (fleet.desk.away?.message ?? null) : null,
    damage: damage.map(({ message }) => message),
    devices: known.map(infoOf),
    invited: fleet.desk.invitees.map(({ name, device, until }) => ({ name, device, expires_at: until })),
  };
}
