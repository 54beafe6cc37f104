// The broker's configuration for one fleet, as text. Who is not in it cannot connect. Pure.
import { asDevice, asHost, asInvitee, asRoot, type Permissions, together } from "../../../core/fleet/permissions.ts";
import type { DeviceId, HostId } from "../../../core/fleet/subjects.ts";

/** NATS's own default: our streams cut at 64 KiB, and no answer is larger. */
const PAYLOAD_BYTES_MAX = 1 << 20;
/** The longest wait of an operation is 600 s. */
const ANSWERED_WITHIN = "660s";
const PORT = 4222;

interface MemberLogin {
  readonly name: string;
  readonly device: DeviceId;
  readonly host: HostId;
  /** "U…" */
  readonly nkey: string;
  readonly isRoot: boolean;
}

/** Of an open invitation: the code's login, and the one that the machine will have. */
interface InviteeLogin extends Omit<MemberLogin, "isRoot"> {
  readonly joinNkey: string;
  readonly until: number;
}

interface Logins {
  readonly url: string;
  readonly members: readonly MemberLogin[];
  readonly invitees: readonly InviteeLogin[];
}

export function natsConfig({ url, members, invitees }: Logins): string {
  const { port, protocol, hostname } = new URL(url);
  const users = [...members.flatMap(ofMember), ...invitees.flatMap(ofInvitee)];
  return [
    `# A NATS broker for a fleet, at ${url}. Printed by fleet nats-config.`,
    "# Print it again after each invitation and revocation, then: nats-server --signal reload (one of several: reload=PID)",
    `port: ${port || PORT}`,
    `max_payload: ${PAYLOAD_BYTES_MAX}`,
    ...(protocol === "tls:" ? tlsFor(hostname) : []),
    "authorization {",
    "  users: [",
    ...users.map((line) => `    ${line}`),
    "  ]",
    "}",
    "",
  ].join("\n");
}

function ofMember({ name, device, host, nkey, isRoot }: MemberLogin): string[] {
  const all = together(asHost(host), asDevice(device), ...(isRoot ? [asRoot()] : []));
  return [`# ${name}: ${device}, ${host}${isRoot ? ", lets machines in" : ""}`, userLine(nkey, all)];
}

function ofInvitee({ joinNkey, until, ...invitee }: InviteeLogin): string[] {
  const end = new Date(until).toISOString().slice(0, 16).replace("T", " ");
  return [
    ...ofMember({ ...invitee, isRoot: false }),
    `# ${invitee.name}: its invitation, good until ${end} UTC`,
    userLine(joinNkey, asInvitee(invitee.device)),
  ];
}

/** One user of the configuration. */
export function userLine(nkey: string, { publish, subscribe, answers }: Permissions): string {
  const list = (subjects: readonly string[]) => JSON.stringify(subjects);
  const reply = answers ? `, allow_responses: { max: 1, expires: "${ANSWERED_WITHIN}" }` : "";
  const may = `publish: { allow: ${list(publish)} }, subscribe: { allow: ${list(subscribe)} }${reply}`;
  return `{ nkey: ${nkey}, permissions: { ${may} } }`;
}

function tlsFor(hostname: string): string[] {
  return [
    "tls {",
    `  # A certificate for ${hostname}, and its key.`,
    '  cert_file: "broker.crt"',
    '  key_file: "broker.key"',
    "}",
  ];
}
