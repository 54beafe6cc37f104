// <duetty-terminal session token url>: a live terminal or a transcript in any page. Owns: its attributes, and the one view that
// they ask for. It is made when the element comes into the page, and is gone with its socket when the element leaves it.
import { rootOf } from "../../client/address.ts";
import { CallError } from "../../client/client.ts";
import { Frame } from "./frame.ts";
import { type LinkFacts, Source } from "./source.ts";
import type { View, ViewParts } from "./view.ts";

const NAME = "duetty-terminal";
/** What a new view is needed for. */
const PLACE: readonly string[] = ["session", "token", "url", "view", "access"];
/** Set before the element was defined, these would hide what the class says. */
const PROPERTIES = ["session", "token", "url", "view", "access", "theme"] as const;
const FONT_PX = 13;

/** What happens in it. All of them bubble, and pass through shadow roots. */
export interface DuettyTerminalEvents {
  /** Something of this changed: the connection, the session, who has the keyboard. */
  "duetty-state": CustomEvent<{
    readonly phase: "connecting" | "open" | "reconnecting" | "closed";
    readonly state: string | undefined;
    readonly hold: string | undefined;
  }>;
  /** The program ended. */
  "duetty-exit": CustomEvent<{ readonly exit_code: number | null; readonly signal: string | null }>;
  /** An agent asks, or its question was settled. `answer` answers. */
  "duetty-approval": CustomEvent<{
    readonly approval: { readonly approval_id: string; readonly [field: string]: unknown };
    readonly settled: boolean;
  }>;
  /** It was refused, and is not tried again before an attribute changes. */
  "duetty-error": CustomEvent<{ readonly code: string; readonly message: string; readonly hint: string }>;
}

/** On a server there are no elements, and nothing is made: the import does no harm there. */
const Base: typeof HTMLElement = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

export class DuettyTerminal extends Base {
  static readonly observedAttributes: readonly string[] = [...PLACE, "font-size", "theme", "label"];
  #token: string | undefined;
  #frame: Frame | undefined;
  #view: View | undefined;
  /** Ends what the present attributes began. */
  #leave: AbortController | undefined;
  #isDue = false;
  /** What the view was made for. */
  #place = "";

  /** The session: its id, a unique beginning of it, or its name. */
  get session(): string {
    return this.getAttribute("session") ?? "";
  }
  set session(id: string) {
    this.setAttribute("session", id);
  }

  /** Set as a property, it stands nowhere in the page's markup. Without one the browser's cookies say who calls. */
  get token(): string {
    return this.#token ?? this.getAttribute("token") ?? "";
  }
  set token(token: string) {
    this.#token = token;
    this.#renew();
  }

  /** Where the daemon or the server is. Default: where the page came from. */
  get url(): string {
    const [given, { baseURI }] = [this.getAttribute("url") ?? "/", this.ownerDocument];
    // The page has a path of its own: what is ours begins at the root, or where the attribute says.
    return rootOf(URL.canParse(given, baseURI) ? new URL(given, baseURI) : given);
  }
  set url(url: string) {
    this.setAttribute("url", url);
  }

  get view(): "terminal" | "transcript" {
    return this.getAttribute("view") === "transcript" ? "transcript" : "terminal";
  }
  set view(view: "terminal" | "transcript") {
    this.setAttribute("view", view);
  }

  /** Who only watches sends no keys, and does not change the size of the session. */
  get access(): "input" | "watch" {
    return this.getAttribute("access") === "watch" ? "watch" : "input";
  }
  set access(access: "input" | "watch") {
    this.setAttribute("access", access);
  }

  /** Default: what the person's system prefers. */
  get theme(): "auto" | "light" | "dark" {
    const theme = this.getAttribute("theme");
    return theme === "light" || theme === "dark" ? theme : "auto";
  }
  set theme(theme: "auto" | "light" | "dark") {
    this.setAttribute("theme", theme);
  }

  /** As if it had been typed here. False: it was not sent, and will not be. */
  write(text: string): boolean {
    return this.#view?.write(text) ?? false;
  }

  override focus(): void {
    this.#view?.focus();
  }

  /** From now on the session has the size of this element. */
  fit(): void {
    this.#view?.fit();
  }

  /** Answers a question of `duetty-approval`. False: there is no connection. Whether it counts, the token decides. */
  answer(approval_id: string, answer: "approve" | "deny"): boolean {
    return this.#view?.send({ type: "answer", approval_id, answer }) ?? false;
  }

  /** Reads the CSS variables again. It is done by itself when classes or styles of the page's root change. */
  retheme(): void {
    this.#frame?.setTheme(this.theme);
    this.#view?.retheme();
  }

  connectedCallback(): void {
    for (const name of PROPERTIES) adopt(this, name);
    this.#frame ??= new Frame(this.attachShadow({ mode: "open" }));
    this.#renew();
  }

