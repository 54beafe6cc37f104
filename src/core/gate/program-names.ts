// What the gate knows about programs by their names. Pure.

/** They can start a shell or run commands, so a yes for one key is a yes for everything. */
const ESCAPES = new Set(
  (
    "vi vim nvim view ex emacs nano ed less more man info python python3 ipython node deno bun irb pry ruby perl php lua ghci " +
    "psql mysql mariadb sqlite3 ftp sftp ssh gdb lldb tmux screen mc ranger nnn git tig lazygit make docker kubectl sudo su " +
    "awk gawk expect nmap zip tar rsync watch top htop fzf"
  ).split(" "),
);
const SHELLS = new Set("sh bash zsh fish dash ksh csh tcsh ash busybox pwsh".split(" "));

export function escapes(program: string): boolean {
  return ESCAPES.has(program) || SHELLS.has(program);
}

export function isShell(program: string): boolean {
  return SHELLS.has(program);
}
