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
              ? "What agents run without your yes is confined by the kernel: it writes in the workspace and nowhere else, and has no network."
              : `Agents are not boxed here: ${found().why}. Only the rules of the gate hold, and nothing is approved by itself.`}
          </p>
        )}
      </Show>
    </Section>
  );
}
