// A key that cannot be printed by accident: only reveal() returns it. Also removes keys from other texts.

const MASK = "***";
/** Shorter keys are placeholders for servers without keys ("ollama", "x"). Masking them would garble the text. */
const SECRET_CHARS_MIN = 8;
/** Strings that look like a key. Providers quote what they were sent, sometimes in part. */
const KEY_LIKE = /\b(?:sk|pk|xai|gsk)-[\w-]{8,}|\b(Bearer)\s+[\w.~+/=-]{8,}/g;

export class Secret {
  #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }
}

export function masked(text: string, secret: Secret | null): string {
  const value = secret?.reveal() ?? "";
  const bare =
    value.length < SECRET_CHARS_MIN ? text : text.replaceAll(value, MASK).replaceAll(encodeURIComponent(value), MASK);
  return bare.replace(KEY_LIKE, (_, bearer?: string) => (bearer ? `${bearer} ${MASK}` : MASK));
}
