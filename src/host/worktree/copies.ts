// Which ignored files of the person's tree come along into a new one: those that match the wanted patterns. Nothing is copied here.
import { type Fault, fault } from "../../core/base/fault.ts";
import type { Tree } from "../../core/worktree/tree.ts";
import { Git } from "../git/git.ts";
import { CommonGit, faultOf, GUARDS, utf8 } from "./repository.ts";
import { plainSettings } from "./view.ts";

/** They stand in a command line. Whole folders count as one. */
const COPIES_MAX = 1_000;

/** Relative to the top; folders end with a slash. Files that git tracks, or would offer to add, are not among them. */
export async function ignoredCopies(tree: Pick<Tree, "repo" | "common">, patterns: string): Promise<string[] | Fault> {
  const { repo, common } = tree;
  // A bare repository has no such files.
  if (repo === common) return [];
  try {
    const git = new Git(common, repo);
    const settings = plainSettings(await new CommonGit(common).settings());
    const excludes = settings.find(([key]) => key === "core.excludesfile")?.[1];
    const usual = excludes === undefined ? [] : ["-c", `core.excludesfile=${excludes}`];
    const list = async (...rules: string[]) => {
      const words = ["ls-files", "-z", "--others", "--ignored", "--directory", ...rules];
      return (await git.list([...GUARDS, ...usual, ...words])).map(utf8);
    };
    const ignored = await list("--exclude-standard");
    const lines = patterns.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
    const wanted = await list(...lines.map((line) => `--exclude=${line}`));
    const copies = wanted.filter((name) => ignored.some((other) => isIn(name, other)));
    if (copies.length <= COPIES_MAX) return copies;
    return fault("worktree.refused", `${copies.length} ignored files are to be copied`, "Name whole folders instead.");
  } catch (error) {
    const known = faultOf(error);
    if (known) return known;
    throw error;
  }
}

function isIn(name: string, other: string): boolean {
  return name === other || (other.endsWith("/") && name.startsWith(other));
}
