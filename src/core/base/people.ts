// Who is a person, as it stands on the wire: "person" is the owner of the machine, "person:NAME" somebody whom a session was shared
// with. Pure.

export function isPerson(who: string): boolean {
  return who === "person" || who.startsWith("person:");
}

/** NAME of person:NAME. Undefined for everybody else. */
export function personNameIn(who: string): string | undefined {
  return who.startsWith("person:") ? who.slice("person:".length) : undefined;
}
