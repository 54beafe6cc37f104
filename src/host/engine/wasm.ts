// The libghostty-vt artefact: read, checked, compiled once per process, instantiated once per engine.
// Owns: the pinned sha256, the ABI manifest the wasm carries, the trampolines that let it call us back.
// Refuses: to know terminals; what the exports mean is terminal.ts's business.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { packageFile } from "../../package.ts";

/** libghostty-vt-node 0.1.0, ghostty 4c6215bb. Another artefact has another ABI: snapshot.ts reads its format. */
const WASM_SHA256 = "19246088eda7bfa95cc6965625233f0df865b563b7995fb4c23511af91985518";

/** Our lib setting has no DOM, and only the DOM lib declares WebAssembly: this is the part of it we use. */
interface WasmApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: Record<string, unknown>) => { readonly exports: unknown };
  readonly RuntimeError: new () => Error;
}
const api = (globalThis as unknown as { WebAssembly: WasmApi }).WebAssembly;

type Export = (...args: number[]) => number;
export interface Exports extends Readonly<Record<`ghostty_${string}`, Export>> {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly __indirect_function_table: { grow(by: number): number; set(index: number, fn: unknown): void };
}

interface AbiType {
  readonly size: number;
  readonly values?: Readonly<Record<string, number>>;
  readonly fields?: Readonly<Record<string, { readonly offset: number }>>;
  readonly bits?: Readonly<Record<string, { readonly lsb: number }>>;
}

export interface Abi {
  value(type: string, name: string): number;
  offset(type: string, field: string): number;
  size(type: string): number;
  lsb(type: string, bit: string): number;
}

/** What the terminal may call: a subset of its options; everything else (clipboard, notifications) stays unset. */
export interface Callbacks {
  WRITE_PTY(terminal: number, user: number, ptr: number, len: number): void;
  XTVERSION(out: number, terminal: number, user: number): void;
  SIZE(terminal: number, user: number, out: number): number;
  DEVICE_ATTRIBUTES(terminal: number, user: number, out: number): number;
}

const signatures: Readonly<Record<keyof Callbacks, { params: number; results: number }>> = {
  WRITE_PTY: { params: 4, results: 0 },
  XTVERSION: { params: 3, results: 0 },
  SIZE: { params: 3, results: 1 },
  DEVICE_ATTRIBUTES: { params: 3, results: 1 },
};
const callbackNames = Object.keys(signatures) as (keyof Callbacks)[];

interface Loaded {
  readonly module: object;
  readonly trampolines: object;
  abi: Abi | null;
}
let loaded: Loaded | null = null;

export interface Instance {
  readonly exports: Exports;
  readonly abi: Abi;
  /** Index in the wasm's function table of each callback. */
  readonly slots: Readonly<Record<keyof Callbacks, number>>;
}

export function instantiate(callbacks: Callbacks): Instance {
  loaded ??= load();
  const exports = new api.Instance(loaded.module, { env: { log: () => undefined } }).exports as Exports;
  loaded.abi ??= readAbi(exports);
  const imports = Object.fromEntries(callbackNames.map((name) => [name, callbacks[name]]));
  const bound = new api.Instance(loaded.trampolines, { f: imports }).exports as Record<string, unknown>;
  const slots = { WRITE_PTY: 0, XTVERSION: 0, SIZE: 0, DEVICE_ATTRIBUTES: 0 };
  for (const name of callbackNames) {
    slots[name] = exports.__indirect_function_table.grow(1);
    exports.__indirect_function_table.set(slots[name], bound[name]);
  }
  return { exports, abi: loaded.abi, slots };
}

/** A trap, no memory, or the stack running out inside the wasm: in any case it can no longer be trusted. */
export function isTrap(error: unknown): boolean {
  return error instanceof api.RuntimeError || error instanceof RangeError || error instanceof Refusal;
}

/** A call that the wasm answered with a failure. */
export class Refusal extends Error {}

function load(): Loaded {
  const path = packageFile("dist/ghostty-vt.wasm");
  const bytes = readFileSync(path);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  if (sha256 !== WASM_SHA256) throw new Error(`${path}: sha256 ${sha256}, expected ${WASM_SHA256}`);
  return { module: new api.Module(bytes), trampolines: new api.Module(assembleTrampolines()), abi: null };
}

function readAbi(exports: Exports): Abi {
  const bytes = new Uint8Array(exports.memory.buffer);
  const start = call(exports, "ghostty_type_json");
  const json = new TextDecoder().decode(bytes.subarray(start, bytes.indexOf(0, start)));
  const { types } = JSON.parse(json) as { types: Record<string, AbiType> };
  const need = (type: string, name: string, found: number | undefined): number => {
    if (found === undefined) throw new Error(`libghostty-vt's manifest has no ${type}.${name}`);
    return found;
  };
  return {
    value: (type, name) => need(type, name, types[type]?.values?.[name]),
    offset: (type, field) => need(type, field, types[type]?.fields?.[field]?.offset),
    size: (type) => need(type, "size", types[type]?.size),
    lsb: (type, bit) => need(type, bit, types[type]?.bits?.[bit]?.lsb),
  };
}

/** By name, for calls that are not hot; hot ones are looked up once by their owner. */
export function call(exports: Exports, name: `ghostty_${string}`, ...args: number[]): number {
  const fn = exports[name];
  if (!fn) throw new Error(`libghostty-vt has no export ${name}`);
  return fn(...args);
}

/** For calls that answer with a GhosttyResult. */
export function check(what: string, result: number): void {
  if (result !== 0) throw new Refusal(`libghostty-vt: ${what} failed with ${result}`);
}

/**
 * A JS function cannot go into a wasm table. This module imports each callback and exports a wasm function of the
 * exact signature that passes its arguments on. All numbers below stay under 128, so LEB128 is the byte itself.
 */
function assembleTrampolines(): Uint8Array {
  const i32 = 0x7f;
  const name = (text: string): number[] => [text.length, ...Buffer.from(text)];
  const section = (id: number, items: number[][]): number[] => {
    const body = [items.length, ...items.flat()];
    return [id, (body.length & 0x7f) | 0x80, body.length >> 7, ...body];
  };
  const of = callbackNames.map((key, index) => ({ key, index, ...signatures[key] }));
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(
      1,
      of.map((f) => [0x60, f.params, ...Array(f.params).fill(i32), f.results, ...Array(f.results).fill(i32)]),
    ),
    ...section(
      2,
      of.map((f) => [...name("f"), ...name(f.key), 0x00, f.index]),
    ),
    ...section(
      3,
      of.map((f) => [f.index]),
    ),
    ...section(
      7,
      of.map((f) => [...name(f.key), 0x00, of.length + f.index]),
    ),
    ...section(
      10,
      of.map((f) => {
        const args = Array.from({ length: f.params }, (_, i) => [0x20, i]).flat();
        const body = [0x00, ...args, 0x10, f.index, 0x0b];
        return [body.length, ...body];
      }),
    ),
  ]);
}
