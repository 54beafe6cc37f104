// The other machines of this person: which there are, how they are reached, and how they stand.
import * as z from "zod";
import { op } from "../../op.ts";
import { HostName, Ts } from "../../words/ids.ts";

const HostInfo = z.object({
  host: z.string().describe("its name, as in host/ID"),
  way: z.enum(["ssh", "nats"]),
  address: z.string(),
  reach: z
    .enum(["connecting", "here", "quiet", "gone", "refused"])
    .describe("quiet: it is not heard, or the broker is away; gone: it is away; refused: we cannot work together"),
  why: z.string().nullable().describe("why it is not here"),
  since: Ts,
  version: z.string().nullable(),
  sessions: z.int().nullable().describe("running ones, as it told last; null: it has not told"),
  questions: z.int().nullable().describe("open questions there"),
  told_at: Ts.nullable().describe("when it told its lists last"),
});

export const hosts = op("hosts", {
  summary: "List your other machines: how they are reached, whether they are here, what runs there.",
  effect: "read",
  input: z.object({}),
  output: z.object({ me: z.string().describe("what this machine calls itself"), hosts: z.array(HostInfo) }),
  cli: { verb: "hosts", args: [], print: "hosts", examples: ["duetty hosts", "duetty hosts --json"] },
  mcp: {
    title: "List machines",
    description: "List the person's machines. What runs on another one is named HOST/ID; `host` opens and runs there.",
    tier: "readonly",
    needs: "several",
    hints: { readOnly: true },
  },
});

export const hostsAdd = op("hosts_add", {
  summary:
    "Reach another machine over your own ssh: its sessions, questions and agents are shown beside those of this one.",
  effect: "control",
  input: z.object({
    name: HostName,
    address: z.string().min(1).max(400).describe("ssh://HOST or ssh://USER@HOST:PORT; keys and config are your own"),
    install: z.boolean().default(false).describe("put this duetty into ~/.local/share/duetty there, or renew it"),
    agent_socket: z.string().max(400).optional().describe("your ssh-agent's socket"),
  }),
  output: HostInfo,
  cli: {
    verb: "hosts add",
    args: ["name", "address"],
    adds: ["agent_socket"],
    hide: ["agent_socket"],
    print: "hosts",
    examples: ["duetty hosts add box ssh://box", "duetty hosts add box ssh://me@box.lan:2222 --install"],
  },
});

export const hostsRemove = op("hosts_remove", {
  summary: "Forget a machine that was added over ssh. What runs there goes on.",
  effect: "control",
  input: z.object({ name: HostName }),
  output: z.object({ host: z.string(), removed: z.literal(true) }),
  cli: { verb: "hosts remove", args: ["name"], print: "hosts", examples: ["duetty hosts remove box"] },
});
