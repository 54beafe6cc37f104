// What is told of a session's commands.
import type { Block } from "./block.ts";
import type { Hello, LineAnswer } from "./marks.ts";

/** Called in the order of the output, but not for what happened before this process began. */
export interface BlocksEvents {
  began(block: Block): void;
  ended(block: Block): void;
  /** The shell shows its prompt and reads a line. */
  prompted(): void;
  answered(run_id: string, answer: LineAnswer, line: string): void;
  /** The shell waits until what was typed ahead is typed again. */
  typedAhead(cycle: number): void;
  /** A shell inside of this one says what it is. */
  hello(hello: Hello): void;
}
