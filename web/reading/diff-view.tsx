// The difference that a command printed, file by file, with the numbers of lines on both sides.
import { createSignal, For, Show } from "solid-js";
import { marked } from "../../src/core/base/invisible.ts";
import type { DiffFile, Hunk } from "../text/diff.ts";
import { grouped } from "../text/numbers.ts";

/** Lines of one file that are drawn before somebody asks for the rest. */
const LINES_MAX = 1_000;
/** More files begin folded. */
const OPEN_FILES_MAX = 20;
const SIGNS = { more: "+", less: "-", same: " " } as const;

export function DiffView(props: { files: readonly DiffFile[] }) {
  return (
    <div class="diffs">
      <For each={props.files}>{(file, i) => <OneFile file={file} open={i() < OPEN_FILES_MAX} />}</For>
    </div>
  );
}

function OneFile(props: { file: DiffFile; open: boolean }) {
  const [isOpen, setOpen] = createSignal(props.open);
  const [isWhole, setWhole] = createSignal(false);
  const lines = props.file.hunks.flatMap(({ lines }) => lines);
  const count = (kind: "more" | "less") => lines.filter((line) => line.kind === kind).length;
  const hunks = () => (isWhole() ? props.file.hunks : cut(props.file.hunks, LINES_MAX));
  return (
    <details open={isOpen()} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <code>{marked(props.file.path)}</code> <span class="more">+{grouped(count("more"))}</span>{" "}
        <span class="less">−{grouped(count("less"))}</span>
      </summary>
      <Show when={isOpen()}>
        <table>
          <For each={hunks()}>{(hunk) => <OneHunk hunk={hunk} />}</For>
        </table>
        <Show when={!isWhole() && lines.length > LINES_MAX}>
          <button type="button" class="more" onClick={() => setWhole(true)}>
            {grouped(lines.length - LINES_MAX)} more lines
          </button>
        </Show>
      </Show>
    </details>
  );
}

function OneHunk(props: { hunk: Hunk }) {
  return (
    <tbody>
      <tr class="at">
        <td colspan={2} />
        <td>{marked(props.hunk.at) || "…"}</td>
      </tr>
      <For each={props.hunk.lines}>
        {({ kind, text, old, now }) => (
          <tr class={kind}>
            <td class="nr">{old}</td>
            <td class="nr">{now}</td>
            <td>
              {SIGNS[kind]}
              {marked(text, { controls: "text" })}
            </td>
          </tr>
        )}
      </For>
    </tbody>
  );
}

function cut(hunks: readonly Hunk[], max: number): Hunk[] {
  let left = max;
  const kept: Hunk[] = [];
  for (const hunk of hunks) {
    if (left <= 0) break;
    kept.push({ ...hunk, lines: hunk.lines.slice(0, left) });
    left -= hunk.lines.length;
  }
  return kept;
}
