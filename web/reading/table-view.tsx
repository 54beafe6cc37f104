// A table that sorts by a click on a head, as numbers where a column has them.
import { createMemo, createSignal, For, Show } from "solid-js";
import { marked } from "../../src/core/base/invisible.ts";
import { grouped } from "../text/numbers.ts";
import { sortedBy, type Table } from "./table.ts";

/** Rows that are drawn at once. */
const ROWS_STEP = 200;

export function TableView(props: { table: Table }) {
  const [order, setOrder] = createSignal<{ readonly column: number; readonly down: boolean }>();
  const [count, setCount] = createSignal(ROWS_STEP);
  const rows = createMemo(() => {
    const by = order();
    return by ? sortedBy(props.table.rows, by.column, by.down) : props.table.rows;
  });
  const left = () => rows().length - count();
  const turn = (column: number) => setOrder((now) => ({ column, down: now?.column === column && !now.down }));
  const sort = (column: number) => {
    const now = order();
    if (now?.column !== column) return "none";
    return now.down ? "descending" : "ascending";
  };
  return (
    <section class="table" tabindex={0} aria-label="Table">
      <table>
        <thead>
          <tr>
            <For each={props.table.head}>
              {(name, i) => (
                <th aria-sort={sort(i())}>
                  <button type="button" onClick={() => turn(i())}>
                    {marked(name) || "–"}
                    <span aria-hidden="true">{{ none: "", ascending: " ↑", descending: " ↓" }[sort(i())]}</span>
                  </button>
                </th>
              )}
            </For>
          </tr>
        </thead>
        <tbody>
          <For each={rows().slice(0, count())}>
            {(row) => (
              <tr>
                <For each={row}>
                  {(cell) => <td classList={{ number: /^-?[\d.,]+%?$/.test(cell) }}>{marked(cell)}</td>}
                </For>
              </tr>
            )}
          </For>
        </tbody>
      </table>
      <Show when={left() > 0}>
        <button type="button" class="more" onClick={() => setCount(count() + ROWS_STEP)}>
          {grouped(left())} more rows
        </button>
      </Show>
    </section>
  );
}
