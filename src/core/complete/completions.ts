// What a person's line may become at Tab: what the session's own shell would offer, or names of files where it must not be
// asked. Decides: who is asked, what of it is shown, and for how long. Owns: the order of a session's questions. Refuses: to run
// anything itself, and to ask for an agent.
import type { ShellName } from "../../protocol/words/program.ts";
import type { Clock } from "../base/clock.ts";
import { extended, type Offer, type Offered, put, readOffers, readTab, type Written } from "./answers.ts";
import { type AskedShell, ShellStates } from "./shell-states.ts";
import type { SideQuestion, SideShells } from "./side-shells.ts";
import { namesIn } from "./state.ts";
import { asName, asOperand, charactersIn, isCommandWord, isDashed, lastWord, scriptWord, wouldRun } from "./words.ts";

type Kind = "command" | "option" | "variable" | "script" | "word" | "file" | "folder";

interface Candidate extends Offer {
  readonly kind: Kind;
}

/** A file or a folder, quoted for a shell. */
export interface NamedFile {
  readonly text: string;
  readonly kind: "file" | "folder";
}

interface Completed {
  readonly from: number;
  readonly candidates: readonly Candidate[];
  /** The line after Tab. */
  readonly becomes: Written;
  /** Why these are not the shell's own. */
  readonly note: string | null;
}

/** The session at the moment of the question. */
export interface Asking extends AskedShell {
  readonly shell: ShellName | null;
  readonly program: string;
  readonly cwd: string;
  /** A shell inside of the session's own reads the line, perhaps on another machine. Nothing here knows what it offers. */
  readonly isInside: boolean;
  /** An agent has the keyboard, or its text stands at the prompt. */
  readonly isAgents: boolean;
}

interface CompletionsParts {
  readonly clock: Clock;
  /** Nobody waits longer for a list, and what hangs must not stay. */
  readonly answer_ms: number;
  readonly side: SideShells;
  names(word: string, cwd: string): Promise<readonly NamedFile[]>;
  /** The scripts of the folder's package.json, with what they run. */
  scripts(cwd: string): Promise<readonly Offer[]>;
  /** What lies at this path, as it stands in a line. */
  kindOf(text: string, cwd: string): "file" | "folder" | undefined;
  /** Whether it is surely in none of these folders, and no folder here. */
  isNowhere(name: string, path: readonly string[], cwd: string): Promise<boolean>;
}

const NOTES = {
  inside: "nothing is offered for a shell inside of another program",
  agent: "file names only: an agent is typing here",
  shell: "file names only: this program's shell is not known",
  runs: "file names only: completing this line would run a part of it",
  busy: "file names only: the shell is busy",
  late: "file names only: the shell did not answer in time",
} as const;

export class Completions {
  readonly #parts: CompletionsParts;
  readonly #states: ShellStates;
  /** Of each session: the question that was asked last. */
  readonly #asked = new Map<string, Promise<unknown>>();

  constructor(parts: CompletionsParts) {
    this.#parts = parts;
    this.#states = new ShellStates(parts.clock);
  }

  async complete(asking: Asking, line: Written): Promise<Completed> {
    if (asking.isInside) return { from: line.caret, candidates: [], becomes: line, note: NOTES.inside };
    const script = await this.#scripts(asking, line);
    if (script) return script;
    const { shell } = asking;
    const why = this.#refusal(asking, line.text);
    if (why !== null || shell === null) return this.names(asking.cwd, line, why);
    const turn: Promise<Completed | string> = (this.#asked.get(asking.session_id) ?? Promise.resolve()).then(() =>
      this.#asked.get(asking.session_id) === turn ? this.#ask({ ...asking, shell }, line) : NOTES.busy,
    );
    this.#asked.set(asking.session_id, turn);
    const found = await turn;
    return typeof found === "string" ? this.names(asking.cwd, line, found) : found;
  }

  /** Those of these names that the session's shell would surely not find as a command. Nothing is run for it. */
  async unknown(asking: Asking, names: readonly string[]): Promise<string[]> {
    const { answer_ms, isNowhere } = this.#parts;
    if (asking.isAgents || asking.shell === null || answer_ms === 0) return [];
    const state = await this.#states.of(asking, answer_ms);
    const known = state === undefined ? null : namesIn(state);
    if (!known) return [];
    // zsh has commands for kinds of files, such as `.md`.
    const isNamed = (name: string) => known.names.has(name) || known.names.has(name.slice(name.lastIndexOf(".")));
    const isUnknown = async (name: string) => !isNamed(name) && isNowhere(name, known.path, asking.cwd);
    const found = await Promise.all(names.map(isUnknown));
    return names.filter((_, at) => found[at]);
  }

