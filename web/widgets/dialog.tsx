// A modal window over the page. The focus returns to where it was, or to where the person types. The page handles Escape.
import { type JSX, onCleanup, onMount } from "solid-js";
import { focusBack } from "./keys.ts";

interface DialogProps {
  readonly name: string;
  readonly class: string;
  /** The element that gets the focus. Absent means the first one that takes it. */
  readonly first?: () => HTMLElement | undefined;
  readonly children: JSX.Element;
  onClose(): void;
}

export function Dialog(props: DialogProps) {
  let dialog: HTMLDialogElement | undefined;
  const before = document.activeElement;
  onMount(() => {
    dialog?.showModal();
    props.first?.()?.focus();
  });
  onCleanup(() => {
    dialog?.close();
    focusBack(before);
  });
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside it is a shorter way; Escape does the same
    <dialog
      class={`over ${props.class}`}
      aria-label={props.name}
      ref={dialog}
      onCancel={(event) => {
        event.preventDefault();
        props.onClose();
      }}
      onClick={(event) => event.target === dialog && props.onClose()}
    >
      {props.children}
    </dialog>
  );
}

/** A line to type into on top; where there is no Escape key, a button closes. */
export function DialogField(props: { children: JSX.Element; onClose(): void }) {
  return (
    <div class="field">
      {props.children}
      <button type="button" class="icon" aria-label="Close" onClick={() => props.onClose()}>
        ✕
      </button>
    </div>
  );
}

export function DialogHead(props: { title: string; onClose(): void; children?: JSX.Element }) {
  return (
    <header>
      <h2>{props.title}</h2>
      <span class="grow" />
      {props.children}
      <button type="button" class="icon" aria-label="Close" onClick={() => props.onClose()}>
        ✕
      </button>
    </header>
  );
}
