// Membership: which machines make up this person's fleet, by whose word, and what each may do here. For people at the machine itself.
import * as z from "zod";
import { op } from "../../op.ts";
import { wrongBrokerUrl } from "../../plain/fleet/broker-url.ts";
import { HostName, Ts } from "../../words/ids.ts";

const Passphrase = z
  .string()
  .min(1)
  .max(1_000)
  .optional()
  .describe("of the fleet's root key: typed, never an argument");
const Ca = z.string().min(1).max(100_000).optional().describe("the certificate authority of a broker with TLS");
const Wanted = z.string().min(1).max(100);
const Level = z.enum(["none", "watch", "drive"]);
const DeviceId = z.string().describe("such as d_1a2b3c4d");

const Url = z.string().superRefine((text, ctx) => {
  const wrong = wrongBrokerUrl(text);
  if (wrong !== undefined) ctx.addIssue({ code: "custom", message: wrong });
});

const Me = z.object({ name: z.string(), device: DeviceId, host: z.string(), url: z.string() });

export const fleetInit = op("fleet_init", {
  summary: "Begin a fleet: this machine gets its root key, and lets other machines in. The broker is a NATS server.",
  effect: "control",
  input: z.object({
    url: Url.describe("where all machines reach the broker"),
    name: HostName.optional().describe("what this machine is called in the fleet"),
    passphrase: Passphrase,
    ca: Ca,
  }),
  output: Me.extend({ locked: z.boolean().describe("the root key has a passphrase") }),
  cli: {
    verb: "fleet init",
    args: ["url"],
    typed: { field: "passphrase", twice: true },
    file: "ca",
    print: "members",
    examples: ["duetty fleet init nats://box.lan:4222", "duetty fleet init tls://nats.example:4222 --passphrase"],
  },
});

export const fleetInvite = op("fleet_invite", {
  summary: "Let one more machine in: a code that is good once, for ten minutes. The broker must know its login first.",
  effect: "control",
  input: z.object({ name: HostName.describe("what the machine is called from now on"), passphrase: Passphrase }),
  output: z.object({
    name: z.string(),
    device: DeviceId,
    host: z.string(),
    code: z.string(),
    expires_at: Ts,
    away: z.string().nullable().describe("why nobody can join just now: how this machine and the broker stand"),
  }),
  cli: {
    verb: "fleet invite",
    args: ["name"],
    typed: { field: "passphrase" },
    print: "members",
    examples: ["duetty fleet invite build-box"],
  },
});

export const fleetJoin = op("fleet_join", {
  summary: "Join a fleet with the code that duetty fleet invite printed there. The code - is read from standard input.",
  effect: "control",
  input: z.object({ code: z.string().min(1).max(4_000), ca: Ca }),
  output: Me.extend({ until: Ts.nullable().describe("when its certificates end, unless they are renewed") }),
  cli: {
    verb: "fleet join",
    args: ["code"],
    dash: "code",
    file: "ca",
    print: "members",
    examples: ["duetty fleet join duetty-eyJ2…", "duetty fleet join -"],
  },
});

const Device = z.object({
  name: z.string(),
  device: DeviceId,
  host: z.string().nullable(),
  me: z.boolean(),
  certificates: z.array(z.object({ role: z.enum(["host", "person", "agent"]), serial: z.string(), until: Ts })),
  until: Ts.nullable().describe("when the first of its certificates ends"),
  revoked: z.boolean(),
  level: z.object({ person: Level, agent: Level }).nullable().describe("what it may do here; null: this machine"),
});

export const fleetDevices = op("fleet_devices", {
  summary: "List the machines of the fleet: until when their certificates are good, and what each may do here.",
  effect: "control",
  input: z.object({}),
  output: z.object({
    url: z.string(),
    root: z.boolean().describe("machines are invited and revoked here"),
    away: z.string().nullable().describe("on the root's machine: why nobody can join just now"),
    damage: z.array(z.string()).describe("files that do not count until a person looks at them"),
    devices: z.array(Device),
    invited: z.array(z.object({ name: z.string(), device: DeviceId, expires_at: Ts })),
  }),
  cli: { verb: "fleet devices", args: [], print: "members", examples: ["duetty fleet devices"] },
});

export const fleetAllow = op("fleet_allow", {
  summary: "Say what another machine may do here: nothing, watch, or drive. It is written into fleet.json.",
  effect: "control",
  input: z
    .object({
      device: Wanted.describe("its name or id"),
      level: Level.optional().describe("of its person; without it as before"),
      agents: Level.optional().describe("of agents there; without it as before, but not above a person who is lowered"),
    })
    .refine(({ level, agents }) => level !== undefined || agents !== undefined, {
      path: ["level"],
      error: "is missing: say level, agents or both",
    }),
  output: z.object({ name: z.string(), device: DeviceId, person: Level, agent: Level }),
  cli: {
    verb: "fleet allow",
    args: ["device"],
    print: "members",
    examples: ["duetty fleet allow laptop --level drive", "duetty fleet allow laptop --level drive --agents drive"],
  },
});

export const fleetRevoke = op("fleet_revoke", {
  summary: "Put a machine out of the fleet: its certificates do not count any more. Then reload the broker.",
  effect: "control",
  input: z.object({ device: Wanted.describe("its name or id, or a serial of it"), passphrase: Passphrase }),
  output: z.object({
    name: z.string(),
    device: DeviceId,
    serials: z.int().describe("0: it was only invited"),
    number: z.int().describe("of the list of revoked certificates; the larger one counts"),
  }),
  cli: {
    verb: "fleet revoke",
    args: ["device"],
    typed: { field: "passphrase" },
    print: "members",
    examples: ["duetty fleet revoke laptop"],
  },
});

export const fleetRenew = op("fleet_renew", {
  summary: "Where the root key is: new certificates for all machines, or one. Elsewhere: fetch those of this machine.",
  effect: "control",
  input: z.object({ device: Wanted.optional().describe("only this one"), passphrase: Passphrase }),
  output: z.object({ renewed: z.array(z.object({ name: z.string(), device: DeviceId, until: Ts.nullable() })) }),
  cli: {
    verb: "fleet renew",
    args: ["device"],
    typed: { field: "passphrase" },
    print: "members",
    examples: ["duetty fleet renew", "duetty fleet renew laptop"],
  },
});

export const fleetNatsConfig = op("fleet_nats_config", {
  summary: "Print the broker's configuration: who may connect, and what each machine may say and hear.",
  effect: "control",
  input: z.object({}),
  output: z.object({ url: z.string(), config: z.string() }),
  cli: {
    verb: "fleet nats-config",
    args: [],
    print: "members",
    examples: ["duetty fleet nats-config > nats.conf && nats-server -c nats.conf"],
  },
});

export const fleetLeave = op("fleet_leave", {
  summary:
    "Forget the fleet on this machine: its keys and certificates are deleted. Others still know it: revoke it there.",
  effect: "control",
  input: z.object({ root: z.boolean().default(false).describe("also the root key: the whole fleet ends") }),
  output: z.object({ name: z.string(), device: DeviceId, root: z.boolean() }),
  cli: { verb: "fleet leave", args: [], print: "members", examples: ["duetty fleet leave"] },
});
