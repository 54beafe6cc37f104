// The docs page: what duetty is, a recording of it, and links to the docs that came with it.
import { createResource, createSignal, For, Match, onCleanup, Show, Switch } from "solid-js";
import { parseCast } from "./cast.ts";
import { DocView } from "./doc-view.tsx";
import { addressOf, readFile } from "./files.ts";
import { PlayerView } from "./player-view.tsx";

const DOCS: readonly (readonly [string, string, string])[] = [
  ["README.md", "README", "what it does, verb by verb, and how to install it"],
  ["docs/agents.md", "Agents", "how to let an agent use it, what to allow, recipes"],
  ["docs/gate.md", "The gate", "what an agent may do without asking, and what the gate cannot see"],
  ["docs/mcp.md", "MCP", "tools, waiting, and how a client asks its person"],
  ["CONTEXT.md", "Words", "what session, block, hold and the others mean"],
  ["ARCHITECTURE.md", "Architecture", "processes, folders, and five walks through the code"],
  ["AGENTS.md", "Working on duetty", "commands, laws, recipes for changes"],
  ["docs/engine-deviations.md", "Engine deviations", "where the screen differs from other terminals, and why"],
  ["CHANGELOG.md", "Changes", "what is new"],
];

export function DocsPage() {
  const [name, setName] = createSignal(named());
  const onHash = () => setName(named());
  window.addEventListener("hashchange", onHash);
  onCleanup(() => window.removeEventListener("hashchange", onHash));
  return (
    <>
      <header>
        <a class="logo" href="/docs">
          <span aria-hidden="true">▚</span> duetty docs
        </a>
        <span class="grow" />
        <a href="/">To your sessions</a>
      </header>
      <main>
        <Show when={name()} fallback={<Start />}>
          {(known) => <DocView name={known()} />}
        </Show>
      </main>
    </>
  );
}

/** The doc that the address names, if the build has it: /docs#docs/gate.md. */
function named(): string | undefined {
  const name = decodeURIComponent(location.hash.slice(1));
  return addressOf(name) === undefined ? undefined : name;
}

function Start() {
  return (
    <>
      <h1>One terminal, shared by a person and AI agents</h1>
      <p>
        Both see the same screen. Everything that is typed has an owner. An agent's safe commands run at once; for
        anything else a person is asked first. Passwords are for people.
      </p>
      <h2>A minute of it</h2>
      <p>This is a real session, recorded and exported by duetty. A person and an agent called ada mend a program.</p>
      <Story />
      <h2>Try it</h2>
      <pre>
        <code>{"duetty open --name work\nduetty attach work\nduetty run work --as agent:ada -- npm test"}</code>
      </pre>
      <p>
        The first two lines are yours. The third is what an agent does: run it in a second terminal and watch the first.{" "}
        <code>duetty setup claude</code> tells your own agent about it.
      </p>
      <h2>Docs</h2>
      <dl>
        <For each={DOCS}>
          {([file, title, about]) => (
            <div>
              <dt>
                <a href={`#${file}`}>{title}</a>
              </dt>
              <dd>{about}</dd>
            </div>
          )}
        </For>
      </dl>
    </>
  );
}

function Story() {
  const [cast] = createResource(readStory);
  return (
    <Switch fallback={<p class="mut">The recording is loading.</p>}>
      <Match when={cast.error}>
        <p role="alert">The recording could not be loaded. Reload the page to try again.</p>
      </Match>
      <Match when={cast()} keyed>
        {(known) => <PlayerView cast={known} />}
      </Match>
    </Switch>
  );
}

async function readStory() {
  return parseCast(await readFile("docs/story.cast"));
}
