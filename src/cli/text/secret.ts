// A secret that a person types: never an argument, where other users and histories see it. Without a terminal it is the first line
// of standard input.
import { once } from "node:events";

const [CTRL_C, CTRL_D, BACKSPACE, DELETE] = ["\u0003", "\u0004", "\b", "\u007f"];

/** Undefined: nothing was typed, or Ctrl+C. */
export async function typedSecret(question: string): Promise<string | undefined> {
  return process.stdin.isTTY ? typedUnseen(question) : firstLine();
}

async function typedUnseen(question: string): Promise<string | undefined> {
  const { stdin, stderr } = process;
  // First of all: who is quick types as soon as the question is there.
  stdin.setRawMode(true);
  stderr.write(question);
  let text = "";
  try {
    for (;;) {
      const [bytes] = await once(stdin.setEncoding("utf8").resume(), "data");
      for (const char of String(bytes)) {
        if (char === "\r" || char === "\n") return text || undefined;
        if (char === CTRL_C || char === CTRL_D) return undefined;
        text = char === BACKSPACE || char === DELETE ? [...text].slice(0, -1).join("") : text + char;
      }
    }
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write("\n");
  }
}

async function firstLine(): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks).toString().split(/\r?\n/, 1)[0] || undefined;
}
