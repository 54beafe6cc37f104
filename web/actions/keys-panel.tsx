// Every key of the page, by what it does.
import { For } from "solid-js";
import type { PageState } from "../app/page-state.ts";
import { Dialog, DialogHead } from "../widgets/dialog.tsx";
import { grouping } from "../widgets/grouping.ts";
import { keyName } from "../widgets/keys.ts";
import type { Action } from "./actions.ts";

/** Keys that are not actions, because they depend on the focus. */
const PLACES: readonly (readonly [string, readonly string[]])[] = [
  ["Commands, outside the terminal", ["Ctrl K"]],
  ["Stop the agent; close what is open", ["Esc"]],
  ["Leave the terminal (to the head of its half, then to the list), or return to it", ["F6"]],
  ["This list, unless you are typing", ["?"]],
];

/** In a tab the browser takes it. */
const ERASE = ["Delete the word before the caret; in the terminal it is the program's", ["Ctrl W"]] as const;

export function KeysPanel(props: { page: PageState }) {
  const { page } = props;
  const shut = () => page.setOverlay("none");
  const places = () => (page.ownWindow.hasKeys() ? [...PLACES, ERASE] : PLACES);
  const groups = () => grouping(page.actions.keyed(), ({ group }) => group);
  return (
    <Dialog name="Keys" class="keys-list" onClose={shut}>
      <DialogHead title="Keys" onClose={shut} />
      <div class="scroll" tabindex={0}>
        <KeyGroup name="Anywhere" rows={places()} />
        <For each={groups()}>
          {([group, actions]) => <KeyGroup name={group} rows={actions.map((action) => rowOf(action))} />}
        </For>
      </div>
    </Dialog>
  );
}

function rowOf({ title, keys = [] }: Action): readonly [string, readonly string[]] {
  return [title, keys.map(keyName)];
}

function KeyGroup(props: { name: string; rows: readonly (readonly [string, readonly string[]])[] }) {
  return (
    <section>
      <h3>{props.name}</h3>
      <dl>
        <For each={props.rows}>
          {([title, keys]) => (
            <div>
              <dt>{title}</dt>
              <dd>
                <For each={keys}>{(key) => <kbd>{key}</kbd>}</For>
              </dd>
            </div>
          )}
        </For>
      </dl>
    </section>
  );
}