  /** Names of files only. Nothing is run for them. */
  async names(cwd: string, line: Written, note: string | null): Promise<Completed> {
    const { from, word } = lastWord(line.text.slice(0, line.caret));
    const named = await this.#parts.names(word, cwd);
    const candidates = named.map(({ text, kind }) => ({ text: asOperand(text), kind, about: "" }));
    return { ...filled(line, from, candidates), note };
  }

  ended(session_id: string): void {
    this.#states.ended(session_id);
    this.#asked.delete(session_id);
    this.#parts.side.end(session_id);
  }

  dispose(): Promise<void> {
    return this.#parts.side.dispose();
  }

  #refusal({ isAgents, shell }: Asking, line: string): string | null {
    const { unavailable } = this.#parts.side;
    if (isAgents) return NOTES.agent;
    if (shell === null) return NOTES.shell;
    if (wouldRun(line, shell)) return NOTES.runs;
    return unavailable && `file names only: ${unavailable}`;
  }

  /** npm needs a second and more to tell them, and bash does not know them at all. */
  async #scripts({ cwd }: Asking, line: Written): Promise<Completed | undefined> {
    const begun = scriptWord(line.text.slice(0, line.caret));
    const all = begun ? await this.#parts.scripts(cwd) : [];
    const offers = all.filter(({ text }) => text.startsWith(begun?.word ?? ""));
    const [only] = offers;
    if (!begun || !only) return undefined;
    const { from } = begun;
    const becomes = offers.length > 1 ? extended(line, { from, offers }) : put(line, from, `${only.text} `);
    return { from, candidates: offers.map((offer) => ({ ...offer, kind: "script" })), becomes, note: null };
  }

  /** A note instead of an answer: why there is none. */
  async #ask(asking: Asking & { readonly shell: ShellName }, line: Written): Promise<Completed | string> {
    const { clock, answer_ms, side } = this.#parts;
    const { session_id, shell, program, cwd } = asking;
    const endsAt = clock.monotonic() + answer_ms;
    const left = () => Math.max(1, endsAt - clock.monotonic());
    const state = await this.#states.of(asking, left());
    if (state === undefined && !side.isWarm(session_id)) return NOTES.busy;
    const point = charactersIn(line.text.slice(0, line.caret));
    const question = (what: SideQuestion["what"], told?: string): SideQuestion => ({
      ...{ shell, program, cwd, line: line.text, point, what },
      ...{ state: told, within_ms: left() },
    });
    const answer = await side.ask(session_id, question("all", state));
    if (answer === undefined) return NOTES.late;
    const offered = readOffers(shell, answer, line);
    if (offered.becomes) return this.#shown(asking, line, offered, offered.becomes);
    if (offered.offers.length !== 1) return this.#shown(asking, line, offered, extended(line, offered));
    const tab = await side.ask(session_id, question("one"));
    return tab === undefined
      ? NOTES.late
      : this.#shown(asking, line, offered, readTab(tab, line, offered.from) ?? line);
  }

  #shown({ cwd }: Asking, line: Written, { from, offers }: Offered, becomes: Written): Completed {
    const isCommand = isCommandWord(line.text.slice(0, from));
    const kindOf = ({ text }: Offer): Kind => {
      if (isDashed(text)) return this.#parts.kindOf(asName(text), cwd) ?? "option";
      if (/^["']?\$/.test(text)) return "variable";
      if (isCommand && !text.includes("/")) return "command";
      return this.#parts.kindOf(text, cwd) ?? "word";
    };
    const candidates = offers.map((offer) => {
      const kind = kindOf(offer);
      // bash and zsh leave out what shows that it is a folder.
      const text = kind === "folder" && !/["'/]$/.test(offer.text) ? `${offer.text}/` : offer.text;
      return { text: kind === "option" ? text : asOperand(text), kind, about: offer.about };
    });
    // The shell would insert a file's name as an option.
    const isOther = candidates.some(({ kind }, at) => kind !== "option" && isDashed(offers[at]?.text ?? ""));
    return { ...(isOther ? filled(line, from, candidates) : { from, candidates, becomes }), note: null };
  }
}

/** What Tab makes of the line, by the candidates alone. */
function filled(line: Written, from: number, candidates: readonly Candidate[]): Omit<Completed, "note"> {
  const [only] = candidates;
  if (!only) return { from, candidates, becomes: line };
  if (candidates.length > 1) return { from, candidates, becomes: extended(line, { from, offers: candidates }) };
  return { from, candidates, becomes: put(line, from, only.kind === "folder" ? only.text : `${only.text} `) };
}
