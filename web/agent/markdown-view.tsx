// What an agent says, as nodes: each kind of piece has its element, and text is only ever text. The grammar is loaded when an
// agent first says something, because the page begins sooner without it; until then, and without it, the text is plain.
import { createComputed, createMemo, createSignal, For, Index, Match, on, onCleanup, Show, Switch } from "solid-js";
import type { Inline, Item, Piece } from "./markdown.ts";

/** A text that grows is read anew so rarely that reading takes this part of the time, however long the text is. */
const READING_PART = 0.1;

type Grammar = typeof import("./markdown.ts");
const [grammar, setGrammar] = createSignal<Grammar>();
let loading = false;

async function loadGrammar(): Promise<void> {
  if (loading) return;
  loading = true;
  try {
    setGrammar(await import("./markdown.ts"));
  } catch {
    // The daemon is away, or is a newer one: plain text can be read, and the next message tries again.
    loading = false;
  }
}

export function Markdown(props: { text: string }) {
  const pieces = createPieces(() => props.text);
  return (
    <div class="md">
      <Pieces pieces={pieces()} />
    </div>
  );
}

function createPieces(text: () => string): () => readonly Piece[] {
  const [due, setDue] = createSignal(text());
  let restsUntil = 0;
  void loadGrammar();
  createComputed(
    on(
      text,
      (now) => {
        const later = setTimeout(() => setDue(now), restsUntil - performance.now());
        onCleanup(() => clearTimeout(later));
      },
      { defer: true },
    ),
  );
  return createMemo<readonly Piece[]>((before) => {
    const [written, read] = [due(), grammar()];
    if (!read) return [{ kind: "paragraph", source: "", parts: [{ kind: "text", text: written }] }];
    const began = performance.now();
    const pieces = read.keptFrom(before, read.markdownOf(written));
    const ended = performance.now();
    restsUntil = ended + (ended - began) / READING_PART;
    return pieces;
  }, []);
}

function Pieces(props: { pieces: readonly Piece[] }) {
  return <Index each={props.pieces}>{(piece) => <Block piece={piece()} />}</Index>;
}

function Block(props: { piece: Piece }) {
  const as = <K extends Piece["kind"]>(kind: K) =>
    props.piece.kind === kind ? (props.piece as Extract<Piece, { kind: K }>) : undefined;
  return (
    <Switch>
      <Match when={as("paragraph")}>
        {(piece) => (
          <p>
            <Parts parts={piece().parts} />
          </p>
        )}
      </Match>
      <Match when={as("heading")}>
        {(piece) => (
          <p class="head" data-depth={piece().depth}>
            <strong>
              <Parts parts={piece().parts} />
            </strong>
          </p>
        )}
      </Match>
      <Match when={as("code")}>
        {(piece) => <pre data-language={piece().language || undefined}>{piece().text}</pre>}
      </Match>
      <Match when={as("list")}>{(piece) => <List piece={piece()} />}</Match>
      <Match when={as("quote")}>
        {(piece) => (
          <blockquote>
            <Pieces pieces={piece().pieces} />
          </blockquote>
        )}
      </Match>
      <Match when={as("rule")}>
        <hr />
      </Match>
      <Match when={as("table")}>{(piece) => <Table piece={piece()} />}</Match>
    </Switch>
  );
}

function List(props: { piece: Extract<Piece, { kind: "list" }> }) {
  const items = () => <For each={props.piece.items}>{(item) => <ListItem item={item} />}</For>;
  return (
    <Show when={props.piece.start !== undefined} fallback={<ul>{items()}</ul>}>
      <ol start={props.piece.start}>{items()}</ol>
    </Show>
  );
}

function ListItem(props: { item: Item }) {
  const { task, pieces } = props.item;
  return (
    <li class={task && "task"}>
      <Show when={task}>
        <span role="img" aria-label={task === "done" ? "done" : "to do"}>
          {task === "done" ? "☑" : "☐"}
        </span>
      </Show>
      <Pieces pieces={pieces} />
    </li>
  );
}

/** Scrolls by itself where it is wider than the pane. */
function Table(props: { piece: Extract<Piece, { kind: "table" }> }) {
  const align = (at: number) => props.piece.align[at] ?? undefined;
  return (
    <div class="table" tabindex={0}>
      <table>
        <thead>
          <tr>
            <For each={props.piece.head}>
              {(parts, at) => (
                <th scope="col" data-align={align(at())}>
                  <Parts parts={parts} />
                </th>
              )}
            </For>
          </tr>
        </thead>
        <tbody>
          <For each={props.piece.rows}>
            {(row) => (
              <tr>
                <For each={row}>
                  {(parts, at) => (
                    <td data-align={align(at())}>
                      <Parts parts={parts} />
                    </td>
                  )}
                </For>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </div>
  );
}

function Parts(props: { parts: readonly Inline[] }) {
  return <For each={props.parts}>{(part) => <Part part={part} />}</For>;
}

function Part(props: { part: Inline }) {
  const { part } = props;
  switch (part.kind) {
    case "text":
      return <>{part.text}</>;
    case "code":
      return <code>{part.text}</code>;
    case "strong":
      return (
        <strong>
          <Parts parts={part.parts} />
        </strong>
      );
    case "em":
      return (
        <em>
          <Parts parts={part.parts} />
        </em>
      );
    case "del":
      return (
        <del>
          <Parts parts={part.parts} />
        </del>
      );
    case "link":
      // The title says where it leads: the words may say something else.
      return (
        <a href={part.href} title={part.href} target="_blank" rel="noopener noreferrer">
          <Parts parts={part.parts} />
        </a>
      );
    default:
      return part satisfies never;
  }
}
