// Who did something. On the wire and in events: "person", "person:NAME", "agent:NAME", "program", "terminal".

export type Actor =
  /** With a name: somebody whom the owner shared a session with. `from`: the owner's device, as device:NAME. */
  | { readonly kind: "person"; readonly name?: string; readonly from?: string }
  | { readonly kind: "agent"; readonly name: string }
  | { readonly kind: "program" }
  | { readonly kind: "terminal" };

export function actorName(actor: Actor): string {
  return "name" in actor ? `${actor.kind}:${actor.name}` : actor.kind;
}

/** The device that somebody uses, if not the machine itself. */
export function fromOf(actor: Actor): string | undefined {
  return actor.kind === "person" ? actor.from : undefined;
}

/** How events name who did something. */
export function notedAs(actor: Actor): { readonly actor: string; readonly from: string | undefined } {
  return { actor: actorName(actor), from: fromOf(actor) };
}
