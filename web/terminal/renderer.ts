// Draws the terminal with page elements or with WebGL. Owns: the add-on, which is loaded only when it is
// wanted, and is gone for good once the browser takes its context away.
import type { ITerminalAddon, Terminal } from "@xterm/xterm";

export type RendererChoice = "auto" | "dom" | "webgl";
/** Making a context to ask for the renderer takes as long as drawing the page, so the page comes first. */
const ASK_MS = 1_000;
/** Software renderers. Page elements are faster. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

export class Renderer {
  #terminal: Terminal;
  #addon: ITerminalAddon | undefined;
  #wanted: "dom" | "webgl" = "dom";
  #lost = false;
  #asking: ReturnType<typeof setTimeout> | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  get now(): "dom" | "webgl" {
    return this.#addon ? "webgl" : "dom";
  }

  choose(choice: RendererChoice): void {
    this.dispose();
    if (choice === "auto" && known === undefined) {
      this.#asking = setTimeout(() => {
        graphicsName();
        this.choose(choice);
      }, ASK_MS);
      return;
    }
    const isWanted = choice === "webgl" || (choice === "auto" && hasGraphicsCard());
    this.#wanted = isWanted && !this.#lost ? "webgl" : "dom";
    if (this.#wanted === "webgl") void this.#load();
  }

  dispose(): void {
    clearTimeout(this.#asking);
    this.#wanted = "dom";
    this.#addon?.dispose();
    this.#addon = undefined;
  }

  async #load(): Promise<void> {
    const { WebglAddon } = await import("@xterm/addon-webgl");
    // Meanwhile the choice may have changed, or the terminal may be gone.
    if (this.#wanted !== "webgl" || this.#addon) return;
    const addon = new WebglAddon();
    addon.onContextLoss(() => {
      this.#lost = true;
      this.dispose();
    });
    try {
      this.#terminal.loadAddon(addon);
      this.#addon = addon;
    } catch {
      // This browser has no WebGL 2, so we use page elements.
      this.#lost = true;
      addon.dispose();
    }
  }
}

let known: string | undefined;

/** The name of the WebGL renderer, or empty when there is none that is told. We ask once, because contexts are few. */
export function graphicsName(): string {
  known ??= askGraphicsName();
  return known;
}

export function hasGraphicsCard(): boolean {
  return graphicsName() !== "" && !SOFTWARE.test(graphicsName());
}

function askGraphicsName(): string {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) return "";
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name: unknown = gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  // WebKit says this of every machine, also of those without a card.
  const isHidden = name === "Apple GPU" && !navigator.userAgent.includes("Mac OS X");
  return typeof name === "string" && !isHidden ? name : "";
}
