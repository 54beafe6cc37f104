// Text with some of its letters marked.
import { For } from "solid-js";

export function Marked(props: { text: string; at: readonly number[] }) {
  const pieces = () => {
    const marked = new Set(props.at);
    const out: { text: string; marked: boolean }[] = [];
    for (let i = 0; i < props.text.length; i += 1) {
      const last = out.at(-1);
      if (last && last.marked === marked.has(i)) last.text += props.text.charAt(i);
      else out.push({ text: props.text.charAt(i), marked: marked.has(i) });
    }
    return out;
  };
  return <For each={pieces()}>{(piece) => (piece.marked ? <mark>{piece.text}</mark> : piece.text)}</For>;
}
