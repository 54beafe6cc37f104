// What can be done with one session of the list.
import { createUniqueId, For, Show } from "solid-js";
import type { SessionInfo } from "../../src/protocol/session.ts";
import type { PageState } from "../state/page.ts";
import { isOver, labelOf } from "../state/words.ts";
import { createMenu } from "./card-menu.tsx";

export interface SessionMenuProps {
  readonly page: PageState;
  readonly session: SessionInfo;
  onRename(): void;
  onEnd(): void;
}

interface Item {
  readonly label: string;
  readonly tone?: "bad";
  run(): void;
}

export function SessionMenu(props: SessionMenuProps) {
  const menu = createMenu();
  const id = createUniqueId();
  return (
    <>
      <button
        type="button"
        class="sess-more"
        aria-label={`What to do with ${labelOf(props.session)}`}
        aria-haspopup="menu"
        aria-expanded={menu.isOpen()}
        aria-controls={menu.isOpen() ? id : undefined}
        ref={menu.setButton}
        onClick={() => (menu.isOpen() ? menu.shut() : menu.open())}
      >
        <span aria-hidden="true">⋯</span>
      </button>
      <Show when={menu.isOpen()}>
        <div class="menu-list" role="menu" id={id} ref={menu.setList} tabIndex={-1} onKeyDown={menu.pressed}>
          <For each={itemsOf(props)}>
            {({ label, tone, run }) => (
              <button
                type="button"
                role="menuitem"
                tabIndex={-1}
                class={tone}
                onClick={() => {
                  menu.back();
                  run();
                }}
              >
                {label}
              </button>
            )}
          </For>
        </div>
      </Show>
    </>
  );
}

function itemsOf({ page, session, onRename, onEnd }: SessionMenuProps): Item[] {
  const { session_id } = session;
  const replay = () => {
    page.select(session_id);
    page.setReplaying(true);
  };
  return [
    { label: "Rename…", run: onRename },
    { label: "Replay", run: replay },
    { label: "Copy id", run: () => void copy(page, session_id) },
    ...(isOver(session.state)
      ? [{ label: "Copy export command", run: () => void copy(page, `duetty export ${session_id} --text`) }]
      : [
          { label: "Copy attach command", run: () => void copy(page, `duetty attach ${session_id}`) },
          { label: "End…", tone: "bad" as const, run: onEnd },
        ]),
  ];
}

async function copy({ toasts }: PageState, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toasts.say(`Copied: ${text}`);
  } catch {
    // Not a secure address, or the person said no: then it can be selected.
    toasts.say(text);
  }
}
