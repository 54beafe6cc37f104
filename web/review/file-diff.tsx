// One changed file: its hunks, the lines in colours, comments under them, and the person's answer to a hunk or to all of it.
import { createMemo, createSignal, For, Show } from "solid-js";
import { marked } from "../../src/core/base/invisible.ts";
import type { DiffLine, Hunk } from "../text/diff.ts";
import { coloured, type Piece } from "./colours.ts";
import { isSamePlace } from "./comments.ts";
import type { ChangedFile, Review } from "./review.ts";
import { Said } from "./said.tsx";

/** As many lines as a browser draws at once. */
const LINES_MAX = 3_000;

interface FileProps {
  readonly file: ChangedFile;
  readonly review: Review;
  readonly id: string;
  readonly begins: "open" | "folded";
}

export function FileDiff(props: FileProps) {
  const [isOpen, setOpen] = createSignal(props.begins === "open");
  // A file without hunks counts as one.
  const isAccepted = () => props.file.accepted.length >= Math.max(1, props.file.hunks.length);
  return (
    <section class="file" id={props.id} data-accepted={isAccepted()} aria-label={labelOf(props.file)}>
      <header>
        <button type="button" class="fold-file" aria-expanded={isOpen()} onClick={() => setOpen(!isOpen())}>
          <span aria-hidden="true">{isOpen() ? "▾" : "▸"}</span> <FileName file={props.file} />
        </button>
        <span class="counts">
          <span class="more">+{props.file.added}</span> <span class="less">−{props.file.removed}</span>
        </span>
        <Answers review={props.review} file={props.file} isAccepted={isAccepted()} what={labelOf(props.file)} />
      </header>
      <Show when={isOpen()}>
        <Show when={props.file.hunks.length > 0} fallback={<p class="mut none">{emptyWord(props.file)}</p>}>
          <For each={props.file.hunks}>{(hunk, at) => <HunkView {...props} hunk={hunk} at={at()} />}</For>
        </Show>
      </Show>
    </section>
  );
}

function labelOf({ path, is }: ChangedFile): string {
  return is === "only_committed" ? `${marked(path)} as committed` : marked(path);
}

function warningOf({ is, committed }: ChangedFile): string {
  if (is === "only_committed") return "as committed: a merge brings this";
  return committed ? "" : "not committed";
}

function FileName(props: { file: ChangedFile }) {
  return (
    <>
      <code>{marked(props.file.path)}</code>
      <Show when={props.file.status !== "modified"}>
        {" "}
        <span class="pill">
          {props.file.status}
          {props.file.old_path ? ` from ${marked(props.file.old_path)}` : ""}
        </span>
      </Show>
      <Show when={warningOf(props.file)}>
        {(words) => (
          <>
            {" "}
            <span class="pill warn">{words()}</span>
          </>
        )}
      </Show>
    </>
  );
}

function emptyWord({ binary, text }: ChangedFile): string {
  if (binary) return "A binary file.";
  return text === "" ? "Too large to show." : "No line changed: its name or its mode did.";
}

function Answers(props: { review: Review; file: ChangedFile; hunk?: number; isAccepted: boolean; what: string }) {
  const answer = (how: "accept" | "reject") => void props.review.answer(how, props.file, props.hunk);
  return (
    <span class="btns answers">
      <Show when={!props.isAccepted} fallback={<span class="pill ok">accepted</span>}>
        <button
          type="button"
          disabled={props.review.isBusy()}
          aria-label={`Accept ${props.what}`}
          onClick={() => answer("accept")}
        >
          Accept
        </button>
      </Show>
      {/* What only the commits have is in no file that could be changed. */}
      <Show when={props.file.is === "now"}>
        <button
          type="button"
          disabled={props.review.isBusy()}
          aria-label={`Reject ${props.what}`}
          onClick={() => answer("reject")}
        >
          Reject
        </button>
      </Show>
    </span>
  );
}

function HunkView(props: FileProps & { hunk: Hunk; at: number }) {
  const pieces = createMemo(() => piecesOf(props.file.path, props.hunk.lines));
  const what = () => `lines from ${props.hunk.now} of ${labelOf(props.file)}`;
  return (
    <div class="hunk">
      <header>
        <code class="mut">
          {props.hunk.now} {marked(props.hunk.at)}
        </code>
        <Answers
          review={props.review}
          file={props.file}
          hunk={props.at}
          isAccepted={props.file.accepted.includes(props.at)}
          what={what()}
        />
      </header>
      <div class="lines">
        <For each={props.hunk.lines.slice(0, LINES_MAX)}>
          {(line, row) => (
            <LineView
              review={props.review}
              path={props.file.path}
              line={line}
              isFirst={row() === 0}
              next={nextNumber(props.hunk, row())}
              pieces={pieces()[row()] ?? []}
            />
          )}
        </For>
      </div>
      <Show when={props.hunk.lines.length > LINES_MAX}>
        <p class="mut none">{props.hunk.lines.length - LINES_MAX} more lines are not shown.</p>
      </Show>
    </div>
  );
}

