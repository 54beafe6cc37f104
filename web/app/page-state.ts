// The page and its shown session as every room sees them. Types only, so that every room
// can import them; page.ts and shown-session.ts make them.
import type { Accessor } from "solid-js";
import type { SessionInfo } from "../../src/protocol/ops/session.ts";
import type { Actions } from "../actions/actions.ts";
import type { AgentConversation } from "../agent/conversation.ts";
import type { Present } from "../agent/present.ts";
import type { Control } from "../approvals/control.ts";
import type { CurrentApproval } from "../approvals/current.ts";
import type { ApprovalQueue } from "../approvals/queue.ts";
import type { ShellLine } from "../composer/shell-line.ts";
import type { Drafts } from "../composer/writing.ts";
import type { Hosts } from "../hosts/hosts.ts";
import type { Images } from "../images/images.ts";
import type { Links } from "../links/links.ts";
import type { NeedsStore } from "../needs/needs.ts";
import type { Replay } from "../replay/replay.ts";
import type { Undo } from "../restore/undo.ts";
import type { Search } from "../search/search.ts";
import type { Route } from "../sessions/route.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Appearance } from "../settings/appearance.ts";
import type { SettingsStore } from "../settings/settings.ts";
import type { Layout } from "../splits/layout.ts";
import type { Side } from "../splits/tree.ts";
import type { Live } from "../terminal/live.ts";
import type { Cards } from "../transcript/cards.ts";
import type { Transcript } from "../transcript/transcript.ts";
import type { OwnWindow } from "../widgets/own-window.ts";
import type { Toasts } from "../widgets/toasts.ts";

export type Flap = "open" | "shut";
/** The overlay over the page; one at a time. */
export type Overlay =
  | "none"
  | "palette"
  | "settings"
  | "search"
  | "new_session"
  | "keys"
  | "undo"
  | "share"
  | "needs"
  | "broadcast";

export interface Found {
  readonly block_id: string;
  readonly text: string;
}

/** The ways to a command's card, to the agent's ask box and to other views, and of a line into the shown session. */
export interface Navigation {
  /** `text`: what to light up in its output. */
  goToBlock(session_id: string, block_id: string, text?: string): void;
  /** What the person was looking for when they went to a command. */
  readonly found: Accessor<Found | undefined>;
  /** Opens the pane, wherever it is on this screen, and puts the caret where one writes to the agent. */
  goToAgent(): void;
  /** To the board, or to what a session changed. */
  goTo(address: string): void;
  /** As the person's own command. */
  runHere(command: string): Promise<void>;
}

export interface Stopping {
  /** An agent has the keyboard, works or asks in the shown session. */
  isAgentActive(): boolean;
  /** Stops the agents of the shown session, or of all sessions when none is shown. */
  stop(): void;
  stopAll(): void;
}

/**
 * The page as a person works with it. What belongs to one session is that of the half with the keyboard. A half has a page of its
 * own, with its own session in these places.
 */
export interface PageState extends Stopping, Navigation {
  readonly layout: Layout;
  /** The sessions that are shown, in the order in which one reads them. */
  readonly halves: Accessor<readonly Half[]>;
  /** Whether what is drawn with this page has the keyboard. */
  isHere(): boolean;
  readonly sessions: Sessions;
  /** The other machines. */
  readonly hosts: Hosts;
  readonly route: Route;
  readonly appearance: Appearance;
  readonly ownWindow: OwnWindow;
  readonly settings: SettingsStore;
  readonly toasts: Toasts;
  readonly approvals: ApprovalQueue;
  /** What needs the person, in all sessions. */
  readonly needs: NeedsStore;
  /** The question that the person can answer now. */
  readonly currentApproval: CurrentApproval;
  readonly drafts: Drafts;
  readonly actions: Actions;
  /** The session that is shown, with all that belongs to it. */
  readonly shown: Accessor<ShownSession | undefined>;
  /** The page does not know yet what to show. */
  isLoading(): boolean;
  /** The selected session, if the daemon has it. */
  readonly info: Accessor<SessionInfo | undefined>;
  readonly search: Search;
  /** The agents that are here, whatever way they came. */
  readonly present: Present;
  /** Whether the agents' pane has a column, where there is room for one. */
  readonly pane: Accessor<Flap>;
  /** The agent's pane as a sheet, where it has no column. */
  readonly sheet: Accessor<Flap>;
  setSheet(sheet: Flap): void;
  isPaneShown(): boolean;
  togglePane(): void;
  readonly drawer: Accessor<Flap>;
  setDrawer(drawer: Flap): void;
  readonly overlay: Accessor<Overlay>;
  setOverlay(overlay: Overlay): void;
  /** The past is shown instead of the present. */
  readonly replaying: Accessor<boolean>;
  setReplaying(replaying: boolean): void;
  select(id: string): void;
  end(id: string): Promise<void>;
  /** Deletes an ended session. */
  remove(id: string): Promise<void>;
  /** Shows a session beside the one with the keyboard, and gives it the keyboard. */
  showBeside(id: string, side: Side): void;
  /** A session is dragged to a half from where this event was. */
  dragSession(event: PointerEvent, id: string): void;
  /** Where typing goes now: the prompt, or the program. */
  focus(): void;
}

export interface Half {
  readonly id: string;
  readonly page: PageState;
  readonly shown: Accessor<ShownSession | undefined>;
}

/** The page without its actions, from which they are made. */
export type ActionsPage = Omit<PageState, "actions">;

export interface ShownSession {
  readonly id: string;
  readonly live: Live;
  readonly control: Control;
  readonly shellLine: ShellLine;
  readonly transcript: Transcript;
  readonly cards: Cards;
  readonly links: Links;
  readonly images: Images;
  readonly agent: AgentConversation;
  readonly replay: Replay;
  readonly undo: Undo;
  /** Keys that an agent wants to type into the program but may not yet. */
  proposedKeys(): string | undefined;
  /** Agents that ran something, hold or ask here, or have their own level: "agent:NAME". */
  agents(): string[];
  /** Takes over what the list of sessions says about it. */
  onInfo(info: SessionInfo): void;
  /** Resolves when nothing of it is under way: the daemon has all keys, and we have its answers. */
  settled(): Promise<unknown>;
  dispose(): void;
}
