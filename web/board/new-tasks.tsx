// The form for new tasks: one, or one from each line. What was not begun stays in the form, with the reason.
import { createSignal, For, Show } from "solid-js";
import type { SessionInfo } from "../../src/protocol/ops/session.ts";
import type { PageState } from "../app/page-state.ts";
import { HostChoice } from "../hosts/choice.tsx";
import { hostOf } from "../hosts/words.ts";
import { AgentNames } from "../sessions/agent-names.tsx";
import { Dialog, DialogHead } from "../widgets/dialog.tsx";
import { call, type Fault, isFault } from "../wire/api.ts";
import { tasksIn } from "./columns.ts";

export function NewTasks(props: { page: PageState; onClose(): void }) {
  const [text, setText] = createSignal("");
  const [isEach, setEach] = createSignal(false);
  const [refusal, setRefusal] = createSignal<Fault>();
  const [isBusy, setBusy] = createSignal(false);
  let first: HTMLTextAreaElement | undefined;
  const tasks = () => tasksIn(text(), isEach() ? "line" : "all");

  async function begin(event: SubmitEvent & { currentTarget: HTMLFormElement }): Promise<void> {
    event.preventDefault();
    if (isBusy()) return;
    const fields = new FormData(event.currentTarget);
    setBusy(true);
    const { left, fault } = await begun(props.page, tasks(), (name) => String(fields.get(name) ?? "").trim());
    setBusy(false);
    setRefusal(fault);
    setText(left.join("\n"));
    if (left.length === 0) props.onClose();
  }

  return (
    <Dialog name="New task" class="new" first={() => first} onClose={() => props.onClose()}>
      <DialogHead title="New task" onClose={() => props.onClose()} />
      <form onSubmit={begin}>
        <label>
          What to do
          <textarea
            ref={first}
            rows={5}
            required
            placeholder="Fix the failing test"
            value={text()}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <label class="check">
          <input type="checkbox" checked={isEach()} onChange={(event) => setEach(event.currentTarget.checked)} /> Each
          line is a task of its own
        </label>
        <Where page={props.page} />
        <Show when={refusal()}>
          {(fault) => (
            <p class="wrong" role="alert">
              {fault().message} <span>{fault().hint}</span>
            </p>
          )}
        </Show>
        <span class="btns">
          <button type="submit" class="pri" disabled={isBusy() || tasks().length === 0}>
            {isBusy() ? "Beginning…" : tasks().length > 1 ? `Begin ${tasks().length} tasks` : "Begin"}
          </button>
          <button type="button" onClick={() => props.onClose()}>
            Cancel
          </button>
        </span>
      </form>
    </Dialog>
  );
}

/** One after the other, so that a refusal says where it stopped. */
async function begun(
  page: PageState,
  tasks: readonly string[],
  field: (name: string) => string,
): Promise<{ readonly left: readonly string[]; readonly fault: Fault | undefined }> {
  const [agent, cwd, from, host] = [field("agent"), field("cwd"), field("from"), field("host")];
  for (const [i, text] of tasks.entries()) {
    const given = {
      ...(host && { host }),
      ...(agent && { agent }),
      ...(cwd && { cwd }),
      ...(from && { worktree: { from } }),
    };
    const answer = await call("task", { text, ...given });
    if (isFault(answer)) return { left: tasks.slice(i), fault: answer };
    page.sessions.put(answer);
  }
  return { left: [], fault: undefined };
}

function Where(props: { page: PageState }) {
  const { hosts } = props.page;
  const [host, setHost] = createSignal("");
  return (
    <>
      <HostChoice hosts={hosts} now={host()} onChoose={setHost} />
      <div class="two">
        <label>
          Agent
          <input name="agent" list="agents" placeholder="as configured" autocomplete="off" spellcheck={false} />
          <AgentNames />
        </label>
        <label>
          From
          <input name="from" placeholder="HEAD" maxlength={250} autocomplete="off" spellcheck={false} />
        </label>
      </div>
      <Repository page={props.page} host={host()} />
    </>
  );
}

/** The newest task's repository on that machine stands there, because the next one is usually for the same. */
function Repository(props: { page: PageState; host: string }) {
  const { sessions } = props.page;
  const isThere = ({ session_id }: SessionInfo) => (hostOf(session_id) ?? "") === props.host;
  const all = () =>
    [...sessions.running(), ...sessions.ended()].filter(isThere).sort((a, b) => b.created_at - a.created_at);
  const known = () => [...new Set(all().map(({ worktree, cwd }) => worktree?.repo ?? cwd))];
  const newest = () => all().find(({ worktree }) => worktree !== null)?.worktree?.repo ?? known()[0];
  return (
    <label>
      Repository
      <input name="cwd" list="folders" required value={newest() ?? ""} autocomplete="off" spellcheck={false} />
      <datalist id="folders">
        <For each={known()}>{(cwd) => <option value={cwd} />}</For>
      </datalist>
    </label>
  );
}
