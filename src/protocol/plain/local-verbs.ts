// CLI verbs that run on the caller's side: a terminal client and the processes themselves. No imports: the CLI loads it.
// What they do to sessions goes through the same daemon as everything else.

export interface LocalVerb {
  readonly verb: string;
  readonly summary: string;
  readonly usage: string;
  readonly flags: readonly { readonly flag: string; readonly type: "string" | "boolean"; readonly help: string }[];
  readonly examples: readonly string[];
}

export const LOCAL_VERBS: readonly LocalVerb[] = [
  {
    verb: "attach",
    summary:
      "Use a session in this terminal, or talk with the agent in a new one; the last row says which keys work now. Ctrl+\\ detaches; the session goes on.",
    usage: "attach [SESSION]",
    flags: [
      { flag: "watch", type: "boolean", help: "only look, never type" },
      { flag: "fit", type: "boolean", help: "give the session this terminal's size, less the status line" },
      { flag: "raw", type: "boolean", help: "byte for byte, without a status line; only Ctrl+\\ is not the program's" },
    ],
    examples: ["duetty attach", "duetty attach web", "duetty attach web --watch", "duetty attach web --raw"],
  },
  {
    verb: "replay",
    summary:
      "Play what a session showed, in its own time. Space pauses, q quits, arrows jump 5 s, 0 to 9 jump, + - speed.",
    usage: "replay SESSION",
    flags: [
      { flag: "speed", type: "string", help: "so many times as fast" },
      { flag: "from", type: "string", help: "begin at this moment (a cursor, t+3s, -5s …)" },
      { flag: "idle-limit", type: "string", help: "never wait longer than so many milliseconds" },
    ],
    examples: ["duetty replay web", "duetty replay web --speed 4 --idle-limit 500"],
  },
  {
    verb: "mcp",
    summary:
      "Offer the sessions to an MCP client over standard input and output; starts nothing until a tool is called.",
    usage: "mcp",
    flags: [
      { flag: "tier", type: "string", help: "which tools: readonly, drive, all (default; DUETTY_MCP_TIER)" },
      { flag: "as", type: "string", help: "agent:NAME instead of the client's own name" },
      { flag: "no-forms", type: "boolean", help: "questions only on duetty's own surfaces (DUETTY_MCP_FORMS=off)" },
    ],
    examples: ["duetty mcp", "duetty mcp --tier readonly", "claude mcp add --scope user duetty -- duetty mcp"],
  },
  {
    verb: "serve",
    summary: "Run the daemon in the foreground.",
    usage: "serve",
    flags: [],
    examples: ["duetty serve"],
  },
  {
    verb: "setup",
    summary:
      "Tell claude, codex, gemini, opencode, vscode or cursor about duetty: shows the change of its file, and asks. Without a client: lists them.",
    usage: "setup [CLIENT]",
    flags: [
      { flag: "print", type: "boolean", help: "only print what to paste; touch nothing" },
      { flag: "yes", type: "boolean", help: "write without a question" },
      { flag: "scope", type: "string", help: "user (default): everywhere; project: this folder" },
      { flag: "skill", type: "boolean", help: "also the skill that teaches it the CLI" },
      { flag: "remove", type: "boolean", help: "take it out again" },
      { flag: "json", type: "boolean", help: "print the whole answer as JSON" },
    ],
    examples: ["duetty setup", "duetty setup claude", "duetty setup codex --print", "duetty setup cursor --remove"],
  },
];
