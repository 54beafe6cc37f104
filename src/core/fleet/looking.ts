// Which operations change nothing, whoever asks for them. Pure.
import type { AnyOp, OpName } from "../../protocol/ops.ts";

/** For people only, but they just show. */
const SHOWN: readonly OpName[] = ["metrics", "needs", "watch"];

export function onlyLooks({ name, effect }: Pick<AnyOp, "name" | "effect">): boolean {
  return effect === "read" || SHOWN.includes(name);
}
