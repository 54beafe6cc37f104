// The wait conditions as CLI flags. No imports: the CLI loads it.

interface ConditionFlag {
  readonly flag: string;
  readonly type: "string" | "number" | "boolean";
  /** The key of the condition object it becomes, e.g. {"settled_ms": 200}. */
  readonly key: string;
  readonly into: "any" | "stop";
  readonly help: string;
}

export const CONDITION_FLAGS: readonly ConditionFlag[] = [
  { flag: "text", type: "string", key: "text", into: "any", help: "this text appears" },
  { flag: "regex", type: "string", key: "regex", into: "any", help: "a match of this regular expression appears" },
  { flag: "gone", type: "string", key: "gone", into: "any", help: "this text is not on the screen (any more)" },
  { flag: "change", type: "boolean", key: "change", into: "any", help: "anything visible changes" },
  { flag: "settled", type: "number", key: "settled_ms", into: "any", help: "the screen did not change for MS" },
  { flag: "idle", type: "number", key: "idle_ms", into: "any", help: "no output and no work for MS" },
  { flag: "exit", type: "boolean", key: "exit", into: "any", help: "the program ended" },
  {
    flag: "prompt",
    type: "boolean",
    key: "prompt",
    into: "any",
    help: "the shell, or another program, asks for a line",
  },
  { flag: "input", type: "boolean", key: "input", into: "any", help: "the program in front reads input again" },
  { flag: "block-end", type: "boolean", key: "block_end", into: "any", help: "the running command ended" },
  { flag: "echo-off", type: "boolean", key: "echo_off", into: "any", help: "the program asks for a password" },
  {
    flag: "state",
    type: "string",
    key: "state",
    into: "any",
    help: "the agent CLI in front is starting, working, blocked, idle, done, error or unknown",
  },
  { flag: "stop-text", type: "string", key: "text", into: "stop", help: "give up when this text appears" },
];

/** The flag that asks for all conditions at a time instead of one of them. */
export const ALL_FLAG = "all";
