// Short lines about the keyboard: keys that were not sent, a password only a person may type, a program that needs the whole
// terminal, and a keyboard that waits to be handed back.
import { createSignal, type JSX, Match, Show, Switch } from "solid-js";
import { lostKeysWords } from "../../src/core/base/kept-input.ts";
import { isPerson } from "../../src/protocol/plain/person-name.ts";
import type { PageState, ShownSession } from "../app/page-state.ts";
import { hostOf } from "../hosts/words.ts";
import { TAKE_KEY } from "../widgets/browser-keys.ts";
import type { CardProps } from "./card-props.ts";
import { handsOver } from "./words.ts";

interface Here {
  readonly page: PageState;
  readonly shown: ShownSession;
}

export function DockNotices(props: Here) {
  const { page, shown } = props;
  const { control, live } = shown;
  /** The question itself says that the keyboard was handed over, and how to give it back. */
  const isAsked = () => {
    const asked = page.currentApproval.current();
    return asked !== undefined && handsOver(asked.kind);
  };
  return (
    <>
      <Show when={!control.isTaken() && live.facts.kept_back}>
        {(why) => (
          <Notice tone="warn" words={why()}>
            <button type="button" onClick={() => void takeOver(props)}>
              Take over <kbd>{TAKE_KEY}</kbd>
            </button>
          </Notice>
        )}
      </Show>
      <Show when={control.facts.waiting?.kind === "password" && !isAsked()}>
        <Notice tone="warn" words={`${program(shown)} waits for a password: only you can type, nothing is recorded.`}>
          <button type="button" onClick={() => void takeOver(props)}>
            Enter password
          </button>
        </Notice>
      </Show>
      <Show when={live.facts.lost > 0}>
        <Notice tone="warn" words={lostKeysWords(live.facts.lost, hostOf(shown.id) ?? "")}>
          <button type="button" class="icon" aria-label="Dismiss" onClick={() => live.lostRead()}>
            ×
          </button>
        </Notice>
      </Show>
      <FullScreen page={page} shown={shown} />
      <Show when={control.takenBy()}>
        {(name) => (
          <Notice tone="plain" words={`${name()} has the keyboard. Agents wait.`}>
            <button type="button" onClick={() => void takeOver(props)}>
              Take over <kbd>{TAKE_KEY}</kbd>
            </button>
          </Notice>
        )}
      </Show>
      <Show when={control.isTaken() && !isAsked()}>
        <Notice tone="you" words={takenWords(shown, page.isHere())}>
          <button type="button" onClick={() => void control.release()}>
            Hand back <kbd>{TAKE_KEY}</kbd>
          </button>
        </Notice>
      </Show>
    </>
  );
}

/** An agent started a program that needs the whole screen. Shown once per command. */
function FullScreen(props: Here) {
  const { page, shown } = props;
  const [dismissed, setDismissed] = createSignal<string>();
  const block = () => {
    const running = shown.transcript.running();
    const kind = shown.control.facts.waiting?.kind;
    const isInteractive = shown.live.facts.alt_screen || kind === "full_screen" || kind === "keys";
    const isNews = !isPerson(running?.actor ?? "") && running?.block_id !== dismissed() && !shown.control.isTaken();
    return isInteractive && isNews && page.settings.now.view === "cards" ? running : undefined;
  };
  return (
    <Show when={block()}>
      {(running) => (
        <Notice
          tone="plain"
          words={
            shown.live.facts.alt_screen
              ? `A full-screen program has the terminal: ${program(shown)}`
              : `${program(shown)} reads single keys`
          }
        >
          <button type="button" onClick={() => showTerminal(props)}>
            Show the terminal
          </button>
          <button type="button" class="icon" aria-label="Dismiss" onClick={() => setDismissed(running().block_id)}>
            ×
          </button>
        </Notice>
      )}
    </Show>
  );
}

export function Notice(props: { tone: "warn" | "you" | "plain"; words: string; children: JSX.Element }) {
  return (
    <div class="note" data-tone={props.tone}>
      <Switch fallback={<i class="dot" />}>
        <Match when={props.tone === "warn"}>
          <i class="dot wait" />
        </Match>
        <Match when={props.tone === "you"}>
          <i class="dot you" />
        </Match>
      </Switch>
      <span role="status">{props.words}</span>
      <span class="grow" />
      {props.children}
    </div>
  );
}

function program({ control, transcript }: ShownSession): string {
  return control.facts.waiting?.program ?? transcript.running()?.cmd ?? "the program";
}

/** `isHere`: of the sessions on the page this one gets what is typed. */
function takenWords({ control }: ShownSession, isHere: boolean): string {
  const { reason, note } = control.facts;
  const said = note ? ` (${note})` : "";
  if (reason === "stop") return "You stopped the agent. It waits until you hand the keyboard back.";
  if (reason === "handed_over") return `The agent handed you the keyboard${said}.`;
  return isHere ? `You have the keyboard${said}. Agents wait.` : `Agents wait${said}.`;
}

/** What the card of a question does with the terminal of its session. */
export function seatAt(here: Here): CardProps["seat"] {
  return {
    threshold: () => here.shown.control.facts.policy?.threshold,
    takeOver: () => void takeOver(here),
    showTerminal: () => showTerminal(here),
  };
}

async function takeOver({ page, shown }: Here): Promise<void> {
  if (!shown.control.isTaken()) await shown.control.take();
  showTerminal({ page, shown });
}

/** A visible terminal gets the focus. Otherwise the plain terminal opens. */
function showTerminal({ page, shown }: Here): void {
  const { transcript, live } = shown;
  if (live.facts.placing === "parked" || live.facts.alt_screen || !transcript.running())
    page.settings.set({ view: "plain" });
  // After it is in its new place.
  queueMicrotask(() => live.terminal.focus());
}
