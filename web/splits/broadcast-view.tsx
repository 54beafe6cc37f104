// Asks for a line and the sessions to run it in, then shows both exactly and asks again. Nothing runs before the second button.
import { createSignal, For, onCleanup, Show } from "solid-js";
import { exact } from "../../src/core/base/exact.ts";
import type { SessionInfo } from "../../src/protocol/ops/session.ts";
import type { PageState } from "../app/page-state.ts";
import { labelAmong, labelOn, shortPath } from "../sessions/labels.ts";
import { placeIn } from "../sessions/words.ts";
import { Dialog, DialogHead } from "../widgets/dialog.tsx";
import { runEverywhere, sentenceOf } from "./broadcast.ts";

const TITLE = "Run one line in several sessions";
/** The Enter that asked is not the answer, however long it is held. */
const ARM_MS = 400;

export function Broadcast(props: { page: PageState }) {
  const { page } = props;
  const [line, setLine] = createSignal("");
  const [chosen, setChosen] = createSignal(page.layout.visible());
  const [isAsked, setAsked] = createSignal(false);
  let field: HTMLInputElement | undefined;
  const close = () => page.setOverlay("none");
  /** Where the shell marks its commands, a line can be run. */
  const able = () => page.sessions.running().filter(({ integration }) => integration !== "none");
  const targets = () => able().filter(({ session_id }) => chosen().includes(session_id));
  const choose = (id: string, is: boolean) => setChosen((all) => (is ? [...all, id] : all.filter((one) => one !== id)));
  const ask = (event: Event) => {
    event.preventDefault();
    if (line().trim() !== "" && targets().length > 0) setAsked(true);
  };
  function run(): void {
    const command = line();
    const where = targets().map((info) => ({ session_id: info.session_id, label: labelOn(info) }));
    close();
    void runEverywhere(command, where).then((outcomes) => page.toasts.notify(sentenceOf(exact(command), outcomes)));
  }
  return (
    <Dialog name={TITLE} class="broadcast" first={() => field} onClose={close}>
      <DialogHead title={TITLE} onClose={close} />
      <Show
        when={isAsked()}
        fallback={
          <form onSubmit={ask}>
            <label>
              Line
              <input
                ref={field}
                value={line()}
                autocomplete="off"
                autocapitalize="off"
                spellcheck={false}
                onInput={(event) => setLine(event.currentTarget.value)}
              />
            </label>
            <fieldset>
              <legend>Sessions</legend>
              <For each={able()} fallback={<p class="mut">No session can run a line now.</p>}>
                {(info) => <Choice info={info} all={page.sessions.running()} chosen={chosen()} onChoose={choose} />}
              </For>
            </fieldset>
            <Buttons isReady={line().trim() !== "" && targets().length > 0} onCancel={close} />
          </form>
        }
      >
        <Question line={line()} targets={targets()} onRun={run} onBack={() => setAsked(false)} />
      </Show>
    </Dialog>
  );
}

function Buttons(props: { isReady: boolean; onCancel(): void }) {
  return (
    <span class="btns">
      <button type="submit" class="pri" disabled={!props.isReady}>
        Continue…
      </button>
      <button type="button" onClick={() => props.onCancel()}>
        Cancel
      </button>
    </span>
  );
}

function Choice(props: {
  info: SessionInfo;
  all: readonly SessionInfo[];
  chosen: readonly string[];
  onChoose(id: string, is: boolean): void;
}) {
  return (
    <label class="one">
      <input
        type="checkbox"
        checked={props.chosen.includes(props.info.session_id)}
        onChange={(event) => props.onChoose(props.info.session_id, event.currentTarget.checked)}
      />
      <b>{labelAmong(props.info, props.all)}</b>{" "}
      <span class="mut">{placeIn(props.info)?.word ?? shortPath(props.info.cwd)}</span>
    </label>
  );
}

function Question(props: { line: string; targets: readonly SessionInfo[]; onRun(): void; onBack(): void }) {
  const [isArmed, setArmed] = createSignal(false);
  let button: HTMLButtonElement | undefined;
  const timer = setTimeout(() => {
    setArmed(true);
    button?.focus();
  }, ARM_MS);
  onCleanup(() => clearTimeout(timer));
  const count = () => (props.targets.length === 1 ? "1 session" : `${props.targets.length} sessions`);
  return (
    <div class="asked">
      <p>Run this line in {count()}, as you?</p>
      <pre>{exact(props.line)}</pre>
      <ul>
        <For each={props.targets}>
          {(info) => (
            <li>
              <b>{labelOn(info)}</b> <span class="mut">{placeIn(info)?.word ?? info.cwd}</span>{" "}
              <code>{info.session_id}</code>
            </li>
          )}
        </For>
      </ul>
      <span class="btns">
        <button type="button" class="pri" ref={button} disabled={!isArmed()} onClick={() => props.onRun()}>
          Run in {count()}
        </button>
        <button type="button" onClick={() => props.onBack()}>
          Back
        </button>
      </span>
    </div>
  );
}
