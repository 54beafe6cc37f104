// What a person said when they gave the keyboard back. Owns: the note until the person takes the keyboard again, and which agents
// have heard it: each hears it once.

export class PersonNote {
  #text: string | null = null;
  #heard = new Set<string>();

  /** A new word, or none, takes the place of the last one. */
  say(text: string | null): void {
    this.#text = text;
    this.#heard.clear();
  }

  /** Null when there is nothing new for this agent. */
  hear(agent: string): string | null {
    if (this.#text === null || this.#heard.has(agent)) return null;
    this.#heard.add(agent);
    return this.#text;
  }
}
