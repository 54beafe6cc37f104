// Who did something. On the wire and in events: "person", "person:NAME", "agent:NAME", "program", "terminal".

export type Actor =
  /** With a name: somebody whom the owner shared a session with. */
  | { readonly kind: "person"; readonly name?: string }
  | { readonly kind: "agent"; readonly name: string }
  | { readonly kind: "program" }
  | { readonly kind: "terminal" };

export function actorName(actor: Actor): string {
  return "name" in actor ? `${actor.kind}:${actor.name}` : actor.kind;
}
