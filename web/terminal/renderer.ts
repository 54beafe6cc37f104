// What draws the terminal: page elements, or the graphics card through WebGL. Owns: the add-on, which is loaded only when it is
// wanted, and is gone for good once the browser takes its context away.
import type { ITerminalAddon, Terminal } from "@xterm/xterm";

export type RendererChoice = "auto" | "dom" | "webgl";
/** Making a context, to ask what draws it, takes as long as a picture of the page: first the page. */
const ASK_MS = 1_000;
/** Pictures computed by the processor: page elements are faster than that. */
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
    // Meanwhile another choice may have been made, or the terminal may be gone.
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
      // This browser has no WebGL 2: page elements it is.
      this.#lost = true;
      addon.dispose();
    }
  }
}

let known: string | undefined;

/** The name of what draws WebGL here; empty when there is none. Asked once: contexts are few. */
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
  return typeof name === "string" ? name : "";
}
