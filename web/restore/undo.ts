// Going back to a restore point of the shown session: what it would change, and doing it. Owns: the answer that is shown.
import { type Accessor, createSignal } from "solid-js";
import type { Block } from "../../src/protocol/ops/blocks.ts";
import type { Output } from "../../src/protocol/ops.ts";
import { call, type Fault, isFault } from "../wire/api.ts";

export interface Undo {
  /** What is shown; undefined while the daemon compares. */
  readonly shown: Accessor<Output<"undo"> | Fault | undefined>;
  readonly isBusy: Accessor<boolean>;
  /** Compares with the files before this command; without one, with the newest point that differs. */
  look(since?: Block): Promise<void>;
  /** Looks again: what is in the way shall get another name. */
  moveAside(): Promise<void>;
  /** Goes back to exactly what is shown. */
  apply(): Promise<Output<"undo"> | undefined>;
}

export function createUndo(session_id: string): Undo {
  const [shown, setShown] = createSignal<Output<"undo"> | Fault>();
  const [isBusy, setBusy] = createSignal(false);
  let in_way: "leave" | "move" = "leave";

  async function look(since?: Block): Promise<void> {
    setShown(undefined);
    in_way = "leave";
    const to = since && (await pointBefore(session_id, since));
    if (typeof to === "object") return void setShown(to);
    setShown(await call("undo", { session_id, ...(to === undefined ? {} : { to }) }));
  }

  async function moveAside(): Promise<void> {
    const seen = shown();
    if (!seen || isFault(seen)) return;
    in_way = "move";
    setShown(await call("undo", { session_id, to: seen.point.point_id, in_way }));
  }

  async function apply(): Promise<Output<"undo"> | undefined> {
    const seen = shown();
    if (!seen || isFault(seen) || isBusy()) return undefined;
    setBusy(true);
    const done = await call("undo", { session_id, to: seen.point.point_id, seen: seen.seen, in_way, apply: true });
    setBusy(false);
    if (!isFault(done)) return done;
    setShown(done);
    return undefined;
  }

  return { shown, isBusy, look, moveAside, apply };
}

/** The files did not change between the newest point before a command and the command itself. */
async function pointBefore(session_id: string, { ts_begin }: Block): Promise<string | Fault> {
  const answer = await call("points", { session_id });
  if (isFault(answer)) return answer;
  const before = answer.points.filter(({ ts }) => ts <= ts_begin).at(-1);
  const nothing = before?.skipped ?? answer.why ?? "no agent had changed files before it";
  if (before && before.skipped === null) return before.point_id;
  return { fault: true, code: "restore.none", message: "No files were kept before this command.", hint: nothing };
}
