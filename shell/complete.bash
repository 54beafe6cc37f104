# A hidden bash that completes lines for the page, by its own readline. Read as its start file. DUETTY_SIDE names its folder:
# `in` has what it is told, `out` is for its answers. Owns: nothing else. The line is data: it is never typed, and nothing is
# ever accepted. What it knows is the state that the session's own bash has written (duetty.bash), and later what has changed.

__duetty_side=("$DUETTY_SIDE")
unset -v DUETTY_SIDE
shopt -s extglob
. "${__duetty_side[0]}/in/state" >/dev/null 2>&1
set +o history
PS0= PS1= PS2= PROMPT_COMMAND= HISTFILE=

__duetty_take() {
  local -a __duetty_asked
  builtin mapfile -d '' -t __duetty_asked <"${__duetty_side[0]}/in/question"
  READLINE_LINE=${__duetty_asked[1]} READLINE_POINT=${__duetty_asked[2]}
  __duetty_id=("${__duetty_asked[0]}")
  builtin cd -- "${__duetty_asked[3]}"
}

__duetty_give() {
  builtin printf '%s\0' "$COMP_WORDBREAKS" "$READLINE_LINE" "$READLINE_POINT" >"${__duetty_side[0]}/out/$1"
  READLINE_LINE= READLINE_POINT=0
}

__duetty_done() {
  builtin printf '\e]7777;%s\a' "${__duetty_id[0]}"
}

__duetty_bind() {
  local map
  for map in emacs vi-insert; do
    # The state is not read in a function: what it declares would be gone with it.
    builtin bind -m "$map" -x '"\C-x\C-a1": { [[ ! -e ${__duetty_side[0]}/in/state ]] || . "${__duetty_side[0]}/in/state" >/dev/null; __duetty_take; } 2>/dev/null'
    builtin bind -m "$map" '"\C-x\C-a2": insert-completions'
    builtin bind -m "$map" -x '"\C-x\C-a3": { __duetty_give all; } 2>/dev/null'
    builtin bind -m "$map" '"\C-x\C-a4": complete'
    builtin bind -m "$map" -x '"\C-x\C-a5": { __duetty_give one; } 2>/dev/null'
    builtin bind -m "$map" -x '"\C-x\C-a6": __duetty_done'
    builtin bind -m "$map" '"\C-x\C-aA": "\C-x\C-a1\C-x\C-a2\C-x\C-a3\C-x\C-a6"'
    builtin bind -m "$map" '"\C-x\C-aB": "\C-x\C-a1\C-x\C-a4\C-x\C-a5\C-x\C-a6"'
  done
}

builtin bind 'set editing-mode emacs'
builtin bind 'set completion-query-items 0'
builtin bind 'set page-completions off'
builtin bind 'set bell-style none'
builtin bind 'set disable-completion off'
builtin bind 'set enable-bracketed-paste off'
__duetty_bind
unset -f __duetty_bind
builtin printf '\e]7777;ready\a'