  disconnectedCallback(): void {
    // An element that is only moved comes back in the same turn.
    queueMicrotask(() => {
      if (!this.isConnected) this.#end();
    });
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (before === now || !this.#leave) return;
    if (PLACE.includes(name)) return this.#renew();
    if (name === "font-size") this.#view?.setFont(this.#fontPx());
    if (name === "theme") this.retheme();
    if (name === "label") this.#frame?.setLabel(this.#label());
  }

  /** Several attributes that change in one turn make one view. */
  #renew(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      if (this.isConnected) void this.#begin();
    });
  }

  async #begin(): Promise<void> {
    const frame = this.#frame;
    if (!frame || (this.#leave && !this.#hasMoved())) return;
    this.#end();
    const leave = new AbortController();
    this.#leave = leave;
    this.#place = this.#placeNow();
    frame.setLabel(this.#label());
    this.retheme();
    followPage(this.ownerDocument, leave.signal, () => this.retheme());
    if (this.session === "") return frame.say("");
    frame.say("Connecting…");
    try {
      const view = await made(this.view, this.#parts(frame, leave.signal));
      if (leave.signal.aborted) return view.dispose();
      this.#view = view;
    } catch (error) {
      if (leave.signal.aborted) return;
      // Otherwise its file could not be loaded.
      const load = { code: "load", message: String(error), hint: "Reload the page." };
      this.#refused(error instanceof CallError ? error : load);
    }
  }

  /** Who was only moved has the same place as before. */
  #placeNow(): string {
    return JSON.stringify([this.session, this.token, this.getAttribute("url"), this.view, this.access]);
  }

  #hasMoved(): boolean {
    return this.#place !== this.#placeNow();
  }

  #parts(frame: Frame, signal: AbortSignal): ViewParts {
    const { session, access } = this;
    const source = new Source(this.url, this.token);
    return {
      session,
      access,
      source,
      signal,
      stage: frame.stage(),
      font: this.#fontPx(),
      onFacts: (facts) => {
        frame.show(facts);
        this.#tell("duetty-state", stateIn(facts));
      },
      onExit: (exit) => this.#tell("duetty-exit", exit),
      onApproval: (approval, settled) => this.#tell("duetty-approval", { approval, settled }),
      onNotice: (text) => frame.notice(text),
      onRefused: (wrong) => this.#refused(wrong),
    };
  }

  #refused({ code, message, hint }: DuettyTerminalEvents["duetty-error"]["detail"]): void {
    this.#frame?.say(`${message} ${hint}`.trim());
    this.#tell("duetty-error", { code, message, hint });
  }

  #end(): void {
    this.#leave?.abort();
    this.#leave = undefined;
    this.#view?.dispose();
    this.#view = undefined;
  }

  #tell<N extends keyof DuettyTerminalEvents>(name: N, detail: DuettyTerminalEvents[N]["detail"]): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  #fontPx(): number {
    return Number.parseFloat(this.getAttribute("font-size") ?? "") || FONT_PX;
  }

  #label(): string {
    return this.getAttribute("label") ?? (this.view === "terminal" ? "Terminal" : "Commands of a terminal");
  }
}

/** Once for each page, however often it is called. */
export function defineDuettyTerminal(): void {
  const elements = globalThis.customElements;
  if (elements && !elements.get(NAME)) elements.define(NAME, DuettyTerminal);
}

/** xterm is most of it, and is loaded only where a terminal is shown. */
async function made(kind: "terminal" | "transcript", parts: ViewParts): Promise<View> {
  if (kind === "transcript") return new (await import("./transcript-view.ts")).TranscriptView(parts);
  return new (await import("./terminal-view.ts")).TerminalView(parts);
}

function stateIn({ phase, state, hold }: LinkFacts): DuettyTerminalEvents["duetty-state"]["detail"] {
  return { phase, state, hold };
}

/** Pages change their colours by a class, a style or an attribute of their root. */
function followPage({ documentElement, body }: Document, signal: AbortSignal, onChange: () => void): void {
  const watch = new MutationObserver(onChange);
  for (const root of [documentElement, body]) watch.observe(root, { attributes: true });
  signal.addEventListener("abort", () => watch.disconnect());
  matchMedia("(prefers-color-scheme: light)").addEventListener("change", onChange, { signal });
}

function adopt(element: DuettyTerminal, name: (typeof PROPERTIES)[number]): void {
  if (!Object.hasOwn(element, name)) return;
  const given = element[name];
  Reflect.deleteProperty(element, name);
  Reflect.set(element, name, given);
}

declare global {
  interface HTMLElementTagNameMap {
    "duetty-terminal": DuettyTerminal;
  }
  interface HTMLElementEventMap extends DuettyTerminalEvents {}
}
