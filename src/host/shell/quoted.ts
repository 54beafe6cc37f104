// One word for sh, bash and zsh.
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
