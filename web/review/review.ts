// A person's look at what a worktree changed. Owns: the difference that is shown, comments that are not sent yet, and the answers
// of checks. Refuses: to merge anything; it only tells how.
import { type Accessor, createEffect, createMemo, createSignal, on } from "solid-js";
import type { Output } from "../../src/protocol/ops.ts";
import type { PageState } from "../app/page-state.ts";
import { hostFor, hostOf } from "../hosts/words.ts";
import { type Hunk, readDiff } from "../text/diff.ts";
import { call, type Fault, isFault } from "../wire/api.ts";
import { type Comment, isSamePlace, placed } from "./comments.ts";

type Diff = Output<"worktree_diff">;
type DiffFile = Diff["files"][number];
export type ChangedFile = DiffFile & { readonly hunks: readonly Hunk[]; readonly is: "now" | "only_committed" };
export type MergeCheck = Output<"worktree_merge_check">;
export type TestRun = Output<"run_tests">;

export interface Review {
  /** Undefined while git compares. */
  readonly diff: Accessor<Diff | Fault | undefined>;
  /** As they are now, then what only the commits have. */
  readonly files: Accessor<readonly ChangedFile[]>;
  /** The worktree changed after what is shown. Nothing moves under a person's eyes by itself. */
  readonly isStale: Accessor<boolean>;
  readonly isBusy: Accessor<boolean>;
  look(): Promise<void>;
  /** The whole file, or one hunk of it. */
  answer(how: "accept" | "reject", file: ChangedFile, hunk?: number): Promise<void>;
  readonly comments: Accessor<readonly Comment[]>;
  comment(comment: Comment): void;
  uncomment(comment: Comment): void;
  /** All comments as one prompt. They stay if it did not begin. */
  send(): Promise<void>;
  readonly merge: Accessor<MergeCheck | Fault | undefined>;
  readonly tests: Accessor<TestRun | Fault | "running" | undefined>;
  runTests(): Promise<void>;
}

export function createReview(page: PageState, session_id: string): Review {
  const [diff, setDiff] = createSignal<Diff | Fault>();
  const [merge, setMerge] = createSignal<MergeCheck | Fault>();
  const [isBusy, setBusy] = createSignal(false);
  const [isStale, setStale] = createSignal(false);
  // A file that did not change stays the same object, so that it is not drawn again under a person's eyes.
  const files = createMemo<readonly ChangedFile[]>((before) => {
    const answer = diff();
    if (!answer || isFault(answer)) return [];
    const kept = (is: ChangedFile["is"]) => (file: DiffFile) =>
      before.find((old) => old.is === is && isSame(old, file)) ?? withHunks(file, is);
    return [...answer.files.map(kept("now")), ...answer.only_committed.map(kept("only_committed"))];
  }, []);
  const tree = createMemo(() => JSON.stringify([page.info()?.worktree, page.info()?.agent_state?.since]));

  let looks = 0;
  async function look(): Promise<void> {
    looks += 1;
    const [changed, merges] = await Promise.all([
      call("worktree_diff", { worktree: session_id }),
      call("worktree_merge_check", { worktree: session_id }),
    ]);
    setDiff(changed);
    setMerge(merges);
    setStale(false);
  }

  async function compare(): Promise<void> {
    const before = looks;
    const now = await call("worktree_diff", { worktree: session_id });
    if (before === looks) setStale(namesOf(now) !== namesOf(diff()));
  }

  async function busily(work: () => Promise<Fault | undefined>): Promise<void> {
    if (isBusy()) return;
    setBusy(true);
    const fault = await work();
    setBusy(false);
    if (fault) page.toasts.fault(fault);
  }

  const answer: Review["answer"] = (how, { path, seen }, hunk) =>
    busily(async () => {
      const items = [{ path, seen, ...(hunk === undefined ? {} : { hunk }) }];
      const done = await call("review", { session_id, [how]: items });
      await look();
      if (isFault(done)) return done;
      if (how === "reject") page.toasts.notify("Taken back in the worktree. “Undo…” brings it again.");
      return undefined;
    });

  void look();
  createEffect(on(tree, () => void compare(), { defer: true }));
  // An undo may have changed files.
  createEffect(on(page.overlay, (_, before) => before === "undo" && void look(), { defer: true }));
  const sent = createComments(page, session_id, busily);
  return { diff, files, isStale, isBusy, look, answer, merge, ...sent, ...createTests(page, session_id) };
}

type Commenting = Pick<Review, "comments" | "comment" | "uncomment" | "send">;

function createComments(
  { toasts }: PageState,
  session_id: string,
  busily: (work: () => Promise<Fault | undefined>) => Promise<void>,
): Commenting {
  const [comments, setComments] = createSignal<readonly Comment[]>([]);
  async function send(): Promise<Fault | undefined> {
    const asked = await call("review", { session_id, comments: comments().map(placed) });
    if (isFault(asked)) return asked;
    const sent = await call("pty_prompt", { session_id, text: asked.prompt ?? "" });
    if (isFault(sent)) return sent;
    if (sent.outcome === "not_begun" || sent.outcome === "held")
      return { fault: true, code: sent.outcome, message: `${sent.agent} did not get it.`, hint: sent.hint ?? "" };
    setComments([]);
    toasts.notify(`${sent.agent} has your comments.`);
    return undefined;
  }
  return {
    comments,
    comment: (comment) => setComments((all) => [...all.filter((other) => !isSamePlace(other, comment)), comment]),
    uncomment: (comment) => setComments((all) => all.filter((other) => other !== comment)),
    send: () => busily(send),
  };
}

function createTests(page: PageState, session_id: string): Pick<Review, "tests" | "runTests"> {
  const [tests, setTests] = createSignal<TestRun | Fault | "running">();
  async function runTests(): Promise<void> {
    if (tests() === "running") return;
    setTests("running");
    setTests(await testsIn(page, session_id));
  }
  return { tests, runTests };
}

function withHunks(file: DiffFile, is: ChangedFile["is"]): ChangedFile {
  return { ...file, is, hunks: readDiff(file.text)[0]?.hunks ?? [] };
}

function isSame(a: DiffFile, b: DiffFile): boolean {
  const isEqual = a.path === b.path && a.seen === b.seen && a.committed === b.committed;
  return isEqual && a.accepted.join() === b.accepted.join();
}

/** What a difference says, in short. */
function namesOf(diff: Diff | Fault | undefined): string {
  if (!diff || isFault(diff)) return "";
  const names = (files: readonly DiffFile[]) => files.map(({ path, seen, committed }) => [path, seen, committed]);
  return JSON.stringify([names(diff.files), names(diff.only_committed)]);
}

/** Tests run what an agent wrote. Where the agent is boxed they run in a box with the same walls. */
async function testsIn(page: PageState, session_id: string): Promise<TestRun | Fault> {
  const info = page.sessions.find(session_id);
  const cwd = info?.worktree?.path ?? info?.cwd ?? "";
  const there = hostFor(session_id);
  if (!info?.box) return call("run_tests", { cwd, ...there });
  const name = `checks of ${info.worktree?.branch ?? session_id}`.slice(0, 100);
  const kept = page.sessions
    .running()
    .find(
      (session) =>
        hostOf(session.session_id) === there.host && session.name === name && session.cwd === cwd && session.box,
    );
  const opened = kept ?? (await call("pty_open", { name, cwd, box: info.box, ...there }));
  if ("fault" in opened) return opened;
  return call("run_tests", { cwd, session_id: opened.session_id });
}
