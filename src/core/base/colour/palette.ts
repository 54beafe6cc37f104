// The usual 256 colours: sixteen of a theme, a cube of 216, a ramp of 24 greys. Pure.

const BASE =
  "000000 cd3131 0dbc79 e5e510 2472c8 bc3fbc 11a8cd e5e5e5 666666 f14c4c 23d18b f5f543 3b8eea d670d6 29b8db ffffff".split(
    " ",
  );

/** Red, green and blue, as one number. */
export function paletteRgb(index: number): number {
  if (index < 16) return Number.parseInt(BASE[index] ?? "0", 16);
  if (index >= 232) return (8 + (index - 232) * 10) * 0x010101;
  const cube = index - 16;
  const level = (n: number) => (n === 0 ? 0 : 55 + n * 40);
  return (level(Math.floor(cube / 36)) << 16) | (level(Math.floor(cube / 6) % 6) << 8) | level(cube % 6);
}
