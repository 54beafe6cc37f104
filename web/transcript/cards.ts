// What a person does with the cards of the shown session: which one is selected, which are folded, which output is open, and the
// verbs of a card. Owns: no list (transcript.ts) and no output (frozen.ts).
import { type Accessor, createSignal } from "solid-js";
import type { Block } from "../../src/protocol/ops/blocks.ts";
import type { CopyForm } from "../reading/copies.ts";
import type { DrawnKind } from "../reading/kinds.ts";
import { blockAddress } from "../sessions/address.ts";
import { grouped } from "../text/numbers.ts";
import { toClipboard } from "../widgets/clipboard.ts";
import type { Toasts } from "../widgets/toasts.ts";
import { call, isFault } from "../wire/api.ts";
import { copyAs } from "./copying.ts";
import { createFrozen, type Frozen } from "./frozen.ts";
import { matches } from "./listing.ts";
import { readText, TEXT_LINES_MAX } from "./outputs.ts";
import type { Transcript } from "./transcript.ts";

/** How far back a link is followed: 20,000 commands. */
const REVEAL_PAGES_MAX = 20;

export type CopyWhat = "command" | "output" | "both" | "link";
/** A card to scroll to. It is a new object each time, even for the same card. */
export interface Aim {
  readonly id: string;
  readonly flash: boolean;
}

export interface Cards {
  readonly frozen: Frozen;
  /** The selected card. Keys and the palette act on it. */
  readonly current: Accessor<string | undefined>;
  setCurrent(id: string | undefined): void;
  readonly aim: Accessor<Aim | undefined>;
  go(where: "previous" | "next" | "first" | "last"): void;
  /** The nearest one that failed, before or after the selected card. */
  goFailed(where: "previous" | "next"): Promise<void>;
  /** Loads earlier commands until it is found. */
  reveal(id: string): Promise<void>;
  isFolded(id: string): boolean;
  fold(id: string): void;
  /** The command whose full output is open, and whether its search is open. */
  readonly open: Accessor<{ readonly block: Block; readonly find: boolean } | undefined>;
  openOutput(block: Block, what?: "read" | "find"): void;
  closeOutput(): void;
  copy(block: Block, what: CopyWhat): Promise<void>;
  copyAs(block: Block, form: CopyForm): Promise<void>;
  /** What its output is drawn as. Undefined: text. */
  drawnAs(id: string): DrawnKind | undefined;
  draw(id: string, kind: DrawnKind | undefined): void;
  rerun(block: Block): Promise<void>;
  /** The selected card, or the last one. */
  subject(): Block | undefined;
}

