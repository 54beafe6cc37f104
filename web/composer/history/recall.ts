// The way back through past commands by the arrow keys: those that begin like the text, the newest first. Owns: the position. After
// the newest comes the text itself.
import { call, isFault } from "../../wire/api.ts";

interface Recall {
  /** True when the key was used. */
  go(by: "older" | "newer", text: string): boolean;
  /** The text is another one now. */
  leave(): void;
}

export function createRecall(session_id: string, put: (text: string) => void): Recall {
  let way: { readonly begun: string; readonly all: readonly string[]; at: number } | undefined;
  let asked = 0;
  const show = () => way && put(way.all[way.at] ?? way.begun);

  async function begin(text: string): Promise<void> {
    asked += 1;
    const mine = asked;
    const answer = await call("history", { session_id, text, use: "recall" });
    if (mine !== asked || isFault(answer) || answer.commands.length === 0) return;
    way = { begun: text, all: answer.commands.map(({ cmd }) => cmd), at: 0 };
    show();
  }

  return {
    go(by, text) {
      if (way) {
        way.at = Math.min(Math.max(way.at + (by === "older" ? 1 : -1), -1), way.all.length - 1);
        show();
        if (way.at < 0) way = undefined;
        return true;
      }
      if (by === "newer") return false;
      void begin(text);
      return true;
    },
    leave() {
      // We ignore an answer that is still on its way.
      asked += 1;
      way = undefined;
    },
  };
}
