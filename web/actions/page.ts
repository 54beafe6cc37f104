// What can be done on the page at any time: the palette's list and the keys.
import type { ActionsPage } from "../app/page-state.ts";
import type { SearchScope } from "../search/search.ts";
import { BOARD, diffAddress } from "../sessions/address.ts";
import { integrate } from "../sessions/integrating.ts";
import { isOver, labelOn } from "../sessions/labels.ts";
import { PALETTE_KEYS, TAKE_KEYS } from "../widgets/browser-keys.ts";
import type { Action } from "./actions.ts";
import { agentActions } from "./agent.ts";
import { approvalActions, policyActions } from "./approvals.ts";
import { commandActions } from "./commands.ts";
import { settingActions } from "./settings.ts";
import { splitActions } from "./splits.ts";

export function pageActions(page: ActionsPage): Action[] {
  return [
    ...sessionActions(page),
    ...taskActions(page),
    ...agentActions(page),
    ...controlActions(page),
    ...approvalActions(page),
    ...policyActions(page),
    ...commandActions(page),
    ...viewActions(page),
    ...windowActions(page),
    ...splitActions(page),
    ...settingActions(page),
    ...machines(page),
    ...places(page),
  ];
}

/** The form for a new session, with this machine chosen. */
function machines({ hosts, setOverlay }: ActionsPage): Action[] {
  return hosts.all().map(({ host }) => ({
    id: `session.new.${host}`,
    title: `New session on ${host}…`,
    group: "Session" as const,
    when: () => hosts.find(host)?.reach === "here",
    run() {
      hosts.want(host);
      setOverlay("new_session");
    },
  }));
}

function sessionActions(page: ActionsPage): Action[] {
  const shown = () => page.info();
  return [
    {
      id: "session.new",
      title: "New session…",
      group: "Session",
      keys: [{ code: "KeyN", alt: true }],
      run: () => page.setOverlay("new_session"),
    },
    {
      id: "session.needs",
      title: "What needs you…",
      group: "Session",
      words: "waiting blocked notifications",
      run: () => page.setOverlay("needs"),
    },
    {
      id: "session.next_need",
      title: "Go to what needs you next",
      group: "Session",
      keys: [{ code: "KeyJ", alt: true }],
      run: () => {
        const next = page.needs.next(page.info()?.session_id);
        if (next !== undefined) page.select(next);
      },
    },
    {
      id: "session.share",
      title: "Share this session…",
      group: "Session",
      words: "link guest invite",
      when: () => page.shown() !== undefined,
      run: () => page.setOverlay("share"),
    },
    {
      id: "session.integrate",
      title: "Integrate the shell in front",
      group: "Session",
      words: "ssh sudo docker nested",
      when: () => shown()?.unmarked !== undefined,
      run: () => void integrate(page),
    },
    {
      id: "session.end",
      title: "End this session",
      group: "Session",
      words: "close kill",
      when: () => shown() !== undefined && !isOver(shown()?.state ?? "done"),
      run: () => void page.end(shown()?.session_id ?? ""),
    },
  ];
}

function taskActions(page: ActionsPage): Action[] {
  return [
    {
      id: "session.board",
      title: "Board of tasks",
      group: "Session",
      words: "worktrees agents new task",
      keys: [{ code: "KeyB", alt: true }],
      run: () => (page.route.view() === "board" ? leaveBoard(page) : page.goTo(BOARD)),
    },
    {
      id: "session.diff",
      title: "Look at what changed in this worktree",
      group: "Session",
      words: "diff review merge",
      keys: [{ code: "KeyR", alt: true }],
      when: () => Boolean(page.info()?.worktree),
      run: () => page.goTo(diffAddress(page.info()?.session_id ?? "")),
    },
  ];
}

/** To the session that one came from. */
export function leaveBoard(page: Pick<ActionsPage, "layout" | "sessions" | "select" | "route">): void {
  const last = page.layout.last() ?? page.sessions.running()[0]?.session_id;
  if (last === undefined) page.route.select(undefined);
  else page.select(last);
}

