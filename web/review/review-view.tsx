// What a worktree changed, file by file, with the person's comments and answers; beside it checks and how to merge.
import { createMemo, For, Match, Show, Switch } from "solid-js";
import { marked } from "../../src/core/base/invisible.ts";
import type { PageState, ShownSession } from "../app/page-state.ts";
import { isFault } from "../wire/api.ts";
import { FileDiff } from "./file-diff.tsx";
import { type ChangedFile, createReview, type Review } from "./review.ts";
import { Side } from "./side.tsx";

export function ReviewView(props: { page: PageState; shown: ShownSession }) {
  const { page, shown } = props;
  const review = createReview(page, shown.id);
  const fault = () => {
    const diff = review.diff();
    return diff && isFault(diff) ? diff : undefined;
  };
  const begins = createMemo(() => foldsOf(review.files()));
  const idOf = (at: number) => `file-${at}`;
  return (
    <div class="review">
      <Head page={page} shown={shown} review={review} />
      <Show when={review.isStale()}>
        <p class="stale" role="status">
          The files changed since you looked.{" "}
          <button type="button" onClick={() => void review.look()}>
            Look again
          </button>
        </p>
      </Show>
      <div class="sides">
        <FileList files={review.files()} idOf={idOf} />
        <div class="diffs">
          <Switch
            fallback={
              <For each={review.files()}>
                {(file, at) => (
                  <FileDiff file={file} review={review} id={idOf(at())} begins={begins()[at()] ?? "folded"} />
                )}
              </For>
            }
          >
            <Match when={fault()}>
              {(each) => (
                <p class="none" role="alert">
                  {each().message} <span class="mut">{each().hint}</span>
                </p>
              )}
            </Match>
            <Match when={review.diff() === undefined}>
              <p class="none mut">Comparing files…</p>
            </Match>
            <Match when={review.files().length === 0}>
              <p class="none mut">Nothing changed in this worktree.</p>
            </Match>
          </Switch>
          <Cut review={review} />
        </div>
        <Side page={page} review={review} />
      </div>
    </div>
  );
}

/** More lines than this take a browser long to draw: files behind them, and files that are long themselves, are opened by a click. */
const LINES_OPEN = 4_000;
const FILE_LINES_OPEN = 600;

function foldsOf(files: readonly ChangedFile[]): ("open" | "folded")[] {
  let sum = 0;
  return files.map(({ hunks }) => {
    const size = hunks.reduce((all, { lines }) => all + lines.length, 0);
    if (size > FILE_LINES_OPEN || sum + size > LINES_OPEN) return "folded";
    sum += size;
    return "open";
  });
}

function Cut(props: { review: Review }) {
  const isCut = () => {
    const diff = props.review.diff();
    return diff !== undefined && !isFault(diff) && diff.cut;
  };
  return (
    <Show when={isCut()}>
      <p class="none mut">There is more than is shown here. A shell in the worktree has all of it.</p>
    </Show>
  );
}

function Head(props: { page: PageState; shown: ShownSession; review: Review }) {
  const { page, review } = props;
  const now = () => review.files().filter(({ is }) => is === "now");
  const sum = (of: "added" | "removed") => now().reduce((all, file) => all + file[of], 0);
  const loose = () => now().filter(({ committed }) => !committed).length;
  const count = () => review.comments().length;
  const agent = () => page.info()?.agent ?? "the agent";
  function undo(): void {
    void props.shown.undo.look();
    page.setOverlay("undo");
  }
  return (
    <header class="review-head">
      <h1>Changes</h1>
      <span class="counts">
        <span class="more">+{sum("added")}</span> <span class="less">−{sum("removed")}</span>{" "}
        <span class="mut">
          {now().length} file{now().length === 1 ? "" : "s"}
          {loose() > 0 ? `, ${loose()} not committed` : ""}
        </span>
      </span>
      <span class="grow" />
      <button type="button" aria-haspopup="dialog" onClick={undo}>
        Undo…
      </button>
      <Show when={count() > 0}>
        <button type="button" class="pri" disabled={review.isBusy()} onClick={() => void review.send()}>
          Send {count()} comment{count() === 1 ? "" : "s"} to {agent()}
        </button>
      </Show>
    </header>
  );
}

function FileList(props: { files: readonly ChangedFile[]; idOf(at: number): string }) {
  const go = (at: number) => document.getElementById(props.idOf(at))?.scrollIntoView({ block: "start" });
  return (
    <ul class="file-list" aria-label="Changed files">
      <For each={props.files}>
        {(file, at) => (
          <li>
            <button type="button" title={marked(file.path)} onClick={() => go(at())}>
              <span class="nm">
                <bdi>{marked(file.path)}</bdi>
              </span>
              <span class="more">+{file.added}</span> <span class="less">−{file.removed}</span>
            </button>
          </li>
        )}
      </For>
    </ul>
  );
}
