// The less usual fields of the form for a new session: an agent, a worktree, the size, the environment.
import { createSignal, Show } from "solid-js";
import { AgentNames } from "./agent-names.tsx";

export function More() {
  const [inTree, setInTree] = createSignal(false);
  return (
    <>
      <label class="check">
        <input type="checkbox" name="worktree" onChange={(event) => setInTree(event.currentTarget.checked)} /> In a
        worktree, on a branch of its own
      </label>
      <Show when={inTree()}>
        <div class="two">
          <label>
            Branch
            <input name="branch" placeholder="a new one" maxlength={250} autocomplete="off" spellcheck={false} />
          </label>
          <label>
            From
            <input name="from" placeholder="HEAD" maxlength={250} autocomplete="off" spellcheck={false} />
          </label>
        </div>
      </Show>
      <details>
        <summary>More</summary>
        <div class="two">
          <label>
            Agent
            <input name="agent" list="agents" placeholder="none" maxlength={64} autocomplete="off" spellcheck={false} />
            <AgentNames />
          </label>
          <label>
            Size
            <input name="size" placeholder="fits the page" autocomplete="off" />
          </label>
        </div>
        <label class="check">
          <input type="checkbox" name="lazy" /> Start when first used
        </label>
        <label>
          Environment <span class="mut">one KEY=VALUE in each line</span>
          <textarea name="env" rows={3} spellcheck={false} placeholder="NODE_ENV=test" />
        </label>
      </details>
    </>
  );
}
