// A question of an agent in words, the same on the page, in attach, on the command line and in a client's form; and a need as
// notices tell it. Pure.
import type { Approval } from "../../protocol/ops/gate.ts";
import type { Need } from "../../protocol/words/need.ts";

/** Long enough to come back from a coffee, short enough that a question is still about the same thing. */
export const APPROVAL_LIFE_MS = 300_000;

/** For an agent that no longer waits for the answer. */
export function lifeWords(): string {
  const minutes = APPROVAL_LIFE_MS / 60_000;
  return `The question is open for ${minutes} minutes; an answer counts for ${minutes} more.`;
}

export function wants({ kind, program }: Pick<Approval, "kind" | "program">): string {
  const words: Record<Approval["kind"], string> = {
    // It has a program where a shell inside would run it.
    run: program ? `wants to run in ${program}` : "wants to run",
    keys: `wants to type into ${program ?? "the program"}`,
    open: "wants to open a session",
    tool: "wants to use a tool",
    password: "asks for a password",
    choice: "asks you to choose",
    take_over: "asks you to take over",
    message: "says",
  };
  return words[kind];
}

const WHERE: Record<NonNullable<Approval["where"]>, string> = {
  box: "in the box: no network, and it writes only in the workspace",
  "box+network": "in the box, with network for this one run",
  outside: "outside the box, with your own rights",
};

export function whereWords({ where, hosts }: Pick<Approval, "where" | "hosts">): string | undefined {
  return where === "box+network" ? `${WHERE[where]}: ${hostWords(hosts)}` : where && WHERE[where];
}

/** What a yes to the network opens. */
export function hostWords(hosts: readonly string[] | null | undefined): string {
  return hosts?.join(", ") ?? "any public host";
}

interface Part {
  readonly name: "reads" | "folder" | "runs";
  readonly text: string;
}

/** What a yes is about besides the text itself. */
export function partsOf(asked: Pick<Approval, "stdin" | "cwd" | "where" | "hosts">): Part[] {
  const parts: { name: Part["name"]; text: string | null | undefined }[] = [
    { name: "reads", text: asked.stdin },
    { name: "folder", text: asked.cwd },
    { name: "runs", text: whereWords(asked) },
  ];
  return parts.flatMap(({ name, text }) => (text ? [{ name, text }] : []));
}

const LATER: Partial<Record<Approval["kind"], string>> = {
  run: "it runs",
  keys: "it is typed",
  open: "it opens",
  tool: "it is used",
};

/** What a yes does when the asker no longer waits. */
export function laterWords({ actor, kind }: Pick<Approval, "actor" | "kind">): string {
  const name = actor.replace(/^agent:/, "");
  const happens = LATER[kind] ?? `${name} hears of it`;
  return `${name} is no longer waiting; ${happens} when ${name} asks again.`;
}

/** A person said yes, and nobody was there to hear it. */
export function lateYes(card: Pick<Approval, "actor" | "kind" | "state" | "waits">): string | undefined {
  return card.state === "approved" && !card.waits ? `Approved. ${laterWords(card)}` : undefined;
}

const RISKS: Record<NonNullable<Approval["risk"]>, string> = {
  install: "Installs something",
  migrate: "Changes a database",
  deploy: "Deploys something",
  destructive: "May destroy data",
  network: "Uses the network",
  privilege: "Acts with more rights",
};

/** What makes it risky. */
export function riskWords({ class: cls, risk }: Pick<Approval, "class" | "risk">): string | undefined {
  if (risk) return RISKS[risk];
  if (cls === "unknown") return "Not known to be safe";
  if (cls === "risky") return "Risky";
  return cls === "safe" ? "Known to be safe" : undefined;
}

const RULES: Readonly<Record<string, string>> = {
  "mode.terminal": "in terminal mode agents always ask",
  "level.always_ask": "agents always ask in this session",
  "level.ask_first": "agents ask before they first type into a program",
  "rules.ask": "one of your rules says ask",
  "safe_mode.risky": "safe mode asks before risky commands",
  "safe_mode.unknown": "safe mode asks before unknown commands",
  "safe_mode.plain_shell": "safe mode asks before each line to a plain shell",
  "safe_mode.escapes": "this program can start a shell",
  "class.risky": "risky commands always ask",
  "class.unknown": "unknown commands always ask",
  "prompt.keys": "single keys at a prompt always ask",
  "shell.shadowed": "in this shell the name means something else",
  "shell.unguarded": "nothing can check what this line runs",
  "box.leave": "the agent asks to leave the box",
};

/** Why it is asked: the rule in words, or what is said of the part that decided. */
export function ruleWords({ rule, reasons }: Pick<Approval, "rule" | "reasons">): string {
  return RULES[rule] ?? reasons.find((reason) => reason.rule === rule && reason.why !== "")?.why ?? rule;
}

interface NeedNotice {
  readonly tag: string;
  readonly title: string;
  readonly body: string;
  readonly session_id: string | null;
}

/** A title, and one line more. */
export function noticeOf({ tag, kind, title, why, label, session_id }: Need): NeedNotice {
  if (kind === "approval") return { tag, title, body: why, session_id };
  return { tag, title, body: kind === "blocked" ? `${label}: ${why}` : label, session_id };
}
