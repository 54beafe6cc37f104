// What to do next, in the words of the surface that is used: tools (MCP and HTTP), the CLI, or the page. A fault or an
// answer carries only the advice's name, in braces; the way out puts the words in its place. Pure.

import { FLEET_ADVICE } from "./words/fleet-advice.ts";

export type Surface = "tool" | "cli" | "page";

type Words = Readonly<Record<Surface, string>>;

/** `$` stands for what comes after the colon: {resume:r_1}. */
export const ADVICE = {
  sessions: {
    tool: "List them with pty_list.",
    cli: "List them with: duetty ls",
    page: "Choose one from the list.",
  },
  ...FLEET_ADVICE,
  end_first: {
    tool: "End it first with pty_close.",
    cli: "End it first with: duetty close $",
    page: "End it first.",
  },
  blocks: {
    tool: "List a session's commands with blocks.",
    cli: "List a session's commands with: duetty blocks SESSION",
    page: "Look for it in the session's transcript.",
  },
  approvals: {
    tool: "List the open ones with approvals.",
    cli: "List the open ones with: duetty approvals",
    page: "Open questions are shown above the prompt.",
  },
  answered: {
    tool: "Earlier answers are in approvals with all.",
    cli: "Earlier answers are in: duetty approvals --all",
    page: "The first answer counts.",
  },
  points: {
    tool: "List them with points.",
    cli: "List them with: duetty points SESSION",
    page: "Choose another point.",
  },
  agents: {
    tool: "List them with agents.",
    cli: "List them with: duetty agents",
    page: "The agent pane lists who can be asked.",
  },
  worktrees: {
    tool: "List them with worktree_list.",
    cli: "List them with: duetty worktree ls",
    page: "The board shows them.",
  },
  work_there: {
    tool: "Work in that session, or name another branch: $",
    cli: "Work there, or name another branch: duetty attach $",
    page: "Open that session, or name another branch.",
  },
  lose: {
    tool: "A person can lose them by naming the branch as lose: $",
    cli: "To lose them all the same: duetty worktree remove $ --lose $",
    page: "Type the branch's name to lose them: $",
  },
  setup_trust: {
    tool: "A person must read it and trust the folder: $",
    cli: "Read it, then run: duetty trust $",
    page: "Read it, then trust the folder: $",
  },
  trust: {
    tool: "A person must read its .duetty.json and trust the folder: $",
    cli: "Read its .duetty.json, then run: duetty trust $",
    page: "Read its .duetty.json, then trust the folder: $",
  },
  one_agent: {
    tool: "Name it with agent.",
    cli: "Name it with --agent NAME.",
    page: "Choose an agent.",
  },
  agent_level: {
    tool: "Give agent and level, and nothing else.",
    cli: "Use: duetty policy SESSION --agent NAME --level LEVEL",
    page: "Set only the agent's level.",
  },
  session_level: {
    tool: "Give some of them the level session again.",
    cli: "Give some of them the session's level again: --level session",
    page: "Give some of them the session's level again.",
  },
  explain: {
    tool: "Give command or commands.",
    cli: "Use: duetty explain -- CMD, or --stdin",
    page: "Type a command.",
  },
  command: {
    tool: "Give command, or resume.",
    cli: "Write it after --: duetty run SESSION -- CMD",
    page: "Type a command.",
  },
  no_command: {
    tool: "Give the command as command, and the session as session_id.",
    cli: "Write the command after it: duetty run $ -- CMD. If it is a command: duetty run -- $",
    page: "Type a command.",
  },
  resume: {
    tool: 'Go on with resume: "$".',
    cli: "Go on with: duetty run --resume $",
    page: "It goes on.",
  },
  read_ended: {
    tool: "Its last screen is still there: pty_read_screen. Open a new session to go on.",
    cli: "Its last screen is still there: duetty see $. Open a new session to go on.",
    page: "Its output stays readable. Open a new session to go on.",
  },
  another_name: {
    tool: "Choose another name.",
    cli: "Choose another --name.",
    page: "Choose another name.",
  },
  no_marks: {
    tool: "Type there with pty_send, then wait for input. Mode pipe runs it beside the session, on the machine that has it.",
    cli: "Type there with: duetty send $ --text CMD --keys Enter --wait-input. With --mode pipe it runs beside the session, on the machine that has it.",
    page: "Type in the terminal instead.",
  },
  keys: {
    tool: "Send keys with pty_send instead.",
    cli: "Send keys with: duetty send SESSION --keys KEYS",
    page: "Press the keys in the terminal instead.",
  },
  running: {
    tool: "Wait for block_end with pty_wait, stop it with signal, or use another session.",
    cli: "Wait with: duetty wait $ --block-end. Stop it with: duetty signal $. Or use another session.",
    page: "Wait until it ends, stop it with Ctrl+C, or use another session.",
  },
  asks_password: {
    tool: "Only a person may type it: ask_person with kind password. signal INT stops it.",
    cli: "Only a person may type it: duetty ask-person MESSAGE --kind password --session $ (duetty signal $ INT stops it)",
    page: "Type it in the terminal.",
  },
  asks_input: {
    tool: "Answer it with pty_send, or use another session.",
    cli: "Answer it with: duetty send $ --text TEXT --keys Enter. Or use another session.",
    page: "Answer it in the terminal, or use another session.",
  },
  when_ready: {
    tool: "Let it wait until the agent is ready, or wait for state idle with pty_wait.",
    cli: "Wait with: duetty wait $ --state idle",
    page: "Wait until it is done.",
  },
  agent_asks: {
    tool: "A prompt would answer its question. Tell the person; a choice is made by keys, with pty_send.",
    cli: "A prompt would answer its question. Look with: duetty see $. Choose with: duetty send $ --keys KEYS",
    page: "Answer its question in the terminal.",
  },
  send_keys: {
    tool: "Look with pty_read_screen; type with pty_send.",
    cli: "Look with: duetty see $. Type with: duetty send $",
    page: "Type in the terminal.",
  },
  no_prompt: {
    tool: "Look with pty_read_screen. If it is a prompt after all, type with pty_send.",
    cli: "Look with: duetty see $. If it is a prompt after all, type with: duetty send $",
    page: "Look at the terminal. If it is a prompt after all, type there.",
  },
  waits_password: {
    tool: "It asks for a password, which only a person may type: ask_person with kind password.",
    cli: "It asks for a password, which only a person may type: duetty ask-person MESSAGE --kind password --session $",
    page: "It asks for a password. Type it in the terminal.",
  },
  waits_line: {
    tool: "It waits for a line. Answer with pty_send, and wait for input or block_end.",
    cli: "It waits for a line. Answer with: duetty send $ --text TEXT --keys Enter --wait-input --see",
    page: "It waits for a line. Type it in the terminal.",
  },
  waits_keys: {
    tool: "It waits for a key. Go on with pty_send.",
    cli: "It waits for a key. Go on with: duetty send $ --keys KEYS --wait-input --see",
    page: "It waits for a key.",
  },
  waits_full_screen: {
    tool: "A full-screen program has the terminal. Go on with pty_send.",
    cli: "A full-screen program has the terminal. Go on with: duetty send $ --keys KEYS --wait-input --see",
    page: "A full-screen program has the terminal.",
  },
  still_running: {
    tool: "It still runs. Wait for block_end with pty_wait, or go on with resume.",
    cli: "It still runs. Wait with: duetty wait $ --block-end. Read it with: duetty block $:last",
    page: "It still runs.",
  },
  run_whole: {
    tool: "Use run_command for it.",
    cli: "Use duetty run for it.",
    page: "Run it as a command.",
  },
  elsewhere: {
    tool: "Ask the person to finish it, or leave session_id out to run this elsewhere.",
    cli: "Ask the person to finish it, or name no session to run this elsewhere.",
    page: "Finish it, or discard it.",
  },
  handed_back: {
    tool: "Read the screen, or wait with ask_person until the keyboard is handed back.",
    cli: "Read the screen, or wait until the keyboard is handed back: duetty ask-person MESSAGE --kind take_over",
    page: "Wait until the keyboard is handed back.",
  },
  plain_line: {
    tool: "It ran in a box: cd and variables end with the line. Integrated by a person, the shell keeps them.",
    cli: "It ran in a box: cd and variables end with the line. The shell keeps them after: duetty integrate $",
    page: "It ran in a box: cd and variables end with the line.",
  },
  name_host: {
    tool: "ask for the host with a run_command of its own that names it (curl https://HOST/…)",
    cli: "ask for the host with a run of its own that names it (duetty run -- curl https://HOST/…)",
    page: "run a command of its own that names the host",
  },
  leave_box: {
    tool: "ask to run it outside the box: run_command with box: false",
    cli: "ask to run it outside the box: duetty run --no-box",
    page: "run it outside the box yourself",
  },
  serve_here: {
    tool: "Start the server in the same session with `CMD &`, then ask it there; pty_open opens such a session.",
    cli: "Start the server in the same session with `CMD &`, then ask it there; duetty open --box opens such a session.",
    page: "Start the server in the same session with `CMD &`, then ask it there.",
  },
  whole_output: {
    tool: "block $ has all of it",
    cli: "all of it: duetty block $",
    page: "the card has all of it",
  },
  condition: {
    tool: "Give any or all, such as any: [{text: …}].",
    cli: "Name a condition, such as --text T, --input, --prompt, --settled MS or --exit.",
    page: "Name a condition.",
  },
  grant: {
    tool: "Only a person can grant you the exact bytes, for a while.",
    cli: "A person grants the exact bytes for a while with: duetty grant $ --raw",
    page: "A person grants the exact bytes for a while, in a terminal.",
  },
  what_grant: {
    tool: "Give raw: true.",
    cli: "Use: duetty grant SESSION --raw",
    page: "Name what is granted.",
  },
  any_change: {
    tool: "Wait for change or settled_ms instead.",
    cli: "Wait with --change or --settled MS instead.",
    page: "Wait for any change instead.",
  },
} as const satisfies Readonly<Record<string, Words>>;

