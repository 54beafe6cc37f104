// The question that is shown to the person, and what they are doing with it. arming.ts knows when it can be answered.
import { type Accessor, createEffect, createMemo, createSignal, on, onCleanup } from "solid-js";
import { editable } from "../../src/core/base/exact.ts";
import type { Approval } from "../../src/protocol/ops/gate.ts";
import { type Arming, createArming } from "./arming.ts";
import type { ApprovalQueue, Scope } from "./queue.ts";

const SECOND_MS = 1_000;

/** What the card shows below the question. */
type Doing = "look" | "edit" | "deny" | "always";

export interface CurrentApproval extends Arming {
  readonly current: Accessor<Approval | undefined>;
  /** Questions of other sessions than the shown one. */
  readonly elsewhere: Accessor<readonly Approval[]>;
  /** Counted from 1. */
  readonly position: Accessor<{ readonly at: number; readonly of: number }>;
  readonly doing: Accessor<Doing>;
  readonly left_ms: Accessor<number>;
  /** The person's own text while they edit. */
  readonly edited: Accessor<string>;
  setEdited(text: string): void;
  turn(by: 1 | -1): void;
  begin(doing: Doing): void;
  approve(how?: { edit?: string; always?: Scope; answer?: string }): void;
  deny(reason?: string): void;
}

/** What else is shown on the page beside the session, and whether questions of no shown session belong here. */
interface Beside {
  readonly visible: Accessor<readonly string[]>;
  readonly isFirst: Accessor<boolean>;
}

const ALONE: Beside = { visible: () => [], isFirst: () => true };

export function createCurrentApproval(
  approvals: ApprovalQueue,
  shown: Accessor<string | undefined>,
  { visible, isFirst } = ALONE,
): CurrentApproval {
  const of = (id: string | null | undefined) => approvals.pending.filter(({ session_id }) => session_id === id);
  // Questions without a session come after those of the shown one.
  const mine = createMemo(() => [...of(shown() ?? null), ...(shown() === undefined || !isFirst() ? [] : of(null))]);
  const isMine = (approval: Approval) => mine().includes(approval) || visible().includes(approval.session_id ?? "");
  const elsewhere = createMemo(() => (isFirst() ? approvals.pending.filter((approval) => !isMine(approval)) : []));
  const [chosen, setChosen] = createSignal<string>();
  const [doing, setDoing] = createSignal<Doing>("look");
  const [edited, setEdited] = createSignal("");
  // The oldest, when the chosen one is gone.
  const at = createMemo(() =>
    Math.max(
      0,
      mine().findIndex((one) => one.approval_id === chosen()),
    ),
  );
  const current = () => mine()[at()];
  const id = createMemo(() => current()?.approval_id);
  // Another session begins with its own question.
  createEffect(on(shown, () => setChosen(undefined), { defer: true }));
  // It stays where it is while others come and go.
  createEffect(on(id, (now) => setChosen(now)));
  createEffect(on(id, () => setDoing("look"), { defer: true }));
  // Another machine might put another text under the same question.
  // The lines about other sessions and about the asker have one height, whatever they say.
  const queue = createMemo(() =>
    [id(), current()?.text, elsewhere().length > 0, ...mine().map((one) => one.approval_id)].join(),
  );
  const { inSight, armed, seen } = createArming(queue);
  const now = createSeconds(() => current() !== undefined);
  return {
    current,
    elsewhere,
    position: () => ({ at: at() + 1, of: mine().length }),
    inSight,
    armed,
    seen,
    doing,
    edited,
    setEdited,
    left_ms: () => (current()?.expires_at ?? 0) - now(),
    turn: (by) => setChosen(mine().at((at() + by) % mine().length)?.approval_id),
    begin(next) {
      const kind = current()?.kind;
      if (next === "edit" && kind !== "run") return;
      if (next === "always" && current()?.always === null) return;
      if (next !== "look" && !(next === "deny" ? inSight() : armed())) return;
      if (next === "edit") setEdited(editable(current()?.text ?? ""));
      setDoing(next);
    },
    approve(how) {
      const answered = armed() ? id() : undefined;
      // A question with choices needs one of them. Yes is not an answer.
      if (!answered || (current()?.kind === "choice" && how?.answer === undefined)) return;
      void approvals.approve(answered, how);
    },
    deny(reason) {
      const answered = inSight() ? id() : undefined;
      if (answered) void approvals.deny(answered, reason);
    },
  };
}

/** The time of day, updated while it is shown. */
function createSeconds(wanted: Accessor<boolean>): Accessor<number> {
  const [now, setNow] = createSignal(Date.now());
  createEffect(() => {
    if (!wanted()) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    onCleanup(() => clearInterval(timer));
  });
  return now;
}
