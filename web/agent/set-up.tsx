// How to get an agent: recipes to copy, with the paths of this machine, and a test.
import { createSignal, For, Show } from "solid-js";
import type { PageState } from "../app/page-state.ts";
import { toClipboard } from "../widgets/clipboard.ts";

/** Providers that the built-in agent knows, with what each needs. */
const PROVIDERS = [
  { name: "Anthropic", install: "npm install -g ai@7 @ai-sdk/anthropic@4", key: "export ANTHROPIC_API_KEY=…" },
  { name: "OpenAI", install: "npm install -g ai@7 @ai-sdk/openai@4", key: "export OPENAI_API_KEY=…" },
  {
    name: "Ollama, on this machine",
    install: "npm install -g ai@7 @ai-sdk/openai-compatible@3",
    key: "export DUETTY_AGENT_MODEL=ollama/MODEL",
  },
] as const;

export function SetUp(props: { page: PageState }) {
  const { page } = props;
  const [provider, setProvider] = createSignal<(typeof PROVIDERS)[number]>(PROVIDERS[0]);
  const [result, setResult] = createSignal("");
  const config = () => `{ "agent": { "model": "anthropic/MODEL", "key_file": "/path/to/key" } }`;
  return (
    <section class="set-up" aria-label="Set up an agent">
      <h2>Connect an agent</h2>
      <p>Claude Code, Codex, Gemini and others work in these sessions once they know duetty:</p>
      <Copy page={page} text="duetty setup claude" />
      <p class="mut">
        <code>duetty setup</code> lists the others.
      </p>
      <h2>Built-in agent</h2>
      <label>
        Model from{" "}
        <select
          onChange={(event) => setProvider(PROVIDERS[event.currentTarget.selectedIndex] ?? PROVIDERS[0])}
          aria-label="Model from"
        >
          <For each={PROVIDERS}>{({ name }) => <option>{name}</option>}</For>
        </select>
      </label>
      <ol>
        <li>
          Install its packages: <Copy page={page} text={provider().install} />
        </li>
        <li>
          Give it a key, in the shell where you start duetty: <Copy page={page} text={provider().key} />
        </li>
        <li>
          Start duetty again: <Copy page={page} text="duetty shutdown --keep-sessions; duetty" />
        </li>
      </ol>
      <p class="mut">
        Or put it in <code>{page.present.configPath()}</code>: <Copy page={page} text={config()} />
      </p>
      <span class="row">
        <button
          type="button"
          onClick={() => {
            setResult("Testing…");
            void tested(page).then(setResult);
          }}
        >
          Test
        </button>
        <Show when={result()}>
          <span role="status">{result()}</span>
        </Show>
      </span>
    </section>
  );
}

/** Whether the built-in agent works, in words. */
async function tested({ present }: PageState): Promise<string> {
  const answer = await present.refresh({ test: true });
  if (typeof answer === "string") return answer;
  const builtIn = answer.agents.find(({ kind }) => kind === "built-in");
  return builtIn?.available ? `It works: ${builtIn.note}.` : (builtIn?.note ?? "There is no built-in agent.");
}

function Copy(props: { page: PageState; text: string }) {
  const copy = async () => {
    const done = await toClipboard(props.text);
    props.page.toasts.notify(done ? "Copied." : "The browser did not let us copy.");
  };
  return (
    <span class="copy">
      <code>{props.text}</code>
      <button type="button" aria-label={`Copy ${props.text}`} onClick={() => void copy()}>
        Copy
      </button>
    </span>
  );
}
