// A command line as a person wrote it, cut into words. Refuses: everything else that a shell does with it.

/** "code --wait", "'/opt/my editor/ed' -x": words as a shell splits them. */
export function quotedWords(text: string): string[] {
  const words = text.match(/(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])+/g) ?? [];
  return words.map((word) => word.replace(/'([^']*)'|"([^"]*)"|\\(.)/g, (_all, a, b, c) => a ?? b ?? c));
}
