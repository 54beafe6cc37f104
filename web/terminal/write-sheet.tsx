// Where a person on a phone writes to a program that is a session of its own, such as an agent CLI: whole texts, which its own
// keyboard would send in pieces and correct on the way. The daemon types them as the program takes them, and Enter apart.
import { createSignal, Show } from "solid-js";
import { call, isFault } from "../wire/api.ts";

export function WriteSheet(props: { session_id: string; program: string }) {
  const [text, setText] = createSignal("");
  const [problem, setProblem] = createSignal("");
  async function send(event: Event): Promise<void> {
    event.preventDefault();
    const paste = text();
    if (paste === "") return;
    setText("");
    const answer = await call("pty_send", { session_id: props.session_id, paste, keys: ["Enter"] });
    setProblem(isFault(answer) ? `${answer.message} ${answer.hint}` : "");
    // It was not typed, so it is not lost. What was written meanwhile stays behind it.
    if (isFault(answer)) setText((now) => paste + now);
  }
  return (
    <form class="write" onSubmit={send}>
      <Show when={problem()}>
        <p role="alert">{problem()}</p>
      </Show>
      <textarea
        rows={1}
        aria-label={`Write to ${props.program}`}
        placeholder={`Write to ${props.program}`}
        value={text()}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" disabled={text() === ""}>
        Send
      </button>
    </form>
  );
}