function controlActions(page: ActionsPage): Action[] {
  const control = () => page.shown()?.control;
  const here = () => control() !== undefined;
  return [
    {
      id: "agent.stop",
      title: "Stop the agent",
      group: "Agent",
      words: "kill switch",
      when: here,
      run: () => page.stop(),
    },
    {
      id: "agent.take",
      title: "Take the keyboard, or hand it back",
      group: "Agent",
      keys: TAKE_KEYS,
      when: here,
      run: () => void (control()?.isTaken() ? control()?.release() : control()?.take()),
    },
    {
      id: "agent.mode",
      title: "Next mode: terminal, shared, agent",
      group: "Agent",
      keys: [
        { code: "Backquote", ctrl: true },
        // In a tab the browser takes it.
        ...(page.ownWindow.hasKeys() ? [{ code: "KeyT", ctrl: true as const }] : []),
      ],
      when: here,
      run: () => {
        const next = { terminal: "agent_terminal", agent_terminal: "agent", agent: "terminal" } as const;
        control()?.setMode(next[control()?.facts.policy?.mode ?? "agent_terminal"]);
      },
    },
  ];
}

function viewActions(page: ActionsPage): Action[] {
  const { settings } = page;
  return [
    {
      id: "view.palette",
      title: "Commands…",
      group: "View",
      keys: PALETTE_KEYS,
      run: () => page.setOverlay("palette"),
    },
    {
      id: "view.plain",
      title: settings.now.view === "cards" ? "Plain terminal without cards" : "One card per command",
      group: "View",
      keys: [{ code: "KeyM", alt: true }],
      run: () => settings.set({ view: settings.now.view === "cards" ? "plain" : "cards" }),
    },
    {
      id: "view.pane",
      title: page.isPaneShown() ? "Hide the agent's pane" : "Show the agent's pane",
      group: "View",
      keys: [{ code: "KeyA", alt: true }],
      run: () => page.togglePane(),
    },
    {
      id: "view.replay",
      title: page.replaying() ? "Go live" : "Replay this session",
      group: "View",
      when: () => page.shown() !== undefined,
      run: () => page.setReplaying(!page.replaying()),
    },
    {
      id: "view.search",
      title: "Search everywhere…",
      group: "View",
      words: "find",
      keys: [{ code: "KeyF", ctrl: true, shift: true }],
      run: () => openSearch(page, "everywhere"),
    },
    {
      id: "view.find",
      title: "Search this session…",
      group: "View",
      words: "find",
      keys: [{ code: "KeyF", ctrl: true }],
      when: () => page.shown() !== undefined,
      run: () => openSearch(page, "session"),
    },
    { id: "view.docs", title: "Docs…", group: "View", words: "help story", run: () => void window.open("/docs") },
    { id: "view.keys", title: "Keys…", group: "View", words: "shortcuts help", run: () => page.setOverlay("keys") },
  ];
}

function windowActions({ ownWindow }: ActionsPage): Action[] {
  return [
    {
      id: "view.full",
      title: ownWindow.isFull() ? "Leave the full screen" : "Full screen, with the browser's keys (hold Esc to leave)",
      group: "View",
      words: "ctrl+t ctrl+w keyboard lock",
      when: () => ownWindow.canFill(),
      run: () => ownWindow.fill(),
    },
  ];
}

function openSearch(page: ActionsPage, scope: SearchScope): void {
  page.search.setScope(scope);
  page.setOverlay("search");
}

function places(page: ActionsPage): Action[] {
  return page.sessions.running().map((session, i) => ({
    id: `go.${session.session_id}`,
    title: `Go to ${labelOn(session)}`,
    group: "Go to" as const,
    ...(i < 9 ? { keys: [{ code: `Digit${i + 1}`, alt: true as const }] } : {}),
    run: () => page.select(session.session_id),
  }));
}
