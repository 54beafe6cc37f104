// What a session's bytes and printed lines are read through by somebody who sees no secrets: they know what its screen has hidden.
// Owns: these values. A program may draw a part of them again, in which nothing tells what it is.
import type { Redactor } from "../redact/redactor.ts";
import { ShownSecrets } from "../redact/shown-secrets.ts";
import type { HiddenScreen } from "./hidden-screen.ts";

export class ByteEyes {
  #shown = new ShownSecrets();
  #eyes: Redactor;
  #screen: () => HiddenScreen | undefined;

  /** `screen`: undefined while there is none. */
  constructor(eyes: Redactor, screen: () => HiddenScreen | undefined) {
    this.#eyes = eyes.knowing(this.#shown);
    this.#screen = screen;
  }

  /** As of now. */
  get now(): Redactor {
    const screen = this.#screen();
    if (screen) this.saw(screen);
    return this.#eyes;
  }

  saw(screen: HiddenScreen): HiddenScreen {
    screen.teach(this.#shown);
    return screen;
  }
}
