// Colours of the snapshot's TERMINAL record that the program has changed. Pure.

export interface ColorChange {
  /** The command that sets it: "10", or "4;" and the number in the palette. */
  readonly osc: string;
  readonly rgb: Uint8Array;
}

/** Each is a default and an override, one presence byte and three of colour. Only the program sets overrides. */
export function readDynamicColors(from: Buffer): ColorChange[] {
  const places = [
    { osc: "11", at: 63 },
    { osc: "10", at: 71 },
    { osc: "12", at: 79 },
  ];
  return places
    .filter(({ at }) => from[at + 4] === 1)
    .map(({ osc, at }) => ({ osc, rgb: from.subarray(at + 5, at + 8) }));
}

export function readPalette(from: Buffer, mask: number): { colors: ColorChange[]; end: number } {
  const colors: ColorChange[] = [];
  let end = mask + 32;
  for (let index = 0; index < 256; index += 1) {
    if ((((from[mask + (index >> 3)] ?? 0) >> (index & 7)) & 1) === 0) continue;
    colors.push({ osc: `4;${index}`, rgb: from.subarray(end, end + 3) });
    end += 3;
  }
  return { colors, end };
}
