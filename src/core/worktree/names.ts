// Names of work trees: their folders, their branches, and what stands in a name's way. Pure.

/** Long enough to tell tasks apart, short enough for a path. */
const SLUG_CHARS_MAX = 40;

/** Small letters, digits and single hyphens. */
function slugOf(text: string): string {
  const plain = text.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return plain.slice(0, SLUG_CHARS_MAX).replace(/^-+|-+$/g, "") || "tree";
}

/** The shortest first: the next ones are for names that are taken. */
export function leavesOf(slug: string, id: string): string[] {
  return [4, 8, id.length].map((count) => `${slugOf(slug)}-${id.slice(-count)}`);
}

/** Whether git, or a person, could take it for something else: HEAD, a ref's whole name, a commit, a branch of a remote. */
export function isMisread(branch: string, remotes: readonly string[]): boolean {
  return (
    /^(?:HEAD|@|refs\/.*|[0-9a-f]{40}|[0-9a-f]{64})$/i.test(branch) ||
    remotes.some((remote) => branch === remote || branch.startsWith(`${remote}/`))
  );
}

/** A branch that cannot stand beside this one, because one of them would be the other's folder. */
export function branchInWay(branch: string, others: readonly string[]): string | undefined {
  return others.find((other) => branch.startsWith(`${other}/`) || other.startsWith(`${branch}/`));
}
