// Agent mode of an attached session: the conversation with a prompt below it. Owns: both, as long as the person is
// attached, whatever else is shown meanwhile. Refuses: to write to the terminal (composed.ts does) and to decide what
// a key means (keys.ts, editor/keys.ts).
import { StringDecoder } from "node:string_decoder";
import { CallError, type Client } from "../../client/client.ts";
import type { AgentEvent, AgentStatus } from "../../protocol/ops/agent.ts";
import { ConversationRows } from "../conversation/conversation.ts";
import type { Entry } from "../conversation/rows.ts";
import { environment } from "../identity.ts";
import { type Picture, pictureOf, promptCols, type Scroll, talkRoom } from "./agent-picture.ts";
import { isAtWork } from "./agent-status.ts";
import type { Area } from "./canvas.ts";
import { type Editor, EMPTY_EDITOR, edited, remembered } from "./editor/editor.ts";
import { type PromptKey, promptKey } from "./editor/keys.ts";
import type { PromptInput } from "./keys.ts";
import type { AttachState, PromptText } from "./state.ts";

/** Events that are fetched at a time. */
const FETCH_MAX = 1_000;
/** A notch of the wheel. */
const WHEEL_ROWS = 3;
const SESSION_ENDED: Entry = {
  kind: "trouble",
  message: "this session has ended",
  hint: "duetty attach opens a new one; what was said here stays: duetty conversation",
  retry_in_ms: null,
};

interface AgentViewParts {
  readonly client: Client;
  readonly session_id: string;
  /** How things are now. */
  state(): AttachState;
  area(): Area;
  /** There is something new to draw. */
  changed(): void;
  notice(text: string): void;
  learned(status: AgentStatus): void;
  /** Goes to the terminal with a command to run there. */
  enter(command: string): void;
}

export class AgentView {
  #parts: AgentViewParts;
  #conversation = new ConversationRows();
  #editor: Editor = EMPTY_EDITOR;
  #decoder = new StringDecoder("utf8");
  #scroll: Scroll = { above: 0, total: 0 };
  /** Live events that came while the older ones were fetched. */
  #early: AgentEvent[] | undefined;
  #isAsking = false;

  constructor(parts: AgentViewParts) {
    this.#parts = parts;
  }

  get hasTalk(): boolean {
    return this.#conversation.hasWords;
  }

  get prompt(): PromptText {
    const { text } = this.#editor;
    return text === "" ? "empty" : text.startsWith("!") ? "command" : "words";
  }

  /** Loads earlier events. Live events wait meanwhile. */
  async load(): Promise<void> {
    const { client, session_id } = this.#parts;
    this.#early = [];
    try {
      for (;;) {
        const from = { session_id, since: this.#conversation.seq, limit: FETCH_MAX };
        const { events, status } = await client.agent_events(from);
        for (const event of events) this.#tell(event);
        this.#parts.learned(status);
        if (events.length < FETCH_MAX) break;
      }
    } catch (error) {
      this.#parts.notice(`the conversation could not be read: ${messageOf(error)}`);
    }
    const early = this.#early;
    this.#early = undefined;
    for (const event of early) this.#tell(event);
    this.#parts.changed();
  }

  onEvent(event: AgentEvent): void {
    if (this.#early) this.#early.push(event);
    else this.#tell(event);
  }

  exited(exit: { exit_code: number | null; signal: string | null }): void {
    this.#conversation.note({ kind: "exit", exit_code: exit.exit_code, signal: exit.signal });
  }

  input(inputs: readonly PromptInput[]): void {
    for (const input of inputs) this.#take(input);
  }

  picture(area: Area): Picture {
    const { picture, scroll } = pictureOf(this.#conversation, this.#editor, this.#scroll, area);
    this.#scroll = scroll;
    return picture;
  }

  #tell(event: AgentEvent): void {
    this.#conversation.add(event);
    if (event.type === "prompt" && event.actor === "person") this.#editor = remembered(this.#editor, event.text);
  }

  #take(input: PromptInput): void {
    switch (input.type) {
      case "text":
      case "paste":
        return this.#insert(this.#decoder.write(Buffer.from(input.bytes, "latin1")));
      case "wheel":
        return this.#scrollBy(-input.by * WHEEL_ROWS);
      case "key": {
        const key = promptKey(input.sequence);
        return key && this.#press(key);
      }
      default:
        return input satisfies never;
    }
  }

  #insert(text: string): void {
    this.#scroll = { ...this.#scroll, above: 0 };
    this.#editor = edited(this.#editor, { do: "insert", text }, this.#cols);
  }

  #press(key: PromptKey): void {
    switch (key.do) {
      case "edit":
        this.#editor = edited(this.#editor, key.edit, this.#cols);
        return;
      case "submit":
        return this.#submit();
      case "interrupt":
        this.#editor = edited(this.#editor, { do: "clear" }, this.#cols);
        return;
      case "scroll":
        return this.#scrollBy(-key.pages * Math.max(1, talkRoom(this.#editor, this.#parts.area()) - 1));
      case "scroll_to":
        this.#scroll = { ...this.#scroll, above: key.end === "top" ? this.#scroll.total : 0 };
        return;
      default:
        return key satisfies never;
    }
  }

  #submit(): void {
    const { text } = this.#editor;
    const { agent, state } = this.#parts.state();
    if (text.trim() === "") return agent?.state === "paused" ? void this.#goOn() : undefined;
    if (text.startsWith("!")) {
      this.#editor = edited(remembered(this.#editor, text), { do: "clear" }, this.#cols);
      return this.#parts.enter(text.slice(1).trim());
    }
    if (state === "done" || state === "failed" || state === "lost") return this.#conversation.note(SESSION_ENDED);
    if (isAtWork(agent) || this.#isAsking) return this.#parts.notice("busy: Esc stops the agent, your text stays");
    void this.#ask(text);
  }

  async #ask(text: string): Promise<void> {
    const { client, session_id } = this.#parts;
    this.#isAsking = true;
    this.#scroll = { ...this.#scroll, above: 0 };
    this.#editor = edited(remembered(this.#editor, text), { do: "clear" }, this.#cols);
    try {
      this.#parts.learned(await client.ask({ session_id, text, base_env: environment() }));
    } catch (error) {
      const hint = error instanceof CallError ? error.hint : "";
      this.#conversation.note({ kind: "trouble", message: messageOf(error), hint, retry_in_ms: null });
      // The task was refused. The text comes back, unless the person has typed something else.
      if (this.#editor.text === "") this.#insert(text);
    }
    this.#isAsking = false;
    this.#parts.changed();
  }

  async #goOn(): Promise<void> {
    const { client, session_id, state } = this.#parts;
    const action = state().agent?.step_by_step ? "step" : "resume";
    try {
      this.#parts.learned(await client.agent_control({ session_id, action }));
    } catch (error) {
      this.#parts.notice(messageOf(error));
    }
  }

  /** Positive numbers scroll towards earlier messages. */
  #scrollBy(rows: number): void {
    this.#scroll = { ...this.#scroll, above: Math.max(0, this.#scroll.above + rows) };
  }

  get #cols(): number {
    return promptCols(this.#parts.area());
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
