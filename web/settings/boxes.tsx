// Whether the kernel confines what agents run here, and why not.
import { createSignal, onMount, Show } from "solid-js";
import type { PageState } from "../app/page-state.ts";
import { call, isFault } from "../wire/api.ts";
import { Section } from "./parts.tsx";

export function BoxSettings(props: { page: PageState }) {
  const [box, setBox] = createSignal<{ readonly available: boolean; readonly why: string | null }>();
  onMount(async () => {
    const answer = await call("status", {});
    if (isFault(answer)) props.page.toasts.fault(answer);
    else setBox(answer.box);
  });
  return (
    <Section title="Boxes">
      <Show when={box()}>
        {(found) => (
          <p classList={{ mut: found().available, warning: !found().available }}>
            {found().available
              ? "What agents run without your approval is confined by the kernel: it can write only in the workspace and has no network."
              : `Agents are not boxed here: ${found().why}. Only the gate's rules apply, and nothing is approved automatically.`}
          </p>
        )}
      </Show>
    </Section>
  );
}