/** The number of the first line at or after this row that is there now. */
function nextNumber({ now, lines }: Hunk, row: number): number {
  return lines.slice(row).find((line) => line.now !== undefined)?.now ?? lines.findLast((line) => line.now)?.now ?? now;
}

/** Both sides are read for themselves: a comment that was opened on one side is not open on the other. */
function piecesOf(path: string, lines: readonly DiffLine[]): Piece[][] {
  const sideOf = (other: DiffLine["kind"]) => {
    const side = lines.filter(({ kind }) => kind !== other);
    const read = coloured(
      path,
      side.map(({ text }) => text),
    );
    return new Map(side.map((line, i) => [line, read[i] ?? []]));
  };
  const [old, now] = [sideOf("more"), sideOf("less")];
  return lines.map((line) => now.get(line) ?? old.get(line) ?? []);
}

interface LineProps {
  readonly review: Review;
  readonly path: string;
  readonly line: DiffLine;
  /** Tab leads to it; arrows lead to the others. */
  readonly isFirst: boolean;
  /** The number that a comment on it has. */
  readonly next: number;
  readonly pieces: readonly Piece[];
}

const SIGNS = { same: " ", more: "+", less: "−" } as const;

function LineView(props: LineProps) {
  const [isWriting, setWriting] = createSignal(false);
  const where = () => {
    const { path, next: line } = props;
    const { kind, old: number = 0, text } = props.line;
    return kind === "less" ? { path, line, removed: { number, text } } : { path, line };
  };
  const said = () => props.review.comments().find((each) => isSamePlace(each, where()));
  const number = () => props.line.now ?? props.line.old;
  function keep(text: string): void {
    if (text.trim() !== "") props.review.comment({ ...where(), text });
    setWriting(false);
  }
  return (
    <>
      <div class="ln" data-is={props.line.kind}>
        <button
          type="button"
          class="no"
          tabindex={props.isFirst ? 0 : -1}
          aria-label={`Comment on ${props.line.kind === "less" ? "removed " : ""}line ${number()}`}
          onClick={() => setWriting(true)}
          onKeyDown={toLineBeside}
        >
          {number()}
        </button>
        <span class="sign">{SIGNS[props.line.kind]}</span>
        <code>
          <For each={props.pieces}>
            {({ tone, text }) => <span data-tone={tone}>{marked(text, { controls: "text" })}</span>}
          </For>
          <Show when={props.line.isOpen}>
            <span class="mut"> no line end</span>
          </Show>
        </code>
      </div>
      <Show
        when={isWriting()}
        fallback={<Show when={said()}>{(each) => <Said comment={each()} review={props.review} />}</Show>}
      >
        <Write text={said()?.text ?? ""} onKeep={keep} onLeave={() => setWriting(false)} />
      </Show>
    </>
  );
}

/** Tab leads to a hunk; arrows lead from line to line. */
function toLineBeside(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const all = [...(event.currentTarget.closest(".diffs")?.querySelectorAll<HTMLElement>(".no") ?? [])];
  all[all.indexOf(event.currentTarget) + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
  event.preventDefault();
}

function Write(props: { text: string; onKeep(text: string): void; onLeave(): void }) {
  let area: HTMLTextAreaElement | undefined;
  const keep = () => props.onKeep(area?.value ?? "");
  return (
    <form
      class="say"
      data-escape="own"
      onSubmit={(event) => {
        event.preventDefault();
        keep();
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") props.onLeave();
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) keep();
      }}
    >
      <textarea
        ref={(el) => {
          area = el;
          queueMicrotask(() => el.focus());
        }}
        rows={2}
        maxlength={3_000}
        aria-label="Comment"
        placeholder="What should be different here?"
        value={props.text}
      />
      <span class="btns">
        <button type="submit" class="pri">
          Keep <kbd>Ctrl ⏎</kbd>
        </button>
        <button type="button" onClick={() => props.onLeave()}>
          Cancel
        </button>
      </span>
    </form>
  );
}
