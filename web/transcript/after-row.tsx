// What was printed between two commands, with the background job that it comes from where that is known.
import { createEffect, Show } from "solid-js";
import { marked } from "../../src/core/base/invisible.ts";
import { drawLines } from "../text/draw.ts";
import { grouped } from "../text/numbers.ts";
import type { After } from "./frozen.ts";

export function AfterRow(props: { after: After }) {
  let pre: HTMLPreElement | undefined;
  const earlier = () => props.after.total - props.after.lines.length;
  const jobs = () => props.after.jobs.map((job) => marked(job));
  createEffect(() => pre?.replaceChildren(drawLines(props.after.lines)));
  return (
    <div class="after">
      <p>
        <Show when={jobs().length > 0} fallback="Printed between commands">
          {jobs().length === 1 ? "Background job" : "Background jobs"} <code>{jobs().join(" · ")}</code>
        </Show>
        <Show when={earlier() > 0}> · {grouped(earlier())} earlier lines are in the replay</Show>
      </p>
      <pre ref={pre} />
    </div>
  );
}
