// Who did something. On the wire and in events: "person", "person:NAME", "agent:NAME", "program", "terminal". Who came from another
// machine has that machine's name behind: "person@laptop", "agent:claude@laptop".

export type Actor =
  /**
   * With a name: somebody whom the owner shared a session with. `from`: the owner's device, as device:NAME. `device`: the owner's other
   * machine, which is a part of who they are here. An agent's name has it in itself.
   */
  | { readonly kind: "person"; readonly name?: string; readonly from?: string; readonly device?: string }
  | { readonly kind: "agent"; readonly name: string }
  | { readonly kind: "program" }
  | { readonly kind: "terminal" };

export function actorName(actor: Actor): string {
  const who = "name" in actor ? `${actor.kind}:${actor.name}` : actor.kind;
  return "device" in actor ? `${who}@${actor.device}` : who;
}

/** The device that somebody uses, if not the machine itself. */
export function fromOf(actor: Actor): string | undefined {
  return actor.kind === "person" ? actor.from : undefined;
}

/** Whether somebody is at another machine of the person. */
export function isFar(actor: Actor): boolean {
  return actor.kind === "person" ? actor.device !== undefined : actor.kind === "agent" && actor.name.includes("@");
}

/** How events name who did something. */
export function notedAs(actor: Actor): { readonly actor: string; readonly from: string | undefined } {
  return { actor: actorName(actor), from: fromOf(actor) };
}
