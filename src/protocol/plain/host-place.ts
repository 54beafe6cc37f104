// Names of what lives on another machine: host/ID. No imports: the CLI and the page load it.

interface Place {
  readonly host: string;
  readonly id: string;
}

/** Undefined: it names nothing on another machine. */
export function placeOf(name: unknown): Place | undefined {
  if (typeof name !== "string") return undefined;
  const at = name.indexOf("/");
  return at > 0 && at < name.length - 1 ? { host: name.slice(0, at), id: name.slice(at + 1) } : undefined;
}
