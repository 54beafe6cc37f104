// The prompt itself: a text that grows, a list of candidates, the last error, and the folder. Owns: which key
// does what in it.
import { createEffect, on, onCleanup, onMount, Show } from "solid-js";
import type { PageState, ShownSession } from "../app/page-state.ts";
import type { Composer } from "./composer.ts";
import { ComposerList, LIST_ID, optionId } from "./list.tsx";
import { PromptNotes, ShellLineButtons } from "./notes.tsx";
import { isOnFirstLine, isOnLastLine, placeholderFor } from "./words.ts";

interface PromptProps {
  readonly page: PageState;
  readonly shown: ShownSession;
  readonly composer: Composer;
}

export function ComposerPrompt(props: PromptProps) {
  const { composer } = props;
  let area: HTMLTextAreaElement | undefined;
  const choices = composer.completion.choices;
  const read = (el: HTMLTextAreaElement) => composer.write({ text: el.value, caret: el.selectionEnd });
  const active = () => {
    const at = choices()?.at ?? -1;
    return at < 0 ? undefined : optionId(at);
  };
  onMount(() => area && keepShape(area, composer));
  return (
    <>
      <PromptNotes shown={props.shown} composer={composer} />
      <Show when={choices()}>{(open) => <ComposerList choices={open()} composer={composer} />}</Show>
      <div class="inp" data-mode={composer.mode()}>
        <span class="ps" aria-hidden="true">
          {composer.mode() === "agent" ? "✦" : "›"}
        </span>
        <textarea
          ref={area}
          data-prompt
          data-escape={choices() ? "own" : undefined}
          rows={1}
          role="combobox"
          aria-label={placeholderFor(composer.mode())}
          aria-autocomplete="list"
          aria-expanded={choices() !== undefined}
          aria-controls={LIST_ID}
          aria-activedescendant={active()}
          placeholder={placeholderFor(composer.mode())}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          onInput={(event) => read(event.currentTarget)}
          onSelect={(event) => read(event.currentTarget)}
          onBlur={() => composer.completion.shut()}
          onKeyDown={(event) => {
            if (!event.isComposing && onKey(event, props)) event.preventDefault();
          }}
        />
        <button type="button" class="send" onClick={() => composer.submit()}>
          {composer.mode() === "agent" ? "Ask" : "Send"} <kbd>⏎</kbd>
        </button>
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

/** The composer owns the text. The field grows with its lines up to the style sheet's limit. */
function keepShape(area: HTMLTextAreaElement, composer: Composer): void {
  const grow = () => {
    area.style.height = "auto";
    area.style.height = `${area.scrollHeight}px`;
  };
  createEffect(
    on(composer.written, ({ text, caret }) => {
      if (area.value !== text) {
        area.value = text;
        area.setSelectionRange(caret, caret);
      }
      grow();
    }),
  );
  const watch = new ResizeObserver(grow);
  watch.observe(area.parentElement ?? area);
  onCleanup(() => watch.disconnect());
}

/** True when we used the key. */
function onKey(event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }, props: PromptProps): boolean {
  const { composer, shown } = props;
  const { ctrlKey, altKey, shiftKey, metaKey, key } = event;
  if (metaKey) return false;
  if (ctrlKey && !altKey && !shiftKey) return onControl(key, event.currentTarget, composer, shown);
  if (key === "Enter" && altKey) return insert(event.currentTarget, "\n", composer);
  if (ctrlKey || altKey || shiftKey) return false;
  return (
    (composer.completion.choices() ? onListKey(key, composer) : false) || onPlain(key, event.currentTarget, composer)
  );
}

function onControl(key: string, area: HTMLTextAreaElement, composer: Composer, shown: ShownSession): boolean {
  if (key === "r") {
    void composer.search();
    return true;
  }
  // What is selected is copied.
  if (key !== "c" || area.selectionStart !== area.selectionEnd) return false;
  if (area.value !== "") composer.write({ text: "", caret: 0 });
  else if (shown.transcript.running()) shown.live.press("\x03");
  else return false;
  return true;
}

function onListKey(key: string, { completion, ...composer }: Composer): boolean {
  const chosen = completion.chosen();
  if (key === "ArrowDown" || (key === "Tab" && !chosen)) completion.move(1);
  else if (key === "ArrowUp") completion.move(-1);
  else if (key === "Escape") completion.shut();
  else if (chosen && (key === "Enter" || key === "Tab")) composer.accept();
  // The text was a search, not a command.
  else if (key === "Enter" && completion.choices()?.all.length === 0) completion.shut();
  else return false;
  return true;
}

function onPlain(key: string, area: HTMLTextAreaElement, composer: Composer): boolean {
  const { value, selectionEnd } = area;
  if (key === "Enter") composer.submit();
  // An empty prompt lets Tab through, so that nobody is trapped in it.
  else if (key === "Tab" && value.trim() !== "") void composer.complete();
  else if (key === "ArrowUp" && isOnFirstLine(value, selectionEnd)) return composer.recall("older");
  else if (key === "ArrowDown" && isOnLastLine(value, selectionEnd)) return composer.recall("newer");
  else return false;
  return true;
}

function insert(area: HTMLTextAreaElement, text: string, composer: Composer): boolean {
  area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
  composer.write({ text: area.value, caret: area.selectionEnd });
  return true;
}
