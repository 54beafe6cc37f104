# duetty's marks for zsh >= 5.8. Sourced twice after the user's files by a generated one: with "plain" for the few
# functions that have to change the user's options, and inside `emulate -R zsh -o no_aliases -o no_xtrace -c` for the
# rest, which makes zsh run those under its own defaults whatever the user has set. __duetty holds all state; an
# associative array is never exported. Owns: `precmd`'s first line, our hooks' places, the end of PROMPT, ESC[9977~.

if [[ ${1-} == plain ]]; then
  # The status is kept for the user's own `precmd`. The redirections hide us from `set -x`.
  __duetty_first() {
    {
      __duetty[status]=$?
      __duetty[real]=0
      if [[ -o promptsp ]]; then
        unsetopt promptsp
        __duetty[sp]=1
        __duetty[real]=1
      fi
      if [[ -o promptcr ]]; then __duetty[cr]=1; else __duetty[cr]=0; fi
      if [[ -o promptpercent ]]; then __duetty[percent]=1; else __duetty[percent]=0; fi
      __duetty_end
      __duetty_order
      # `&&` at the caller keeps `set -e` from taking this for a failure.
      if [[ ${1-} == keep ]]; then return ${__duetty[status]}; fi
    } 2>/dev/null
  }

  # zsh calls `precmd` before the hooks of the list: its first line is the earliest place there is.
  __duetty_last() {
    {
      __duetty_prompt
      if [[ ${functions[precmd]-} != *__duetty_first* ]]; then __duetty_wrap; fi
    } 2>/dev/null
  }

  __duetty_wrap() {
    setopt localoptions no_aliases
    functions[precmd]="{ __duetty_first keep && : } 2>/dev/null"$'\n'"${functions[precmd]-}"
  }
  return 0
fi

__duetty_end() {
  [[ ${__duetty[ended]} != ${__duetty[n]} ]] || return 0
  __duetty[ended]=${__duetty[n]}
  print -rn -- $'\e]133;D;'${__duetty[status]}";duetty=${__duetty[tag]};t=${EPOCHREALTIME/,/.}"$'\a' >/dev/tty
  [[ ${__duetty[sp]}${__duetty[cr]}${__duetty[real]} != 110 ]] || __duetty_fresh_line
}

# What PROMPT_SP prints: the mark, blanks that wrap when the mark was not in the first column, and a clean first column.
__duetty_fresh_line() {
  local mark=${(%)${PROMPT_EOL_MARK-%B%S%#%s%b}} bare=${(%)${${PROMPT_EOL_MARK-%B%S%#%s%b}//\%[BSUbsu]/}}
  local -i width=${(m)#bare} margin=0
  [[ ${terminfo[xenl]} == yes ]] || margin=1
  print -rn -- $mark${(l:COLUMNS - width - margin:)}$'\r'${(l:width:)}$'\r' >/dev/tty
}

# The hooks are put in their places every time, from a place that survives an assignment to either list.
__duetty_order() {
  precmd_functions=(__duetty_first ${precmd_functions:#__duetty_*} __duetty_last)
  preexec_functions=(${preexec_functions:#__duetty_*} __duetty_start)
}

__duetty_prompt() {
  __duetty[n]=$((__duetty[n] + 1))
  __duetty[tag]=${__duetty[nonce]}:${__duetty[n]}
  __duetty[run]=
  if [[ -n ${__duetty[bang]} ]]; then
    histchars=${__duetty[bang]}
    __duetty[bang]=
  fi
  __duetty_escape $PWD
  print -rn -- $'\e]633;P;Cwd='$REPLY";duetty=${__duetty[tag]}"$'\a\e]133;A;duetty='${__duetty[tag]}$'\a' >/dev/tty
  __duetty_undress
  local b=$'\e]133;B;duetty='${__duetty[tag]}$'\a'
  # Without prompt_percent nothing can tell zsh that this has no width.
  if [[ ${__duetty[percent]} == 1 ]]; then PROMPT+="%{$b%}"; else print -rn -- $b >/dev/tty; fi
  __duetty_bind
}

# Gone while a command runs: an exported PROMPT must not take the nonce along.
__duetty_undress() {
  local mark=$'%{\e]133;B;duetty='${__duetty[nonce]}:
  PROMPT=${PROMPT//$mark<->$'\a%}'/}
}

__duetty_start() {
  local text=${1:-$3}
  [[ -z ${__duetty[run]} ]] || text=${__duetty[text]}
  __duetty_undress
  __duetty_order
  __duetty_escape $text
  print -rn -- $'\e]633;E;'$REPLY";duetty=${__duetty[tag]}"$'\a\e]133;C;duetty='${__duetty[tag]}\
";t=${EPOCHREALTIME/,/.}${__duetty[run]:+;run=${__duetty[run]}}"$'\a' >/dev/tty
}

# Sets REPLY of its caller: a function that printed it would cost a process.
__duetty_escape() {
  typeset -g REPLY=${1//\\/\\\\}
  REPLY=${REPLY//;/\\x3b}
  [[ $REPLY == *[$'\x01'-$'\x1f'$'\x7f']* ]] || return 0
  local -i code
  for code in {1..31} 127; do
    REPLY=${REPLY//${(#)code}/\\x${(Ll:2::0:)$(([##16]code))}}
  done
}

__duetty_key() {
  local file=
  [[ -r ${__duetty[dir]}/line ]] || return 0
  IFS= read -rd '' file <${__duetty[dir]}/line
  local id=${file%%$'\n'*} text=${file#*$'\n'} answer=busy
  [[ $file == *$'\n'* && -n $id && $id != ${__duetty[taken]} ]] || return 0
  if [[ -z $PREBUFFER$BUFFER && $CONTEXT == start ]]; then
    answer=taken
    __duetty[taken]=$id
    __duetty[run]=$id
    __duetty[text]=$text
    POSTDISPLAY=
    BUFFER=$text
    CURSOR=$#BUFFER
    # The option is only looked at before the line is edited; the characters are looked at afterwards.
    if [[ $histchars[1] != $'\x01' ]]; then
      __duetty[bang]=$histchars
      histchars=$'\x01\x01'$histchars[3]
    fi
  fi
  print -rn -- $'\e]633;R;'"$id;$answer;duetty=${__duetty[tag]}"$'\a' >/dev/tty
  [[ $answer == busy ]] || zle .accept-line
}

__duetty_bind() {
  local map
  zle -N __duetty_key
  for map in emacs viins vicmd main; do
    bindkey -M $map '\e[9977~' __duetty_key
  done
}

typeset -gA __duetty
if [[ $ZSH_VERSION != (5.<8->*|<6->.*) ]] || ! zmodload zsh/datetime zsh/parameter zsh/terminfo zsh/zle 2>/dev/null; then
  print -rn -- $'\e]633;P;Integration=none;duetty='${__duetty[nonce]}:0$'\a'
  return 0
fi
__duetty+=(n 0 ended 0 sp 0 cr 1 percent 1 bang '' real 0 run '' text '' taken '' status 0 tag '')
__duetty_order
