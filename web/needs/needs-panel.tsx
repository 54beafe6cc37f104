// The list of what needs the person: who, what, why, since when. Choosing one leads to its session.
import { createSignal, For, onCleanup, Show } from "solid-js";
import type { Need } from "../../src/protocol/words/need.ts";
import type { PageState } from "../app/page-state.ts";
import { HostPill } from "../hosts/pill.tsx";
import { ageOf } from "../text/numbers.ts";
import { Dialog, DialogHead } from "../widgets/dialog.tsx";

const TICK_MS = 10_000;
const TITLE = "Needs you";
const TONES: Readonly<Record<Need["kind"], string>> = {
  approval: "warn",
  password: "warn",
  blocked: "warn",
  failed: "bad",
  done: "plain",
};

export function NeedsPanel(props: { page: PageState }) {
  const { page } = props;
  let list: HTMLUListElement | undefined;
  const close = () => page.setOverlay("none");
  const [now, setNow] = createSignal(Date.now());
  const tick = setInterval(() => setNow(Date.now()), TICK_MS);
  onCleanup(() => clearInterval(tick));
  const go = ({ session_id }: Need) => (session_id === null ? close() : page.select(session_id));
  return (
    <Dialog name={TITLE} class="needs" first={() => list?.querySelector("button") ?? undefined} onClose={close}>
      <DialogHead title={TITLE} onClose={close}>
        <span class="mut keys">
          <kbd>Alt J</kbd> next
        </span>
      </DialogHead>
      <ul class="list" ref={list}>
        <For each={page.needs.all()} fallback={<li class="none mut">Nothing needs you.</li>}>
          {(need) => (
            <li>
              <button type="button" class="need" onClick={() => go(need)}>
                <span class={`pill ${TONES[need.kind]}`}>{need.kind}</span>
                <span class="title">
                  <HostPill of={need.session_id ?? need.approval_id} />
                  {need.title}
                </span>
                <time class="mut">{ageOf(now() - need.since)}</time>
                <span class="meta">
                  <Show when={need.label}>
                    <b>{need.label}</b>{" "}
                  </Show>
                  {need.why}
                </span>
              </button>
            </li>
          )}
        </For>
      </ul>
    </Dialog>
  );
}
