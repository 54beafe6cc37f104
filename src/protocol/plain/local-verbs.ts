// CLI verbs that run on the caller's side: a terminal client and the processes themselves. No imports: the CLI loads it.
// What they do to sessions goes through the same daemon as everything else.

export interface LocalVerb {
  readonly summary: string;
  /** Positional arguments, as help shows them. */
  readonly args: readonly string[];
  readonly flags: Readonly<Record<string, LocalFlag>>;
  readonly examples: readonly string[];
}

/** `value` is what help calls the text after the flag. */
type LocalFlag =
  | { readonly type: "boolean"; readonly short?: string; readonly help: string }
  | { readonly type: "string"; readonly value: string; readonly help: string };

export const LOCAL_VERBS = {
  attach: {
    summary:
      "Use a session in this terminal, or talk with the agent in a new one; the last row says which keys work now. Ctrl+\\ detaches; the session goes on.",
    args: ["[SESSION]"],
    flags: {
      watch: { type: "boolean", help: "only look, never type" },
      fit: { type: "boolean", help: "give the session this terminal's size, less the status line" },
      raw: { type: "boolean", help: "the whole terminal, without a status line; only Ctrl+\\ is not the program's" },
    },
    examples: ["duetty attach", "duetty attach web", "duetty attach web --watch", "duetty attach web --raw"],
  },
  app: {
    summary:
      "Open the page in a window of its own, where Ctrl+T and Ctrl+W are the terminal's: with Chromium, Chrome, Edge or Brave. Where there is none it prints the link.",
    args: ["[SESSION]"],
    flags: {
      browser: { type: "string", value: "PROGRAM", help: "this browser; it must know --app=URL" },
      profile: {
        type: "string",
        value: "own|user",
        help: "own (default): apart from your browser, without its extensions; user: as your browser",
      },
      json: { type: "boolean", help: "print the whole answer as JSON" },
    },
    examples: ["duetty app", "duetty app web", "duetty app --browser google-chrome --profile user"],
  },
  watch: {
    summary:
      "Follow all sessions, or one: a line for each change of sessions, agent CLIs, commands, questions and needs, until Ctrl+C. For people.",
    args: ["[SESSION]"],
    flags: { json: { type: "boolean", help: "one JSON object a line" } },
    examples: ["duetty watch", "duetty watch web", "duetty watch --json | jq -c 'select(.kind == \"need\")'"],
  },
  replay: {
    summary:
      "Play what a session showed, in its own time. Space pauses, q quits, arrows jump 5 s, 0 to 9 jump, + - speed.",
    args: ["SESSION"],
    flags: {
      speed: { type: "string", value: "N", help: "play this many times as fast" },
      from: { type: "string", value: "MOMENT", help: "begin at this moment (a cursor, t+3s, -5s …)" },
      "idle-limit": { type: "string", value: "MS", help: "never wait longer than this many milliseconds" },
    },
    examples: ["duetty replay web", "duetty replay web --speed 4 --idle-limit 500"],
  },
  mcp: {
    summary:
      "Offer the sessions to an MCP client over standard input and output; starts nothing until a tool is called.",
    args: [],
    flags: {
      tier: { type: "string", value: "TIER", help: "which tools: readonly, drive, all (default; DUETTY_MCP_TIER)" },
      as: { type: "string", value: "agent:NAME", help: "use this name instead of the client's own" },
      "text-only": {
        type: "boolean",
        help: "no structured content, for clients that show their model that instead of the text",
      },
      "no-forms": { type: "boolean", help: "show questions only on duetty's own surfaces (DUETTY_MCP_FORMS=off)" },
    },
    examples: ["duetty mcp", "duetty mcp --tier readonly", "claude mcp add --scope user duetty -- duetty mcp"],
  },
  hook: {
    summary: "For the hooks of agent CLIs: tells the daemon what the agent in this session does. Always succeeds.",
    args: ["[EVENT]"],
    flags: {},
    examples: ["duetty hook < event.json"],
  },
  serve: {
    summary: "Run the daemon in the foreground, on this machine alone or, with TLS, for others.",
    args: [],
    flags: {
      host: { type: "string", value: "ADDRESS", help: "also listen on this address of the machine, with TLS" },
      port: { type: "string", value: "PORT", help: "on this port (default 8737)" },
      "tls-cert": { type: "string", value: "FILE", help: "the certificate; its names are the ones that count" },
      "tls-key": { type: "string", value: "FILE", help: "its key" },
      "self-signed": { type: "boolean", help: "make a certificate and keep it; its fingerprint is printed" },
      fleet: { type: "string", value: "URL", help: "reach the fleet's broker there; this machine must be a member" },
    },
    examples: [
      "duetty serve",
      "duetty serve --host 0.0.0.0 --self-signed",
      "duetty serve --fleet nats://10.0.0.2:4222",
    ],
  },
  service: {
    summary: "Let the daemon start with your login: install or remove its systemd unit, or launchd's on macOS.",
    args: ["install|remove"],
    flags: { print: { type: "boolean", help: "only print the file; touch nothing" } },
    examples: ["duetty service install", "duetty service install --print", "duetty service remove"],
  },
  undo: {
    summary:
      "Bring the files of a session's workspace back to a restore point: shows the difference first, and asks. It can be undone itself.",
    args: ["SESSION"],
    flags: {
      to: {
        type: "string",
        value: "POINT",
        help: "a point of duetty points; default: the newest that differs from now",
      },
      path: { type: "string", value: "PATH", help: "only this file or folder of the workspace" },
      aside: { type: "boolean", help: "give what is not kept and in the way another name; otherwise it is left alone" },
      yes: { type: "boolean", short: "y", help: "go back without a question" },
      json: { type: "boolean", help: "print the whole answer as JSON; with --yes it goes back" },
    },
    examples: ["duetty undo web", "duetty undo web --to p_7f3k2m9q", "duetty undo web --path src --yes"],
  },
  restore: {
    summary:
      "Start sessions again that ended with the machine: shows them with what each would start, and asks. What agents opened and what is risky is asked about one by one.",
    args: ["[SESSION…]"],
    flags: {
      yes: {
        type: "boolean",
        short: "y",
        help: "start without a question: those that are named, or all that are not marked",
      },
      forget: { type: "boolean", help: "do not offer them again; what they showed stays readable" },
      json: { type: "boolean", help: "print the whole answer as JSON; with --yes they are started" },
    },
    examples: ["duetty restore", "duetty restore web --yes", "duetty restore --forget s_7f3k2m9q"],
  },
  redact: {
    summary:
      "Take secrets out of what comes in: keys, tokens, passwords become ‹redacted:kind:4hex›. Needs no daemon; the rules are those for agents.",
    args: [],
    flags: { json: { type: "boolean", help: "print no text, but what was found: kind and place of each, in bytes" } },
    examples: [
      "duetty redact < build.log",
      "kubectl get secrets -o yaml | duetty redact",
      "duetty redact --json < .env",
    ],
  },
  bridge: {
    summary:
      "For another machine of yours that reaches this one over ssh: starts what is missing, says where the daemon listens, and ends with its input.",
    args: [],
    flags: {},
    examples: ["ssh box duetty bridge"],
  },
  setup: {
    summary:
      "Tell claude, codex, gemini, opencode, vscode or cursor about duetty: shows the change of its file, and asks. Without a client: lists them.",
    args: ["[CLIENT]"],
    flags: {
      print: { type: "boolean", help: "only print what to paste; touch nothing" },
      yes: { type: "boolean", short: "y", help: "write without a question" },
      scope: { type: "string", value: "SCOPE", help: "user (default): everywhere; project: this folder" },
      skill: { type: "boolean", help: "also the skill that teaches it the CLI" },
      remove: { type: "boolean", help: "take it out again" },
      json: { type: "boolean", help: "print the whole answer as JSON" },
    },
    examples: ["duetty setup", "duetty setup claude", "duetty setup codex --print", "duetty setup cursor --remove"],
  },
} as const satisfies Readonly<Record<string, LocalVerb>>;

export type LocalVerbName = keyof typeof LOCAL_VERBS;
