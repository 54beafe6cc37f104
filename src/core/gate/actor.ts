// Who did something. On the wire and in events: "person", "agent:NAME", "program", "terminal".

export type Actor =
  | { readonly kind: "person" }
  | { readonly kind: "agent"; readonly name: string }
  | { readonly kind: "program" }
  | { readonly kind: "terminal" };

export function actorName(actor: Actor): string {
  return actor.kind === "agent" ? `agent:${actor.name}` : actor.kind;
}
