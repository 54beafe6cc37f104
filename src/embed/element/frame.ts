// What stands around a view in the shadow root: its colours, its name for screen readers, and one line that says how it goes.
// Owns: those elements. Refuses: to know sessions.
import type { LinkFacts } from "./source.ts";
import { ELEMENT_CSS, styleWith } from "./styles.ts";

/** How long a message of the daemon stays. */
const NOTICE_MS = 6_000;

export class Frame {
  #frame = document.createElement("div");
  #status = document.createElement("p");
  #stage: HTMLElement | undefined;
  #said = "";
  #noticeEnd: ReturnType<typeof setTimeout> | undefined;

  constructor(root: ShadowRoot) {
    this.#frame.className = "frame";
    this.#frame.setAttribute("part", "frame");
    this.#frame.setAttribute("role", "group");
    this.#status.className = "status";
    this.#status.setAttribute("part", "status");
    this.#status.setAttribute("role", "status");
    this.#frame.append(this.#status);
    root.append(this.#frame);
    styleWith(this.#frame, ELEMENT_CSS);
    this.say("");
  }

  /** An empty place for the next view. */
  stage(): HTMLElement {
    this.#stage?.remove();
    this.#stage = document.createElement("div");
    this.#frame.prepend(this.#stage);
    return this.#stage;
  }

  setLabel(label: string): void {
    this.#frame.setAttribute("aria-label", label);
  }

  setTheme(theme: "auto" | "light" | "dark"): void {
    const preferred = matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
    this.#frame.dataset.theme = theme === "auto" ? preferred : theme;
  }

  show(facts: LinkFacts): void {
    this.say(wordsFor(facts));
  }

  say(text: string): void {
    this.#said = text;
    clearTimeout(this.#noticeEnd);
    this.#status.textContent = text;
    this.#status.hidden = text === "";
  }

  /** For a while. */
  notice(text: string): void {
    const before = this.#said;
    this.say(text);
    this.#noticeEnd = setTimeout(() => this.say(before), NOTICE_MS);
  }
}

function wordsFor({ phase, end, state }: LinkFacts): string {
  if (phase === "connecting") return "Connecting…";
  if (phase === "reconnecting") return "Reconnecting… The session keeps running.";
  if (end) return end.signal === null ? `Ended with exit code ${end.exit_code}.` : `Ended by ${end.signal}.`;
  if (state === "lost") return "Lost: its program is gone.";
  return state === "done" || state === "failed" ? "Ended." : "";
}
