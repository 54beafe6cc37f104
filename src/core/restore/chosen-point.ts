// Which point an undo goes back to. Pure.
import { advice } from "../base/advice.ts";
import { type Fault, fault } from "../base/fault.ts";
import type { FileState, StoredPoint } from "./state.ts";

/** The named point, or the newest one that differs from now. */
export function chosenPoint(
  points: readonly StoredPoint[],
  to: string | undefined,
  now: FileState,
): StoredPoint | Fault {
  const hint = advice("points");
  if (to === undefined) {
    const newest = points.findLast((point) => point.state && point.state.key !== now.key);
    if (newest) return newest;
    const kept = points.some((point) => point.state);
    return fault(
      "restore.none",
      kept ? "nothing has changed since the last point" : "there is no restore point yet",
      hint,
    );
  }
  const named = points.filter(({ point_id }) => point_id === to || point_id.startsWith(`p_${to}`));
  const [point] = named;
  if (!point || named.length > 1) return fault("not_found", `no point here is called "${to}"`, hint);
  return point.state ? point : fault("restore.none", `nothing was kept at ${point.point_id}: ${point.skipped}`, hint);
}
