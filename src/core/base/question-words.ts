// A question of an agent in words, the same on the page, in attach, on the command line and in a client's form. Pure.
import type { Approval } from "../../protocol/ops/gate.ts";

export function wants({ kind, program }: Pick<Approval, "kind" | "program">): string {
  const words: Record<Approval["kind"], string> = {
    run: "wants to run",
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

/** What a yes does when the asker no longer waits. */
export function laterWords({ actor, kind }: Pick<Approval, "actor" | "kind">): string {
  const name = actor.replace(/^agent:/, "");
  const happens: Record<Approval["kind"], string> = {
    run: "it runs",
    keys: "it is typed",
    open: "it opens",
    tool: "it is used",
    password: `${name} hears of it`,
    choice: `${name} hears of it`,
    take_over: `${name} hears of it`,
    message: `${name} hears of it`,
  };
  return `${name} is no longer waiting; ${happens[kind]} when ${name} asks again.`;
}

/** A person said yes, and nobody was there to hear it. */
export function lateYes(card: Pick<Approval, "actor" | "kind" | "state" | "waits">): string | undefined {
  return card.state === "approved" && !card.waits ? `Approved. ${laterWords(card)}` : undefined;
}
