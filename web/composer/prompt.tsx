// The prompt itself: a text that grows, a list of candidates, the last error, and the folder. Which key does
// what is in keys.ts.
import { createUniqueId, lazy, Show } from "solid-js";
import type { PageState, ShownSession } from "../app/page-state.ts";
import type { Composer } from "./composer.ts";
import { Ink } from "./ink/ink.tsx";
import { onKey } from "./keys.ts";
import { ComposerList, optionId } from "./list.tsx";
import { PromptNotes, ShellLineButtons } from "./notes.tsx";
import { placeholderFor } from "./words.ts";

const HistoryPanel = lazy(async () => ({ default: (await import("./history/past-list.tsx")).HistoryPanel }));

interface PromptProps {
  readonly page: PageState;
  readonly shown: ShownSession;
  readonly composer: Composer;
}

export function ComposerPrompt(props: PromptProps) {
  const { composer } = props;
  const { completion } = composer;
  const { search } = composer.history;
  let area: HTMLTextAreaElement | undefined;
  const list = () => search.past() ?? completion.choices();
  const id = createUniqueId();
  // A filter of the search may have the focus.
  const left = (event: FocusEvent & { currentTarget: HTMLElement }) => {
    if (event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)) return;
    completion.shut();
    search.close();
  };
  const back = () => {
    search.close();
    area?.focus();
  };
  return (
    <>
      <PromptNotes shown={props.shown} composer={composer} />
      <div class="writes" onFocusOut={left}>
        <Show when={search.past()}>
          {(past) => <HistoryPanel id={id} past={past()} search={search} onClose={back} />}
        </Show>
        <Show when={completion.choices()}>
          {(open) => <ComposerList id={id} choices={open()} composer={composer} />}
        </Show>
        <div class="inp" data-mode={search.past() ? "search" : composer.mode()}>
          <span class="ps" aria-hidden="true">
            {search.past() ? "⌕" : composer.mode() === "agent" ? "✦" : "›"}
          </span>
          <PromptField {...props} list={list()} listId={id} area={(el) => (area = el)} />
          <button type="button" class="send" onClick={() => composer.submit()}>
            {search.past() ? "Use" : composer.mode() === "agent" ? "Ask" : "Send"} <kbd>⏎</kbd>
          </button>
        </div>
      </div>
      <Show when={composer.fault()}>
        {(fault) => (
          <p class="wrong" role="alert">
            {fault().message}. <span>{fault().hint}</span>
            <Show when={fault().code === "prompt.busy"}>
              <ShellLineButtons composer={composer} />
            </Show>
          </p>
        )}
      </Show>
    </>
  );
}

interface FieldProps extends PromptProps {
  /** The list that is open. */
  readonly list: { readonly at: number } | undefined;
  readonly listId: string;
  area(el: HTMLTextAreaElement): void;
}

function PromptField(props: FieldProps) {
  const { composer } = props;
  // Several prompts may stand side by side.
  const suggested = createUniqueId();
  let area: HTMLTextAreaElement | undefined;
  const read = (el: HTMLTextAreaElement) => composer.write({ text: el.value, caret: el.selectionEnd });
  const active = () => {
    const at = props.list?.at ?? -1;
    return at < 0 ? undefined : optionId(props.listId, at);
  };
  const label = () => (composer.history.search.past() ? "Search history" : placeholderFor(composer.mode()));
  return (
    <div class="field">
      <Ink shown={props.shown} composer={composer} area={() => area} />
      <textarea
        ref={(el) => {
          area = el;
          props.area(el);
        }}
        data-prompt
        data-escape={props.list ? "own" : undefined}
        rows={1}
        aria-label={label()}
        aria-autocomplete="both"
        aria-haspopup="listbox"
        aria-controls={props.listId}
        aria-activedescendant={active()}
        aria-describedby={suggested}
        placeholder={label()}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        onInput={(event) => read(event.currentTarget)}
        onKeyDown={(event) => {
          // Of a caret that moved the browser tells later.
          read(event.currentTarget);
          if (!event.isComposing && onKey(event, props)) event.preventDefault();
        }}
      />
      <Suggested composer={composer} id={suggested} />
    </div>
  );
}

/** What is suggested, for people who do not see it or have no arrow keys. */
function Suggested(props: { composer: Composer; id: string }) {
  const rest = () => props.composer.history.suggestion.rest();
  return (
    <>
      <span class="unseen" id={props.id}>
        <Show when={rest()}>Suggested: {props.composer.written().text + rest()}. Right arrow takes it.</Show>
      </span>
      <Show when={rest()}>
        <button
          type="button"
          class="take"
          tabIndex={-1}
          aria-label="Take the suggestion"
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => props.composer.history.take("all")}
        >
          →
        </button>
      </Show>
    </>
  );
}
