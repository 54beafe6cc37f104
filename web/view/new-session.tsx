// The small form that opens a session. Everything may be left empty: then it is a shell at home.
import { createSignal, onMount, Show } from "solid-js";
import type { SessionInfo } from "../../src/protocol/session.ts";
import { argvOf } from "../state/words.ts";
import { call, type Fault, isFault } from "../wire/api.ts";

export interface NewSessionProps {
  onOpened(info: SessionInfo): void;
  onCancel(): void;
}

export function NewSession(props: NewSessionProps) {
  const [fault, setFault] = createSignal<Fault>();
  const [opening, setOpening] = createSignal(false);
  let first: HTMLInputElement | undefined;
  onMount(() => first?.focus());

  async function open(event: SubmitEvent & { currentTarget: HTMLFormElement }): Promise<void> {
    event.preventDefault();
    if (opening()) return;
    const fields = new FormData(event.currentTarget);
    const field = (name: string) => String(fields.get(name) ?? "").trim();
    const [command, name, cwd] = [field("command"), field("name"), field("cwd")];
    setOpening(true);
    const answer = await call("pty_open", {
      ...(command && { command: argvOf(command) }),
      ...(name && { name }),
      ...(cwd && { cwd }),
    });
    setOpening(false);
    if (isFault(answer)) setFault(answer);
    else props.onOpened(answer);
  }

  return (
    <form class="new" aria-label="New session" onSubmit={open}>
      <label>
        Command
        <input ref={first} name="command" placeholder="your shell" autocomplete="off" spellcheck={false} />
      </label>
      <label>
        Name
        <input name="name" placeholder="optional" maxlength={100} autocomplete="off" spellcheck={false} />
      </label>
      <label>
        Folder
        <input name="cwd" placeholder="~" autocomplete="off" spellcheck={false} />
      </label>
      <Show when={fault()}>
        {(wrong) => (
          <p class="wrong" role="alert">
            {wrong().message} <span>{wrong().hint}</span>
          </p>
        )}
      </Show>
      <span class="btns">
        <button type="submit" class="pri" disabled={opening()}>
          Open
        </button>
        <button type="button" onClick={() => props.onCancel()}>
          Cancel
        </button>
      </span>
    </form>
  );
}