export function createCards(session_id: string, transcript: Transcript, toasts: Toasts): Cards {
  const [current, setCurrent] = createSignal<string>();
  const [aim, setAim] = createSignal<Aim>();
  const [folded, setFolded] = createSignal<ReadonlySet<string>>(new Set());
  const [open, setOpen] = createSignal<{ block: Block; find: boolean }>();
  const onFault = (message: string) => toasts.fault({ fault: true, code: "page", message, hint: "" });
  const shown = () => transcript.shown().blocks;
  const subject = () => shown().find(({ block_id }) => block_id === current()) ?? shown().at(-1);

  function go(where: "previous" | "next" | "first" | "last"): void {
    const list = shown();
    const at = list.findIndex(({ block_id }) => block_id === current());
    const to = { previous: (at < 0 ? list.length : at) - 1, next: at < 0 ? list.length - 1 : at + 1, first: 0 };
    const index = where === "last" ? list.length - 1 : Math.min(list.length - 1, Math.max(0, to[where]));
    const id = list[index]?.block_id;
    if (id === undefined) return;
    setCurrent(id);
    setAim({ id, flash: false });
  }

  async function reveal(id: string): Promise<void> {
    const has = () => shown().some(({ block_id }) => block_id === id);
    if (!has()) transcript.setFilter("all");
    for (let page = 0; !has() && page < REVEAL_PAGES_MAX && transcript.earlier() > 0; page += 1)
      await transcript.loadEarlier("far");
    if (!has()) return onFault("This command is not in the transcript.");
    setCurrent(id);
    setAim({ id, flash: true });
  }

  async function goFailed(where: "previous" | "next"): Promise<void> {
    const id = await failedNear(session_id, shown(), current(), where);
    if (id === undefined) toasts.notify(`No ${where === "next" ? "later" : "earlier"} command failed.`);
    else await reveal(id);
  }

  async function copy(block: Block, what: CopyWhat): Promise<void> {
    const text = await textOf(session_id, block, what);
    if (typeof text === "string") return onFault(text);
    const done = await toClipboard(text.text);
    if (done) toasts.notify(text.said);
    else onFault("The browser did not let us copy.");
  }

  const frozen = createFrozen(onFault);
  return {
    frozen,
    ...createDrawings(),
    ...{ current, setCurrent, aim, go, goFailed, reveal, open, copy, subject },
    copyAs: (block, form) =>
      copyAs(block, form, frozen.body(block.block_id)).then(toasts.notify, (error: Error) => onFault(error.message)),
    isFolded: (id) => folded().has(id),
    fold: (id) => setFolded((ids) => new Set(ids.has(id) ? [...ids].filter((one) => one !== id) : [...ids, id])),
    openOutput: (block, what = "read") => setOpen({ block: { ...block }, find: what === "find" }),
    closeOutput: () => setOpen(undefined),
    rerun: ({ cmd }) => rerun(session_id, cmd, toasts),
  };
}

async function rerun(session_id: string, cmd: string | null, toasts: Toasts): Promise<void> {
  const untold = {
    fault: true,
    code: "page",
    message: "The shell did not tell what this command was.",
    hint: "",
  } as const;
  // The transcript shows its output, so nobody waits for its end here.
  const answer = cmd === null ? untold : await call("run_command", { session_id, command: cmd, timeout_ms: 0 });
  if (isFault(answer)) toasts.fault(answer);
}

function createDrawings(): Pick<Cards, "drawnAs" | "draw"> {
  const [drawn, setDrawn] = createSignal<ReadonlyMap<string, DrawnKind | undefined>>(new Map());
  return {
    drawnAs: (id) => drawn().get(id),
    draw: (id, kind) => setDrawn((now) => new Map(now).set(id, kind)),
  };
}

/** The failed command next to a card, or to the end of the list. The daemon knows of earlier ones that are not loaded. */
async function failedNear(
  session_id: string,
  list: readonly Block[],
  from: string | undefined,
  where: "previous" | "next",
): Promise<string | undefined> {
  const at = from === undefined ? -1 : list.findIndex(({ block_id }) => block_id === from);
  const isFailed = (block: Block) => matches(block, "failed");
  if (where === "next") return at < 0 ? undefined : list.slice(at + 1).find(isFailed)?.block_id;
  const near = list.slice(0, at < 0 ? undefined : at).findLast(isFailed);
  const before = list[0]?.block_id;
  if (near || before === undefined) return near?.block_id;
  const answer = await call("blocks", { session_id, before, failed: true, limit: 1 });
  return isFault(answer) ? undefined : answer.blocks[0]?.block_id;
}

async function textOf(session: string, block: Block, what: CopyWhat): Promise<{ text: string; said: string } | string> {
  if (what === "link") return { text: linkTo(session, block.block_id), said: "Link copied." };
  if (what === "command") return { text: block.cmd ?? "", said: "Command copied." };
  const output = await readText(block.block_id);
  if (typeof output === "string") return output;
  const body = output.lines.join("\n");
  const cut = output.total > TEXT_LINES_MAX ? `the first ${grouped(TEXT_LINES_MAX)} of ` : "";
  const said = `Copied ${cut}${grouped(output.total)} line${output.total === 1 ? "" : "s"}.`;
  return { text: what === "both" ? `$ ${block.cmd ?? ""}\n${body}` : body, said };
}

function linkTo(session: string, block: string): string {
  return `${location.origin}${location.pathname}${blockAddress(session, block)}`;
}
