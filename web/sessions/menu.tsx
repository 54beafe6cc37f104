// What can be done with one session of the list.
import type { SessionInfo } from "../../src/protocol/ops/session.ts";
import type { PageState } from "../app/page-state.ts";
import { toClipboard } from "../widgets/clipboard.ts";
import { Menu, type MenuItem } from "../widgets/menu.tsx";
import { isOver, labelOf } from "./labels.ts";

interface SessionMenuProps {
  readonly page: PageState;
  readonly session: SessionInfo;
  onRename(): void;
  onEnd(): void;
}

export function SessionMenu(props: SessionMenuProps) {
  const name = () => `What to do with ${labelOf(props.session)}`;
  return <Menu name={name()} class="sess-more" items={() => itemsOf(props)} />;
}

function itemsOf({ page, session, onRename, onEnd }: SessionMenuProps): MenuItem[] {
  const { session_id } = session;
  const replay = () => {
    page.select(session_id);
    page.setReplaying(true);
  };
  const share = () => {
    page.select(session_id);
    page.setOverlay("share");
  };
  return [
    { label: "Rename…", run: onRename },
    { label: "Replay", run: replay },
    { label: "Share…", run: share },
    ...besideItems(page, session_id),
    { label: "Copy id", run: () => void copy(page, session_id) },
    ...(isOver(session.state)
      ? [
          { label: "Copy export command", run: () => void copy(page, `duetty export ${session_id} --text`) },
          { label: "Remove…", tone: "bad" as const, run: onEnd },
        ]
      : [
          { label: "Copy attach command", run: () => void copy(page, `duetty attach ${session_id}`) },
          { label: "End…", tone: "bad" as const, run: onEnd },
        ]),
  ];
}

/** The session with the keyboard stays where it is. */
function besideItems(page: PageState, session_id: string): MenuItem[] {
  if (page.shown() === undefined || page.info()?.session_id === session_id) return [];
  return [
    { label: "Show on the right", run: () => page.showBeside(session_id, "right") },
    { label: "Show below", run: () => page.showBeside(session_id, "down") },
  ];
}

async function copy({ toasts }: PageState, text: string): Promise<void> {
  // If the browser refuses, the person can select the text.
  toasts.notify((await toClipboard(text)) ? `Copied: ${text}` : text);
}
