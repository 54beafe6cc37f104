// Shows what going back would change, file by file and as a difference, and asks. Nothing changes before the button.
import { For, Match, Show, Switch } from "solid-js";
import { marked } from "../../src/core/base/invisible.ts";
import type { Output } from "../../src/protocol/ops.ts";
import type { PageState, ShownSession } from "../app/page-state.ts";
import { Dialog, DialogHead } from "../widgets/dialog.tsx";
import { type Fault, isFault } from "../wire/api.ts";

/** As many lines as a browser draws at once. */
const LINES_MAX = 2_000;
const TITLE = "Undo changes";

export function UndoPanel(props: { page: PageState; shown: ShownSession }) {
  const { page } = props;
  const { undo } = props.shown;
  const close = () => page.setOverlay("none");
  const plan = () => {
    const answer = undo.shown();
    return answer && !isFault(answer) ? answer : undefined;
  };
  const refusal = () => {
    const answer = undo.shown();
    return answer && isFault(answer) ? answer : undefined;
  };
  async function apply(): Promise<void> {
    const done = await undo.apply();
    if (!done) return;
    const aside = done.moved.map(({ to }) => marked(to ?? "")).join(", ");
    const note = aside === "" ? "" : ` What was in the way is now ${aside}.`;
    page.toasts.notify(`${count(done.total)} as before. Undo again brings the changes back.${note}`);
    close();
  }
  return (
    <Dialog name={TITLE} class="undo" onClose={close}>
      <DialogHead title={TITLE} onClose={close} />
      <Switch fallback={<p class="none mut">Comparing files…</p>}>
        <Match when={refusal()}>{(fault) => <Refusal fault={fault()} />}</Match>
        <Match when={plan()}>{(answer) => <Plan answer={answer()} />}</Match>
      </Switch>
      <span class="btns">
        <button type="button" class="pri" disabled={!plan()?.total || undo.isBusy()} onClick={() => void apply()}>
          Bring {count(plan()?.total ?? 0)} back
        </button>
        <Show when={plan()?.left_alone.some(({ in_way }) => in_way)}>
          <button type="button" disabled={undo.isBusy()} onClick={() => void undo.moveAside()}>
            Move what is in the way aside
          </button>
        </Show>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </span>
    </Dialog>
  );
}

function Refusal(props: { fault: Fault }) {
  return (
    <p class="none" role="alert">
      {props.fault.message} <small>{props.fault.hint}</small>
    </p>
  );
}

function Plan(props: { answer: Output<"undo"> }) {
  // The names of contents in the store tell a person nothing.
  const lines = () => props.answer.diff.split("\n").filter((line) => !/^index [0-9a-f]+\.\./.test(line));
  return (
    <section class="scroll" tabindex={0} aria-label="What would change">
      <p>
        To the files before <code>{marked(props.answer.point.text)}</code>{" "}
        <small>
          {props.answer.point.actor}, {new Date(props.answer.point.ts).toLocaleTimeString()}, in{" "}
          {marked(props.answer.workspace)}
        </small>
      </p>
      <ul class="rows">
        <For each={props.answer.files}>
          {({ path, change }) => (
            <li>
              <code>{marked(path)}</code> <small>{change}</small>
            </li>
          )}
        </For>
        <For each={props.answer.moved}>
          {({ path }) => (
            <li>
              <code>{marked(path)}</code> <small>is not kept: it gets another name beside the old one</small>
            </li>
          )}
        </For>
        <For each={props.answer.left_alone}>
          {({ path, why }) => (
            <li>
              <code>{marked(path)}</code> <small>left alone: {why}</small>
            </li>
          )}
        </For>
      </ul>
      <Show when={props.answer.diff !== ""}>
        <pre class="diff">
          <For each={lines().slice(0, LINES_MAX)}>{(line) => <span data-is={kindOf(line)}>{marked(line)}</span>}</For>
        </pre>
      </Show>
      <Show when={props.answer.diff_cut || lines().length > LINES_MAX}>
        <p class="mut">The diff is cut here. The list above has every file.</p>
      </Show>
    </section>
  );
}

function kindOf(line: string): "head" | "more" | "less" | "same" {
  if (/^(?:diff |index |--- |\+\+\+ |@@ |new file|deleted file|old mode|new mode)/.test(line)) return "head";
  return line.startsWith("+") ? "more" : line.startsWith("-") ? "less" : "same";
}

function count(files: number): string {
  return `${files} ${files === 1 ? "path" : "paths"}`;
}
