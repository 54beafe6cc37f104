// Something went wrong on the agent's side: what, what helps, and when it tries again.
import { createSignal, onCleanup, Show } from "solid-js";

const SECOND_MS = 1_000;

export function AgentTrouble(props: { message: string; hint: string; retry_at: number | null }) {
  const [now, setNow] = createSignal(Date.now());
  const left = () => (props.retry_at === null ? 0 : Math.ceil((props.retry_at - now()) / SECOND_MS));
  if (left() > 0) {
    const timer = setInterval(() => {
      setNow(Date.now());
      if (left() <= 0) clearInterval(timer);
    }, SECOND_MS);
    onCleanup(() => clearInterval(timer));
  }
  return (
    <li class="trouble">
      <b>{props.message}</b>
      <Show when={props.hint !== ""}>
        <span> {props.hint}</span>
      </Show>
      <Show when={left() > 0}>
        <span aria-hidden="true"> Tries again in {left()} s.</span>
      </Show>
      <Show when={props.retry_at !== null && left() <= 0}>
        <span class="mut"> Tried again.</span>
      </Show>
    </li>
  );
}
