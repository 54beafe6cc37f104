// What an agent says, as nodes: each kind of piece has its element, and text is only ever text.
import { createMemo, For, Index, Match, Switch } from "solid-js";
import { type Inline, markdownOf, type Piece } from "./markdown.ts";

export function Markdown(props: { text: string }) {
  /** A piece that did not change stays the same node, so that what is being said does not flicker. */
  const pieces = createMemo<Piece[]>((before) => {
    const known = new Map(before.map((piece) => [piece.source, piece]));
    return markdownOf(props.text).map((piece) => {
      const same = known.get(piece.source);
      return same?.kind === piece.kind ? same : piece;
    });
  }, []);
  return (
    <div class="md">
      <Index each={pieces()}>{(piece) => <Block piece={piece()} />}</Index>
    </div>
  );
}

function Block(props: { piece: Piece }) {
  const as = <K extends Piece["kind"]>(kind: K) =>
    props.piece.kind === kind ? (props.piece as Extract<Piece, { kind: K }>) : undefined;
  return (
    <Switch>
      <Match when={as("paragraph")}>{(piece) => <p>{<Parts parts={piece().parts} />}</p>}</Match>
      <Match when={as("heading")}>
        {(piece) => (
          <p>
            <strong>
              <Parts parts={piece().parts} />
            </strong>
          </p>
        )}
      </Match>
      <Match when={as("code")}>{(piece) => <pre>{piece().text}</pre>}</Match>
      <Match when={as("bullets")}>{(piece) => <ul>{<Items items={piece().items} />}</ul>}</Match>
      <Match when={as("numbers")}>{(piece) => <ol>{<Items items={piece().items} />}</ol>}</Match>
    </Switch>
  );
}

function Items(props: { items: readonly (readonly Inline[])[] }) {
  return (
    <For each={props.items}>
      {(parts) => (
        <li>
          <Parts parts={parts} />
        </li>
      )}
    </For>
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
    case "bold":
      return (
        <strong>
          <Parts parts={part.parts} />
        </strong>
      );
    case "link":
      // Where it leads is told: the words may say something else.
      return (
        <a href={part.href} title={part.href} target="_blank" rel="noopener noreferrer">
          {part.text}
        </a>
      );
    default:
      return part satisfies never;
  }
}
