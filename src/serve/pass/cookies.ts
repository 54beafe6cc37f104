// What browsers keep: the owner's cookie, and the keys of those who came by a link. Owns: the secret that they are made of. It is
// one of its own: who has a token cannot make a cookie. It is kept, so that a browser stays signed in.
import { createHmac } from "node:crypto";
import { writeWhole } from "../../host/disk/files.ts";
import { newToken, tokenIn } from "./token-file.ts";
import { BROWSER } from "./visits.ts";

export class Cookies {
  #path: string;
  #secret: string;
  #renewals = 0;

  constructor(path: string) {
    this.#path = path;
    this.#secret = tokenIn(path);
  }

  get owner(): string {
    return this.made("duetty browser cookie 2").toString("hex");
  }

  /** What all browsers with the owner's cookie come by. It is another one when the cookie is. */
  get visit(): string {
    return `${BROWSER} ${this.#renewals}`;
  }

  ofPass(id: string): string {
    return `${id}.${this.made(`duetty pass ${id}`).toString("hex")}`;
  }

  made(what: string): Buffer {
    return createHmac("sha256", this.#secret).update(what).digest();
  }

  /** None that was given counts from here on, even if the disk refuses to note it. */
  renew(): void {
    this.#secret = newToken();
    this.#renewals += 1;
    writeWhole(this.#path, `${this.#secret}\n`);
  }
}
