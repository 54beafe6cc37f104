// The wait conditions as CLI flags. No imports: the CLI loads it.

export interface ConditionFlag {
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
  { flag: "change", type: "boolean", key: "change", into: "any", help: "anything visible changes" },
  { flag: "settled", type: "number", key: "settled_ms", into: "any", help: "the screen did not change for MS" },
  { flag: "exit", type: "boolean", key: "exit", into: "any", help: "the program ended" },
  { flag: "stop-text", type: "string", key: "text", into: "stop", help: "give up when this text appears" },
];
