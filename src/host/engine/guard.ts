// Finds the sequences the engine must not get as they are: DECSTR (not implemented there) and DECSET 40 (would let
// DECCOLM resize the grid). Pure; owns: a copy of the engine's parser states, carried from chunk to chunk, so any cut
// of the input gives the same finds. Holds no bytes back. Refuses: to act; terminal.ts does.

export type Find =
  /** CSI ! p has just ended before `at`. */
  | { readonly at: number; readonly do: "soft_reset" }
  /** The byte at `at - 1` would end CSI ? … h with a 40 in it. It must not pass. `params` are the other modes. */
  | { readonly at: number; readonly do: "cancel"; readonly params: readonly number[] };

/** The kind of an unfinished sequence, enough to open one of the same kind that does nothing. */
export type Open = "ground" | "escape" | "csi" | "osc" | "string";

/** The engine drops sequences with more parameters. */
const PARAMS_MAX = 24;
const PARAM_VALUE_MAX = 65_535;

const ESC = 0x1b;
const BANG = 0x21;
const QUESTION = 0x3f;

const states = { ground: 0, esc: 1, escMid: 2, entry: 3, dec: 4, plain: 5, bang: 6, other: 7, osc: 8, string: 9 };
const { ground, esc, escMid, entry, dec, plain, bang, other, osc, string } = states;

export class Guard {
  #state = ground;
  #params: number[] = [];
  #colon = false;

  scan(chunk: Uint8Array): readonly Find[] {
    const finds: Find[] = [];
    // We walk a sequence from an earlier chunk to its end. The rest mostly needs no walk.
    const from = this.#state === ground ? 0 : this.#walk(chunk, 0, finds, "ground");
    if (from >= chunk.length) return finds;
    const view = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    // ESC starts a new sequence in any state, so what is open at the end depends only on what follows the last ESC.
    const start = suspects(view, from) ? from : view.lastIndexOf(ESC);
    if (start >= from) this.#walk(chunk, start, finds, "end");
    return finds;
  }

  open(): Open {
    const state = this.#state;
    if (state === ground) return "ground";
    if (state === osc) return "osc";
    if (state === string) return "string";
    return state === esc || state === escMid ? "escape" : "csi";
  }

  /** Returns where it stopped: at the end, or behind the byte that led back to ground. */
  #walk(chunk: Uint8Array, from: number, finds: Find[], until: "ground" | "end"): number {
    const end = chunk.length;
    let state = this.#state;
    let i = from;
    for (; i < end; i += 1) {
      if (state === ground) {
        if (until === "ground" && i > from) break;
        // In ground, bytes from 0x80 are UTF-8 and never C1. Only ESC leaves ground.
        while (i < end && chunk[i] !== ESC) i += 1;
        if (i < end) state = esc;
        continue;
      }
      const byte = chunk[i] ?? 0;
      if (byte === ESC) state = esc;
      else if (byte === 0x18 || byte === 0x1a) state = ground;
      else if (state === osc) state = byte === 0x07 ? ground : osc;
      else if (byte >= 0x80) state = byte < 0xa0 ? this.#c1(byte) : state;
      else if (byte >= 0x20 && byte < 0x7f && state !== string) state = this.#step(state, byte, i + 1, finds);
    }
    this.#state = state;
    return Math.min(i, end);
  }

  #step(state: number, byte: number, at: number, finds: Find[]): number {
    if (state === esc) return byte < 0x30 ? escMid : this.#introduce(byte);
    if (state === escMid) return byte < 0x30 ? escMid : ground;
    if (byte >= 0x40) {
      this.#dispatch(state, byte, at, finds);
      return ground;
    }
    if (state === entry && byte === 0x3f) return dec;
    if ((state === entry || state === plain) && byte === 0x21) return bang;
    const digit = byte >= 0x30 && byte <= 0x3b && !(state === entry && byte === 0x3a);
    if (digit && (state === entry || state === plain)) return plain;
    if (digit && state === dec) {
      this.#param(byte);
      return dec;
    }
    return other;
  }

  #introduce(byte: number): number {
    if (byte === 0x5b) return this.#enter();
    if (byte === 0x5d) return osc;
    return byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f ? string : ground;
  }

  /** Inside a sequence (not in OSC) the engine still obeys C1 bytes. */
  #c1(byte: number): number {
    if (byte === 0x9b) return this.#enter();
    if (byte === 0x9d) return osc;
    return byte === 0x90 || byte === 0x98 || byte === 0x9e || byte === 0x9f ? string : ground;
  }

  #enter(): number {
    this.#params = [0];
    this.#colon = false;
    return entry;
  }

  #param(byte: number): void {
    const params = this.#params;
    if (byte === 0x3b) {
      if (params.length <= PARAMS_MAX) params.push(0);
    } else if (byte === 0x3a) this.#colon = true;
    else {
      const value = (params[params.length - 1] ?? 0) * 10 + byte - 0x30;
      params[params.length - 1] = Math.min(value, PARAM_VALUE_MAX);
    }
  }

  #dispatch(state: number, byte: number, at: number, finds: Find[]): void {
    if (state === bang && byte === 0x70) finds.push({ at, do: "soft_reset" });
    if (state !== dec || byte !== 0x68 || this.#colon || this.#params.length > PARAMS_MAX) return;
    if (this.#params.includes(40))
      finds.push({ at, do: "cancel", params: this.#params.filter((mode) => mode !== 40 && mode !== 0) });
  }
}

/**
 * Could these bytes hold a find? Both kinds have a byte that is rare elsewhere, `!` or `?`, so we check its
 * neighbours. The answer may be yes too often, but never no too often: control bytes inside, or no end in sight, give yes.
 */
function suspects(chunk: Buffer, from: number): boolean {
  for (let at = chunk.indexOf(BANG, from); at >= 0; at = chunk.indexOf(BANG, at + 1))
    if (at === from || isInCsi(chunk[at - 1] ?? 0)) return true;
  for (let at = chunk.indexOf(QUESTION, from); at >= 0; at = chunk.indexOf(QUESTION, at + 1))
    if ((at === from || isInCsi(chunk[at - 1] ?? 0)) && maySetForty(chunk, at + 1)) return true;
  return false;
}

/** May stand in a CSI: its introducer, digits and separators, controls, DEL and C1. */
function isInCsi(byte: number): boolean {
  return byte === 0x5b || (byte >= 0x30 && byte <= 0x3b) || byte < 0x20 || (byte >= 0x7f && byte < 0xa0);
}

function maySetForty(chunk: Buffer, from: number): boolean {
  let [value, forty] = [0, false];
  for (let at = from; at < chunk.length; at += 1) {
    const byte = chunk[at] ?? 0;
    if (byte >= 0x30 && byte <= 0x39) value = value * 10 + byte - 0x30;
    else if (byte === 0x3b) [value, forty] = [0, forty || value === 40];
    else return byte < 0x20 || byte >= 0x7f || (byte === 0x68 && (forty || value === 40));
  }
  return true;
}
