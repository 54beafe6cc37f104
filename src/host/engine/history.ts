// Rows above the screen as text. Owns: building the C API's selection of them. Stateless.
import type { Terminal } from "./terminal.ts";
import { call, check } from "./wasm.ts";

/** Offsets in the block of wasm memory this call fills: a point, the selection it makes, the format options. */
const layout = { point: 0, selection: 32, options: 72, bytes: 96 };

export function historyRows(terminal: Terminal, range: { from: number; count: number }, kept: number): string[] {
  const from = Math.max(0, range.from);
  const count = Math.min(range.count, kept - from);
  if (count <= 0) return [];
  const text = terminal.withBlock(layout.bytes, (block) => format(terminal, block, { from, count }));
  // The formatter separates rows by LF and drops blank rows at the end. Control characters stored as cells become spaces.
  const rows = text.split("\n").map((row) => row.replace(/[\x00-\x1f\x7f-\x9f]/g, " ").trimEnd());
  return Array.from({ length: count }, (_, index) => rows[index] ?? "");
}

function format(terminal: Terminal, block: number, { from, count }: { from: number; count: number }): string {
  const { abi, memory, exports } = terminal;
  const [point, selection, options] = [block + layout.point, block + layout.selection, block + layout.options];
  const put = (base: number, type: string, field: string, value: number) =>
    memory.view.setUint32(base + abi.offset(type, field), value, true);
  put(selection, "GhosttySelection", "size", abi.size("GhosttySelection"));
  const ends = [
    { field: "start", x: 0, y: from },
    { field: "end", x: terminal.size().cols - 1, y: from + count - 1 },
  ];
  for (const { field, x, y } of ends) {
    const ref = selection + abi.offset("GhosttySelection", field);
    const coordinate = point + abi.offset("GhosttyPoint", "value");
    put(ref, "GhosttyGridRef", "size", abi.size("GhosttyGridRef"));
    put(point, "GhosttyPoint", "tag", abi.value("GhosttyPointTag", "HISTORY"));
    memory.view.setUint16(coordinate + abi.offset("GhosttyPointCoordinate", "x"), x, true);
    put(coordinate, "GhosttyPointCoordinate", "y", y);
    check("grid_ref", call(exports, "ghostty_terminal_grid_ref", terminal.handle, point, ref));
  }
  const type = "GhosttyTerminalSelectionFormatOptions";
  put(options, type, "size", abi.size(type));
  put(options, type, "emit", abi.value("GhosttyFormatterFormat", "PLAIN"));
  memory.view.setUint8(options + abi.offset(type, "trim"), 1);
  put(options, type, "selection", selection);
  const text = terminal.allocated((out) =>
    call(exports, "ghostty_terminal_selection_format_alloc", terminal.handle, 0, options, out, out + 4),
  );
  if (!text) throw new Error("libghostty-vt: history cannot be formatted");
  return new TextDecoder().decode(text);
}
