// Everything the palette can find: actions, the workspace's own checks, sessions, commands, and what to do with words that are
// none of these. Owns: their names there.
import type { Block } from "../../src/protocol/ops/blocks.ts";
import type { Output } from "../../src/protocol/ops.ts";
import type { PageState } from "../app/page-state.ts";
import { statusOf } from "../sessions/command-words.ts";
import { isOver, labelOn, shortPath } from "../sessions/labels.ts";
import { type Key, keyName } from "../widgets/keys.ts";
import type { Entry } from "./ranking.ts";

/** Before somebody types what they look for. */
const BLOCKS_LISTED = 50;
/** A title is one line. */
const COMMAND_CHARS = 80;

export interface PaletteEntry extends Entry {
  readonly keys?: string;
  readonly note?: string;
  run(): void;
}

export type Check = Output<"checks">["checks"][number];

const CHECK_NAMES: Readonly<Record<Check["name"], { title: string; words: string }>> = {
  test: { title: "Run the tests", words: "test check verify" },
  lint: { title: "Lint", words: "lint check verify style" },
  types: { title: "Check the types", words: "typecheck type-check tsc verify" },
  build: { title: "Build", words: "build compile verify" },
  format: { title: "Format", words: "format prettier" },
};

/** `past`: all commands of the shown session, once somebody looks for one. */
export function paletteEntries(page: PageState, checks: readonly Check[], past?: readonly Block[]): PaletteEntry[] {
  const actions = page.actions
    .all()
    .filter(({ id }) => id !== "view.palette")
    .map(({ keys, ...action }) => ({ ...action, ...keysOf(keys) }));
  return [...checks.map((check) => checkEntry(page, check)), ...actions, ...ended(page), ...commands(page, past)];
}

/** For words that match no entry: run them, ask the agent, or search for them. */
export function wordEntries(page: PageState, text: string): PaletteEntry[] {
  const group = "With these words";
  const shown = page.shown();
  const isOpen = shown !== undefined && !isOver(page.info()?.state ?? "done");
  const run = { id: "words.run", title: `Run “${text}” here`, group, run: () => void page.runHere(text) };
  const ask = {
    id: "words.ask",
    title: `Ask the agent “${text}”`,
    group,
    run() {
      page.goToAgent();
      void shown?.agent.ask(text, page.settings.now.agent ? { agent: page.settings.now.agent } : {});
    },
  };
  const search = {
    id: "words.search",
    title: `Search for “${text}”`,
    group,
    run() {
      page.search.setQuery(text);
      page.setOverlay("search");
    },
  };
  const canRun = isOpen && page.info()?.integration !== "none";
  return [...(canRun ? [run] : []), ...(isOpen && !shown.agent.busy() ? [ask] : []), search];
}

function keysOf(keys: readonly Key[] | undefined): { keys?: string } {
  const [first] = keys ?? [];
  return first ? { keys: keyName(first) } : {};
}

function checkEntry(page: PageState, { name, command, why }: Check): PaletteEntry {
  const { title, words } = CHECK_NAMES[name];
  return {
    id: `check.${name}.${command}`,
    title: `${title}: ${command}`,
    group: "Checks",
    words: `${words} ${command}`,
    note: why,
    run: () => void page.runHere(command),
  };
}

function ended(page: PageState): PaletteEntry[] {
  return page.sessions.ended().map((session) => ({
    id: `go.${session.session_id}`,
    title: `Go to ${labelOn(session)}`,
    group: "Go to",
    words: `session ended ${session.session_id} ${session.cwd}`,
    note: `ended · ${shortPath(session.cwd)}`,
    run: () => page.select(session.session_id),
  }));
}

function commands(page: PageState, past: readonly Block[] | undefined): PaletteEntry[] {
  const shown = page.shown();
  if (!shown) return [];
  const blocks = [...(past ?? shown.transcript.blocks.slice(-BLOCKS_LISTED))].reverse();
  const named = blocks.flatMap((block) => (block.cmd === null ? [] : [{ block, cmd: block.cmd }]));
  const jumps = named.map(({ block, cmd }) => ({
    id: `jump.${block.block_id}`,
    title: `Jump to ${oneLine(cmd)}`,
    group: "Go to",
    words: "command block",
    note: statusOf(block).word,
    run: () => page.goToBlock(shown.id, block.block_id),
  }));
  if (isOver(page.info()?.state ?? "done")) return jumps;
  const once = [...new Set(named.slice(0, BLOCKS_LISTED).map(({ cmd }) => cmd))];
  const reruns = once.map((cmd) => ({
    id: `rerun.${cmd}`,
    title: `Run again ${oneLine(cmd)}`,
    group: "Commands",
    words: "rerun re-run repeat",
    run: () => void page.runHere(cmd),
  }));
  return [...jumps, ...reruns];
}

function oneLine(command: string): string {
  const line = command.replaceAll(/\s+/g, " ").trim();
  return line.length > COMMAND_CHARS ? `${line.slice(0, COMMAND_CHARS - 1)}…` : line;
}