export type AdviceName = keyof typeof ADVICE;

/** A mark that the way out replaces by words. */
export function advice(name: AdviceName, about = ""): string {
  return `{${name}${about === "" ? "" : `:${about}`}}`;
}

const MARK = /\{([a-z_]+)(?::([^{}]*))?\}/g;

/** The text with the words of a surface. What is no advice stays as it is. */
export function worded(text: string, surface: Surface): string {
  return text.replace(MARK, (mark, name: string, about = "SESSION") =>
    Object.hasOwn(ADVICE, name) ? ADVICE[name as AdviceName][surface].replaceAll("$", () => about) : mark,
  );
}

/** Where advice is looked for in an answer: a run's, and what a box refused it. */
const DEEPEST = 3;

/** The answer with hints in the words of a surface. Only what has such hints is copied: a list may have thousands of objects. */
export function withAdvice<T extends object>(answer: T, surface: Surface, depth = 0): T {
  let copy: T | undefined;
  for (const key of Object.keys(answer) as (keyof T & string)[]) {
    const value = answer[key];
    const said = key === "hint" && typeof value === "string" ? worded(value, surface) : inside(value, surface, depth);
    if (said === value) continue;
    copy ??= (Array.isArray(answer) ? [...answer] : { ...answer }) as T;
    copy[key] = said as T[keyof T & string];
  }
  return copy ?? answer;
}

function inside(value: unknown, surface: Surface, depth: number): unknown {
  return typeof value === "object" && value !== null && depth < DEEPEST ? withAdvice(value, surface, depth + 1) : value;
}
