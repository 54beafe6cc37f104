// The agents that we can read, as data. Words in the patterns are what the agents' own screens say. Where an agent was not seen
// on a screen of ours, its preset has only what is public of it, and says "unknown" more often.
import type { Box, Preset, Rule } from "./preset.ts";

type Rules = readonly Rule[];

const permission = (id: string, ...screen: RegExp[]): Rule => ({ id, state: "blocked", kind: "permission", screen });
const question = (id: string, ...screen: RegExp[]): Rule => ({ id, state: "blocked", kind: "question", screen });
const auth = (id: string, ...screen: RegExp[]): Rule => ({ id, state: "blocked", kind: "auth", screen });
const working = (id: string, ...screen: RegExp[]): Rule => ({ id, state: "working", screen });
const idle = (id: string, ...screen: RegExp[]): Rule => ({ id, state: "idle", screen });
const spins = (title: RegExp): Rule => ({ id: "title-spinner", state: "working", title, spins: true });

/** A choice of a dialog with the pointer of its menu, which people move. */
const CHOICE = /^[\s│┃|]*[❯›>●→▶]\s*(?:\d[.)]\s|(?:\d[.)]\s*)?(?:Yes|Allow|Approve|Proceed|No|Deny|Reject|Cancel)\b)/i;
/** The choice that stands first in most dialogs. */
const YES = /^[\s│┃|]*(?:[❯›>●→▶]\s*)?(?:1[.)]\s*)?(?:Yes|Allow|Approve|Proceed)\b/i;
const INTERRUPT = /\besc(?:ape)? (?:to )?(?:interrupt|cancel|stop)\b/i;
/** Beside a spinner or an elapsed time. A dialog says `Esc to cancel`, too, in its last line and without either. */
const BUSY = /(?:[⠀-⣿◐◓◑◒✦✶✻✽·✢*]|\(?\d+(?:\.\d+)?\s?m?s\b).*\besc(?:ape)? (?:to )?(?:interrupt|cancel|stop)\b/i;
const TRUST = /\b(?:do you )?trust (?:the files in |the contents of )?this (?:folder|directory|workspace)\b/i;
const LOGIN = /\b(?:sign in|log ?in|authenticate)\b.*[?:…]\s*$/i;
const NUMBERED = /^[\s│┃|]*[❯›>●→▶]\s*\d[.)]\s/;
const FIRST_YES = /^[\s│┃|]*(?:[❯›>●→▶]\s*)?1[.)]\s*Yes\b/;
/** Before the prompt signs, which look like the pointers of menus. */
const COMMON: Rules = [question("trust", TRUST, CHOICE, YES), auth("login", LOGIN, NUMBERED)];

/** A line after the first one is indented, so that a sign in somebody's text is none. */
const boxed = (sign: RegExp, hint?: RegExp): Box => ({
  sign: (text) => {
    const found = sign.exec(text);
    return found ? { at: found.index, length: found[0].length } : undefined;
  },
  hint,
  newline: "Ctrl+J",
});

interface More extends Partial<Pick<Preset, "asked" | "box" | "loads">> {
  readonly programs?: readonly string[];
  readonly apps?: readonly string[];
}

function preset(name: string, rules: Rules, more: More = {}): Preset {
  return {
    name,
    loads: more.loads,
    programs: [name, ...(more.programs ?? [])],
    apps: [name, ...(more.apps ?? [])],
    box: more.box,
    asked: more.asked,
    rules: [...COMMON, ...rules].map((rule) => ({ ...rule, id: `${name}/${rule.id}` })),
  };
}

/** A dialog, the hint at how to interrupt, and the empty prompt. */
const plain = (asks: RegExp, prompt?: RegExp): Rules => [
  permission("permission", asks),
  permission("menu", YES, CHOICE, /\b(?:allow|approve|permission|run|proceed|execute)\b/i),
  working("interrupt-hint", INTERRUPT),
  ...(prompt ? [idle("prompt", prompt)] : []),
];

