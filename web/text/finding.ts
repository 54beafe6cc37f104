// What a person looks for, as a finder. Patterns need a library that is fetched when the first one is typed.
import type { Fault } from "../../src/core/base/fault.ts";
import { type Find, textFinder } from "../../src/core/base/finder.ts";
import type { SearchCase } from "../../src/protocol/ops/time.ts";

export async function findIn(query: string, kind: "text" | "pattern", letters: SearchCase): Promise<Find | Fault> {
  if (kind === "text") return textFinder(query, letters);
  const { patternFinder } = await import("../../src/core/base/pattern.ts");
  return patternFinder(query, letters);
}
