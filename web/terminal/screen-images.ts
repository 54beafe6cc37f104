// Images on the terminal's screen. Loaded when the first one comes. The text goes into xterm as into the daemon's engine, so that
// both have the same cells; the pictures lie over the cells that are linked to them. Owns: the layer with the pictures.
// Refuses: to cover any other text, and to know where pictures come from.
import type { IBufferLine, Terminal } from "@xterm/xterm";
import { type ImageRow, imageRow, imageText, mayCover } from "../../src/core/base/image/cells.ts";
import { type FoundImage, ImageScan } from "../../src/core/base/image/scan.ts";

/** The pictures of a session, as far as they are there. `onReady` runs when one that was not is there. */
export interface Bitmaps {
  of(range: { readonly begin: number; readonly end: number }, onReady: () => void): ImageBitmap | undefined;
}

export interface ImageParts {
  readonly terminal: Terminal;
  readonly host: HTMLElement;
  /** Where nobody may read a session's bytes there are none: the text stays. */
  readonly bitmaps?: (() => Promise<Bitmaps>) | undefined;
}

/** xterm's own links, which its public API does not show. Read from 6.0.0. */
interface Linked {
  readonly extended?: { readonly urlId?: number };
}
interface Core {
  readonly _core: { readonly _oscLinkService?: { getLinkData(id: number): { readonly uri: string } | undefined } };
}

/** Rows of one image that are on the screen one below the other. */
interface Shown {
  readonly key: string;
  readonly image: ImageRow;
  readonly x: number;
  readonly y: number;
  readonly cols: number;
  count: number;
}

export class ScreenImages {
  #terminal: Terminal;
  #host: HTMLElement;
  #scan = new ImageScan();
  #bitmaps: Bitmaps | undefined;
  #layer = document.createElement("div");
  #elements = new Map<string, HTMLElement>();
  #redraw = () => this.#draw();

  constructor({ terminal, host, bitmaps }: ImageParts) {
    this.#terminal = terminal;
    this.#host = host;
    this.#layer.className = "screen-images";
    Object.assign(this.#layer.style, { position: "absolute", inset: "0", overflow: "hidden", pointerEvents: "none" });
    this.#layer.setAttribute("aria-hidden", "true");
    terminal.onRender(this.#redraw);
    void bitmaps?.().then((own) => {
      this.#bitmaps = own;
      this.#draw();
    });
  }

  /** Bytes that xterm has already. */
  saw(bytes: Uint8Array, from: number): void {
    this.#scan.push(bytes, from, () => undefined);
  }

  write(bytes: Uint8Array, from: number, onParsed: () => void): void {
    const found: FoundImage[] = [];
    this.#scan.push(bytes, from, (image) => found.push(image));
    let done = 0;
    const next = (): void => {
      const one = found.shift();
      if (!one) return this.#terminal.write(done === 0 ? bytes : bytes.subarray(done), onParsed);
      this.#terminal.write(bytes.subarray(done, one.at), () => {
        done = one.at;
        const { cols, buffer } = this.#terminal;
        const x = Math.min(buffer.active.cursorX, cols - 1);
        this.#terminal.write(imageText(one.image, one.end, { x, cols }), next);
      });
    };
    next();
  }

  #draw(): void {
    const screen = this.#host.querySelector(".xterm-screen");
    if (!screen) return;
    if (!this.#layer.isConnected) screen.append(this.#layer);
    const [width, height] = [screen.clientWidth / this.#terminal.cols, screen.clientHeight / this.#terminal.rows];
    const old = new Map(this.#elements);
    for (const shown of this.#shown()) {
      const picture = this.#bitmaps?.of(shown.image, this.#redraw);
      const key = `${shown.key} ${picture ? "drawn" : "blank"} ${shown.image.row}+${shown.count}`;
      const element = old.get(key) ?? this.#made(shown, picture);
      old.delete(key);
      this.#elements.set(key, element);
      // Without its picture the first row has the text, which stays visible.
      const hidden = picture || shown.image.row > 0 ? 0 : 1;
      Object.assign(element.style, {
        left: `${shown.x * width}px`,
        top: `${(shown.y + hidden) * height}px`,
        width: `${shown.cols * width}px`,
        height: `${(shown.count - hidden) * height}px`,
        background: this.#terminal.options.theme?.background ?? "",
      });
      const canvas = element.firstElementChild;
      if (!(canvas instanceof HTMLElement)) continue;
      canvas.style.top = `${-shown.image.row * height}px`;
      canvas.style.width = `${shown.image.cols * width}px`;
      canvas.style.height = `${shown.image.rows * height}px`;
    }
    for (const [key, element] of old) {
      element.remove();
      this.#elements.delete(key);
    }
  }

  #made({ image }: Shown, picture: ImageBitmap | undefined): HTMLElement {
    const element = document.createElement("div");
    Object.assign(element.style, { position: "absolute", overflow: "hidden" });
    if (picture) {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [picture.width, picture.height];
      canvas.getContext("2d")?.drawImage(picture, 0, 0);
      Object.assign(canvas.style, {
        position: "absolute",
        left: "0",
        objectFit: "contain",
        objectPosition: "left top",
      });
      canvas.dataset.image = `${image.begin}`;
      element.append(canvas);
    }
    this.#layer.append(element);
    return element;
  }

  /** Rows of images on the screen, top to bottom. */
  #shown(): Shown[] {
    const { active } = this.#terminal.buffer;
    const all: Shown[] = [];
    const keys = new Map<string, number>();
    for (let y = 0; y < this.#terminal.rows; y += 1) {
      const line = active.getLine(active.viewportY + y);
      for (const { image, x, cols } of line ? this.#linkedIn(line) : []) {
        const above = all.find(
          (one) =>
            one.image.begin === image.begin &&
            one.x === x &&
            one.y + one.count === y &&
            one.image.row + one.count === image.row,
        );
        if (above) above.count += 1;
        else {
          const key = `${image.begin} ${x} ${image.cols}x${image.rows}`;
          const count = keys.get(key) ?? 0;
          keys.set(key, count + 1);
          all.push({ key: `${key} ${count}`, image, x, y, cols, count: 1 });
        }
      }
    }
    return all;
  }

  #linkedIn(line: IBufferLine): { image: ImageRow; x: number; cols: number }[] {
    const links = (this.#terminal as unknown as Core)._core._oscLinkService;
    const found: { image: ImageRow; x: number; cols: number }[] = [];
    let last = 0;
    for (let x = 0; x < line.length; x += 1) {
      const id = (line.getCell(x) as Linked | undefined)?.extended?.urlId ?? 0;
      if (id === last) continue;
      last = id;
      const image = id === 0 ? undefined : imageRow(links?.getLinkData(id)?.uri);
      if (!image) continue;
      let end = x + 1;
      while (end < line.length && (line.getCell(end) as Linked | undefined)?.extended?.urlId === id) end += 1;
      const cols = Math.max(image.cols, end - x);
      if (mayCover(image, line.translateToString(false, x, x + cols))) found.push({ image, x, cols });
    }
    return found;
  }
}
