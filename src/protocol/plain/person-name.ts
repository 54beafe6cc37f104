// Names of people whom a session was shared with, and how they are written with their kind: person:NAME. Plain `person` is the
// owner of the machine. No imports: the CLI and the page load it.

/** Letters of any script, digits, and what stands inside a name; 40 characters at most. */
export const PERSON_NAME = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} ._'-]{0,38}[\p{L}\p{M}\p{N}.])?$/u;

/** The owner, here or at another machine, or somebody with a name. */
export function isPerson(who: string): boolean {
  return who === "person" || /^person[:@]/.test(who);
}

/** The owner, here or at another machine of theirs. */
export function isOwner(who: string): boolean {
  return who === "person" || who.startsWith("person@");
}

/** NAME of person:NAME, or the owner at another machine of theirs. Undefined for everybody else. */
export function personNameIn(who: string): string | undefined {
  if (who.startsWith("person@")) return `the person at ${who.slice("person@".length)}`;
  return who.startsWith("person:") ? who.slice("person:".length) : undefined;
}
