// The images of one session's outputs. What reads and draws them is loaded with the first one.
import type { Bitmaps } from "./bitmaps.ts";

export interface Images {
  /** New lines were drawn. */
  drawn(part: Element): void;
  /** For the terminal, which finds its images itself. */
  bitmaps(): Promise<Bitmaps>;
}

export function createImages(session_id: string): Images {
  let loaded: Promise<Bitmaps> | undefined;
  const bitmaps = () => {
    loaded ??= import("./bitmaps.ts").then(({ Bitmaps }) => new Bitmaps(session_id));
    return loaded;
  };
  return {
    drawn(part) {
      if (!part.querySelector("[data-image]")) return;
      void Promise.all([bitmaps(), import("./in-lines.ts")]).then(([own, { drawIn }]) => drawIn(part, own));
    },
    bitmaps,
  };
}
