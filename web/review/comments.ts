// Comments on lines of a change. Pure.

export interface Comment {
  readonly path: string;
  /** The line as it is now; for one that was taken away, the line that stands in its place. */
  readonly line: number;
  /** The line that was taken away, if it is about one. */
  readonly removed?: { readonly number: number; readonly text: string };
  readonly text: string;
}

type Where = Omit<Comment, "text">;

export function isSamePlace(a: Where, b: Where): boolean {
  return a.path === b.path && (a.removed || b.removed ? a.removed?.number === b.removed?.number : a.line === b.line);
}

/** As the daemon wants it. A line that is gone is quoted, because its number means nothing now. */
export function placed({ path, line, removed, text }: Comment): { path: string; line: number; text: string } {
  const about = removed === undefined ? "" : `(about the removed line \`${removed.text.trim()}\`) `;
  return { path, line: Math.max(1, line), text: `${about}${text.trim()}` };
}