const PROMPT = /^[\s│┃|]*[❯›>](?:\s|$)/;
const TYPE_HERE = /^Type your message(?: or @path\/to\/file)?$/;
const MENTION = /^(?:Type|Enter) @ to mention files(?:,?(?: or)? [/?#!&] for [\w/ ]+)*$/;
/** `?  Shell touch a` of Gemini and of what was made from it. */
const TOOL_ASKED = { row: /^[\s│]*\? +\w+ +\S/ };
const QWEN_ASKS = /\bAllow execution of:?/;

export const PRESETS: readonly Preset[] = [
  preset(
    "claude",
    [
      spins(/^[◐◓◑◒⠀-⣿]\s/),
      permission("permission", /\bDo you want to (?:proceed|make this edit|create|run|allow)\b/, NUMBERED, FIRST_YES),
      permission("dialog", FIRST_YES, NUMBERED, /\bEsc to cancel\b/),
      question("question", NUMBERED, /\b(?:Enter to select|Esc to cancel)\b/),
      working("interrupt-hint", BUSY),
      { id: "prompt", state: "idle", title: /^✳/, screen: [PROMPT] },
    ],
    {
      apps: ["claude-code"],
      asked: [{ under: /^[\s│]*(?:╌{8,}|Bash command[\s│]*$)/ }],
      box: boxed(/^(?:[│┃] ?)?[❯>](?:\s|$)/, /^Try ".*"$/),
    },
  ),
  preset(
    "codex",
    [
      { id: "title-action", state: "blocked", kind: "permission", title: /^\[ ?[!.] ?\] Action Required/ },
      spins(/^[⠀-⣿]\s/),
      permission("permission", /\bWould you like to (?:run the following command|make the following edits)\?/),
      working("interrupt-hint", INTERRUPT),
      idle("prompt", /^[\s│┃|]*›(?:\s|$)/),
    ],
    { loads: true, asked: [{ row: /^[\s│]*\$ \S/ }], box: { ...boxed(/^›(?:\s|$)/), isOpen: true } },
  ),
  preset(
    "gemini",
    [
      { id: "title-action", state: "blocked", kind: "permission", title: /^✋\s*Action Required/ },
      { id: "title-working", state: "working", title: /^✦\s*Working/ },
      { id: "title-ready", state: "idle", title: /^◇\s*Ready/ },
      permission("permission", /\bAllow execution of\b/),
      working("cancel-hint", INTERRUPT),
    ],
    { asked: [TOOL_ASKED], box: boxed(/^(?:[│┃] ?)? ?[>*](?:\s|$)/, TYPE_HERE) },
  ),
  preset(
    "opencode",
    [
      permission("permission", /△\s*Permission required/, /\bAllow once\b/),
      working("interrupt-hint", /\besc (?:to )?interrupt\b/),
      idle("prompt", /\bAsk anything\b|\bctrl\+p commands\b/),
    ],
    { asked: [{ row: /^[\s┃]*\$ \S/ }, { under: /△\s*Permission required/ }] },
  ),
  preset(
    "copilot",
    [
      permission("permission", /\bDo you want to (?:run this command|edit|create|allow)\b/, NUMBERED, FIRST_YES),
      question("trust-dialog", /\bConfirm folder trust\b|\btrust the files in this folder\b/i),
      working("status-line", /^\s*[○◎◉●]\s+(?:Working|Thinking)\b/),
      working("cancel-hint", INTERRUPT),
      // What it was asked stands above with a sign like that of a prompt.
      idle("prompt", /· \/ commands · \? help\b|· @ files · # issues\b/),
    ],
    { asked: [{ row: /^│ +│ \S/ }], box: boxed(/^(?:[│┃] ?)?[❯>](?:\s|$)/, MENTION) },
  ),
  preset(
    "qwen",
    [
      { id: "title-asks", state: "blocked", kind: "permission", title: /^✳\s*Qwen/ },
      spins(/^[◐◓◑◒]\s*Qwen/),
      permission("permission", QWEN_ASKS, NUMBERED, FIRST_YES),
      working("cancel-hint", BUSY),
      { id: "prompt", state: "idle", title: /^Qwen\b/, screen: [PROMPT] },
    ],
    { asked: [TOOL_ASKED], box: boxed(/^(?:[│┃] ?)?[>*](?:\s|$)/, TYPE_HERE) },
  ),
  preset("pi", [working("cancel-hint", INTERRUPT)]),
  preset("amp", [spins(/^[⠀-⣿◐◓◑◒]\s/), ...plain(/\bRun this command\?|\bInvoke tool\b/)]),
  preset("cline", plain(/\b(?:Approve|Allow) (?:this )?(?:command|edit|tool)\b/)),
  preset("cursor", plain(/\bRun this command\?|\bAllow this (?:command|tool)\b/, /^[\s│]*→\s/), {
    programs: ["cursor-agent"],
    apps: ["cursor-agent"],
  }),
  preset("droid", plain(/\bAllow (?:this )?(?:command|execution|tool)\b/)),
  preset("kilo", plain(/△\s*Permission required|\bAllow once\b/), { programs: ["kilocode"], apps: ["kilocode"] }),
  preset("qodercli", plain(/\bDo you want to proceed\?/), { programs: ["qoder"] }),
  preset("grok", [spins(/^[⠀-⣿◐◓◑◒]\s/), ...plain(/\bAllow (?:this )?(?:command|tool|edit)\b/)]),
  preset("hermes", [spins(/^[⠀-⣿◐◓◑◒]\s/), ...plain(/\bAllow (?:once|this)\b|\bDangerous command\b/i)]),
  preset("antigravity", plain(/\bAllow (?:execution|this)\b|\bDo you want to proceed\?/), { programs: ["agy"] }),
  preset("devin", plain(/\bAllow (?:this|command)\b/, PROMPT)),
  preset("kimi", plain(/\b(?:Approve|Allow) (?:once|for this session|this)\b/), { programs: ["kimi-code"] }),
  preset("kiro", plain(/\bAllow this action\?/, PROMPT), { programs: ["kiro-cli"] }),
  preset("maki", plain(/\bAllow (?:this|once)\b/, PROMPT)),
  preset("omp", []),
  preset("mastracode", []),
];
