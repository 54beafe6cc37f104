// Programs that need a person at the terminal, or behave differently without one. A table, and what we observed.
// It is only a guess from the first words of a line. It helps to choose a mode and decides nothing about safety.

const INTERACTIVE = new Set(
  (
    "vi vim nvim view emacs nano pico micro hx helix ed less more most man info top htop btop atop iotop watch mc ranger nnn " +
    "tig lazygit gitui k9s ssh mosh telnet ftp sftp python python3 ipython bpython node deno irb pry ghci psql mysql " +
    "mariadb sqlite3 redis-cli mongosh bc gdb lldb pdb jdb tmux screen zellij fzf dialog whiptail passwd su sudo doas " +
    "claude codex gemini opencode aider"
  ).split(" "),
);
/** Interactive depending on the arguments. */
const BY_WORDS: readonly RegExp[] = [
  /^git\s+(?:rebase\s+(?:.*\s)?(?:-i|--interactive)|add\s+(?:.*\s)?(?:-p|-i|--patch)|commit(?!.*\s(?:-m|-F|--message|--file|--no-edit)))/,
  /^(?:npm|pnpm|yarn|bun)\s+(?:init|create|login|adduser)\b(?!.*\s(?:-y|--yes)\b)/,
  /^(?:docker|podman)\s+(?:run|exec)\s+(?:.*\s)?-(?:it|ti)\b/,
  /^kubectl\s+exec\s+(?:.*\s)?-(?:it|ti)\b/,
];
/** With a script or a command to run these are ordinary programs. */
const WITH_ARGUMENTS = new Set(
  "python python3 node deno irb ghci psql mysql mariadb sqlite3 redis-cli bc ed sudo doas".split(" "),
);
const WRAPPERS = new Set("command env nohup nice time exec".split(" "));

export class Interactive {
  #seen = new Set<string>();

  /** A program that once took the screen or asked for keys will do so again. */
  saw(command: string): void {
    const { program } = firstWords(command);
    if (program !== "") this.#seen.add(program);
  }

  expects(command: string): boolean {
    const { program, rest, line } = firstWords(command);
    if (BY_WORDS.some((words) => words.test(line))) return true;
    if (WITH_ARGUMENTS.has(program)) return rest.trim() === "";
    return INTERACTIVE.has(program) || this.#seen.has(program);
  }
}

function firstWords(command: string): { program: string; rest: string; line: string } {
  const words = command.trim().split(/\s+/);
  while (words[0] !== undefined && (/^\w+=/.test(words[0]) || WRAPPERS.has(words[0]))) words.shift();
  const program = (words[0] ?? "").replace(/^.*\//, "");
  const rest = words.slice(1).join(" ");
  return { program, rest, line: `${program} ${rest}` };
}
