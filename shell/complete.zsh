# A hidden zsh that completes lines for the page, by its own completion system. Read as its start file. DUETTY_SIDE names its
# folder: `in` has what it is told, `out` is for its answers. The line is data: it is never typed, and nothing is ever
# accepted. What it knows is the state that the session's own zsh has written (duetty.zsh), and later what has changed.

typeset -gA __duetty_side=(at $DUETTY_SIDE)
typeset -ga __duetty_found
unset DUETTY_SIDE
zmodload zsh/zle zsh/complete zsh/complist zsh/computil zsh/parameter zsh/zutil zsh/system 2>/dev/null
{ source $__duetty_side[at]/in/state } >/dev/null 2>&1
unsetopt errexit errreturn nounset xtrace verbose promptsp promptcr menucomplete transientrprompt beep listbeep 2>/dev/null
unset TMOUT RPROMPT RPS1 PERIOD HISTFILE
precmd_functions=() preexec_functions=() chpwd_functions=() periodic_functions=() zshexit_functions=()
unfunction precmd preexec chpwd periodic zshexit TRAPALRM 2>/dev/null
PROMPT= PS2= SAVEHIST=0 LISTMAX=0

# Where the person has never called compinit there would be nothing to ask.
if (( ! $+functions[_main_complete] )); then autoload -Uz compinit && compinit -u -D; fi

# Notes each match as it is offered: how it stands in the line, and what is said of it. Some calls only ask what matches.
function compadd {
  emulate -L zsh
  setopt extendedglob
  if [[ " ${(j: :)@[1,(i)(-|--)]} " == *\ -[[:alnum:]]#(O|A|D)* ]]; then
    builtin compadd "$@"
    return
  fi
  local -a __hits __shown __given
  local -A __set
  local __at=${@[(i)-[[:alnum:]]#d]} __i __text
  if (( __at < $# )); then
    __given=$@[__at+1]
    if [[ $__given == \(* ]]; then eval "__shown=$__given"; else __shown=("${(@P)__given}"); fi
  fi
  builtin compadd -A __hits -D __shown "$@"
  zparseopts -E -A __set P: p: S: s: i: I: W: X: J: V: x: d: E: F: M: r: R: q f Q a k l o 1 2 U n e C 2>/dev/null
  for (( __i = 1; __i <= $#__hits; __i++ )); do
    __text=$__hits[__i]
    (( $+__set[-Q] )) || case $compstate[quote] in
      \') __text=${__text//\'/\'\\\'\'} ;;
      \") __text=${__text//(#m)[\\\"\$\`]/\\$MATCH} ;;
      *) __text=${(q)__text} ;;
    esac
    __duetty_found+=("$IPREFIX$__set[-i]$__set[-P]$__set[-p]$__text$__set[-s]" "$__shown[__i]" "$__hits[__i]")
  done
  builtin compadd "$@"
}

function __duetty_capture {
  __duetty_side[from]=$(( CURSOR - $#PREFIX - $#IPREFIX ))
  __duetty_side[quote]=$QIPREFIX
  __duetty_found=()
  _main_complete
  [[ $compstate[insert] != *menu* ]] || compstate[insert]=unambiguous
  compstate[list]=
}
zle -C __duetty_complete expand-or-complete __duetty_capture

function __duetty_answer {
  emulate -L zsh
  setopt no_bgnice
  local -a asked=("${(@0)$(<$__duetty_side[at]/in/question)}")
  [[ ! -e $__duetty_side[at]/in/state ]] || source $__duetty_side[at]/in/state >/dev/null 2>&1
  builtin cd -q -- $asked[4]
  BUFFER=$asked[2] CURSOR=$asked[3]
  __duetty_side[from]= __duetty_found=()
  zle __duetty_complete
  print -rN -- "$__duetty_side[from]" "$__duetty_side[quote]" "$BUFFER" "$CURSOR" "${(@)__duetty_found}" >|$__duetty_side[at]/out/all
  BUFFER=
  print -rn -- $'\e]7777;'$asked[1]$'\a'
}
# Under the options that the person has set.
zle -N __duetty_answer
for __duetty_map in emacs viins; do bindkey -M $__duetty_map '^X^AA' __duetty_answer; done
unset __duetty_map
bindkey -e
unset zle_bracketed_paste
print -rn -- $'\e]7777;ready\a'
