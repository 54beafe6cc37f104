// The form that opens a session. An untouched form opens a shell in the shown session's folder, on its machine. What was written stays when the
// daemon refuses it.
import { createSignal, For, lazy, Show } from "solid-js";
import type { PageState } from "../app/page-state.ts";
import { HostChoice } from "../hosts/choice.tsx";
import { hostOf } from "../hosts/words.ts";
import { Dialog, DialogHead } from "../widgets/dialog.tsx";
import { call, isFault } from "../wire/api.ts";

/** What few people fill in comes after the form itself. */
const More = lazy(async () => ({ default: (await import("./more.tsx")).More }));

export function NewSession(props: { page: PageState }) {
  const { page } = props;
  const [refusal, setRefusal] = createSignal<{ readonly message: string; readonly hint: string }>();
  const [opening, setOpening] = createSignal(false);
  const [host, setHost] = createSignal(firstHost(page));
  let first: HTMLInputElement | undefined;
  const close = () => page.setOverlay("none");

  async function open(event: SubmitEvent & { currentTarget: HTMLFormElement }): Promise<void> {
    event.preventDefault();
    if (opening()) return;
    const fields = new FormData(event.currentTarget);
    const { openingOf } = await import("./opening.ts");
    const wanted = openingOf((name) => String(fields.get(name) ?? "").trim());
    if ("mistake" in wanted) return void setRefusal({ message: wanted.mistake, hint: "" });
    setOpening(true);
    const answer = await call("pty_open", wanted.open);
    setOpening(false);
    if (isFault(answer)) return void setRefusal(answer);
    page.sessions.put(answer);
    page.select(answer.session_id);
  }

  return (
    <Dialog name="New session" class="new" first={() => first} onClose={close}>
      <DialogHead title="New session" onClose={close} />
      <form onSubmit={open}>
        <HostChoice hosts={page.hosts} now={host()} onChoose={setHost} />
        <label>
          Command
          <input ref={first} name="command" placeholder="your shell" autocomplete="off" spellcheck={false} />
        </label>
        <div class="two">
          <label>
            Name
            <input name="name" placeholder="optional" maxlength={100} autocomplete="off" spellcheck={false} />
          </label>
          <Folder page={page} host={host()} />
        </div>
        <More />
        <Show when={refusal()}>
          {(fault) => (
            <p class="wrong" role="alert">
              {fault().message} <span>{fault().hint}</span>
            </p>
          )}
        </Show>
        <span class="btns">
          <button type="submit" class="pri" disabled={opening()}>
            {opening() ? "Opening…" : "Open"} <kbd>⏎</kbd>
          </button>
          <button type="button" onClick={close}>
            Cancel
          </button>
        </span>
      </form>
    </Dialog>
  );
}

/** The one that was asked for, or that of the shown session. One that is away opens nothing. */
function firstHost({ hosts, info }: PageState): string {
  const host = hosts.wanted() ?? hostOf(info()?.session_id);
  hosts.want(undefined);
  return hosts.find(host)?.reach === "here" ? (host ?? "") : "";
}

/** Folders of existing and ended sessions of that machine, as suggestions. */
function Folder(props: { page: PageState; host: string }) {
  const { sessions } = props.page;
  const isThere = ({ session_id }: { session_id: string }) => (hostOf(session_id) ?? "") === props.host;
  const all = () => [...sessions.running(), ...sessions.ended()].filter(isThere);
  const known = () => [...new Set(all().map(({ cwd }) => cwd))];
  /** A folder of one machine means nothing on another. */
  const near = () => [props.page.info()].find((info) => info && isThere(info))?.cwd ?? "";
  return (
    <label>
      Folder
      <input name="cwd" placeholder="~" value={near()} list="folders" autocomplete="off" spellcheck={false} />
      <datalist id="folders">
        <For each={known()}>{(cwd) => <option value={cwd} />}</For>
      </datalist>
    </label>
  );
}
