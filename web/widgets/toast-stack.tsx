// Messages between what is shown and where one types. They have room of their own, so they cover nothing.
import { For, Show } from "solid-js";
import type { Toasts } from "./toasts.ts";

export function ToastStack(props: { toasts: Toasts }) {
  return (
    <div class="toasts" role="status" aria-live="polite">
      <For each={props.toasts.all()}>
        {(toast) => (
          <div class={`toast ${toast.tone}`}>
            <p>
              <b>{toast.message}</b>
              <Show when={toast.hint}>
                <span>{toast.hint}</span>
              </Show>
            </p>
            <button type="button" class="icon" aria-label="Dismiss" onClick={() => props.toasts.dismiss(toast.id)}>
              ×
            </button>
          </div>
        )}
      </For>
    </div>
  );
}
