// Styles as people write them in a test, in the words that a picture has. Pure.

const COLOURS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
const PLAIN = ["bold", "faint", "italic", "underline", "blink", "reverse", "conceal", "strike", "overline"];
/** As a picture has them: what `style` of a locator answers may be expected of another. */
const OF_PICTURE = /^(?:underline-\w+|[fb]g-(?:\d{1,3}|rgb\(\d+,\d+,\d+\)))$/;

/** "green" is fg-2, "bg-bright-red" is bg-9, "#ff0000" is fg-rgb(255,0,0), "bg-42" and "bold" are themselves. */
export function styleWord(name: string): string {
  const [, back, bright, colour = ""] = /^(bg-)?(bright-)?(\w+)$/.exec(name) ?? [];
  const index = COLOURS.indexOf(colour);
  if (index >= 0) return `${back ?? "fg-"}${index + (bright ? COLOURS.length : 0)}`;
  const [, ground = "fg-", hex] = /^(bg-)?#([0-9a-f]{6})$/i.exec(name) ?? [];
  if (!hex && (PLAIN.includes(name) || OF_PICTURE.test(name))) return name;
  if (!hex) throw new Error(`no style is called ${JSON.stringify(name)}; there are ${PLAIN.join(", ")} and colours`);
  const parts = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return `${ground}rgb(${parts.join(",")})`;
}
