// The conversation: what was asked, said and done, oldest first, and the message in progress. Owns: how much of it is drawn, and
// that it stays at its end while the person is there.
import { createSignal, For, Match, onCleanup, onMount, Show, Switch } from "solid-js";
import type { PageState, ShownSession } from "../app/page-state.ts";
import { timeOfDay } from "../text/numbers.ts";
import { Hand } from "../widgets/hand.ts";
import type { ConversationItem } from "./items.ts";
import { Markdown } from "./markdown-view.tsx";
import { AgentStep } from "./step.tsx";
import { AgentTrouble } from "./trouble.tsx";
import { agentName, endedWords, exitWords } from "./words.ts";

/** Entries drawn at first and added with each step back: some screens full. */
const ITEMS_DRAWN = 150;
/** Closer than this counts as being at the end. */
const AT_END_PX = 24;

export function ConversationView(props: { page: PageState; shown: ShownSession }) {
  const { agent, id } = props.shown;
  const [drawn, setDrawn] = createSignal(ITEMS_DRAWN);
  const items = () => agent.items.slice(-drawn());
  const earlier = () => agent.items.length - items().length;
  let talk: HTMLDivElement | undefined;
  onMount(() => talk && keepAtEnd(talk));
  const speaker = () => agentName(agent.status?.agent ?? null);
  return (
    <div ref={talk}>
      <h2>Conversation</h2>
      <Show when={earlier() > 0}>
        <button type="button" class="earlier" onClick={() => setDrawn(drawn() + ITEMS_DRAWN)}>
          {earlier()} earlier
        </button>
      </Show>
      <div role="log" aria-live="polite" aria-label="Conversation">
        <ol class="talk">
          <For each={items()}>{(item) => <Item item={item} page={props.page} session={id} speaker={speaker()} />}</For>
        </ol>
      </div>
      <Show when={agent.saying()}>
        {(now) => (
          <div class="msg agent now" data-about={now().about} aria-hidden="true">
            <div class="w">
              {speaker()} · {now().about === "thought" ? "thinking…" : "…"}
            </div>
            <Markdown text={now().text} />
          </div>
        )}
      </Show>
    </div>
  );
}

function Item(props: { item: ConversationItem; page: PageState; session: string; speaker: string }) {
  const as = <K extends ConversationItem["kind"]>(kind: K) =>
    props.item.kind === kind ? (props.item as Extract<ConversationItem, { kind: K }>) : undefined;
  return (
    <Switch>
      <Match when={as("prompt")}>
        {(item) => (
          <li class="msg you">
            <div class="w">
              {item().who === "person" ? "you" : item().who} · {timeOfDay(item().ts)}
            </div>
            <p>{item().text}</p>
          </li>
        )}
      </Match>
      <Match when={as("message")}>
        {(item) => (
          <li class="msg agent">
            <div class="w">
              {props.speaker} · {timeOfDay(item().ts)}
            </div>
            <Markdown text={item().text} />
          </li>
        )}
      </Match>
      <Match when={as("step")}>{(item) => <AgentStep page={props.page} session={props.session} step={item()} />}</Match>
      <Match when={as("trouble")}>{(item) => <AgentTrouble {...item()} />}</Match>
      <Match when={as("ended")}>
        {(item) => (
          <li class="ended" data-outcome={item().outcome}>
            {endedWords(item())}
          </li>
        )}
      </Match>
      <Match when={as("exit")}>{(item) => <li class="ended">{exitWords(item())}</li>}</Match>
    </Switch>
  );
}

/** A person who scrolled back stays where they are. */
function keepAtEnd(talk: HTMLElement): void {
  const box = talk.closest<HTMLElement>(".talk-scroll");
  if (!box) return;
  const hand = new Hand(box);
  let [atEnd, top] = [true, 0];
  const follow = () => atEnd && box.scrollTo({ top: box.scrollHeight });
  const look = () => {
    // What grows moves the end away, and what shrinks moves the rest.
    const byHand = hand.scrolls();
    if (box.scrollHeight - box.scrollTop - box.clientHeight < AT_END_PX) atEnd = true;
    else if (byHand && box.scrollTop < top) atEnd = false;
    else if (!byHand) follow();
    top = box.scrollTop;
  };
  const sized = new ResizeObserver(follow);
  for (const element of [talk, box]) sized.observe(element);
  box.addEventListener("scroll", look, { passive: true });
  onCleanup(() => {
    hand.dispose();
    sized.disconnect();
    box.removeEventListener("scroll", look);
  });
}
