# duetty's marks for a zsh >= 5.3 inside another shell, perhaps on another machine. As in nested.bash, no file is read or
# written, a line to run comes through the terminal, and there is no guard. The line before sets __duetty_nonce. Owns: the
# first and the last of precmd_functions, the last of preexec_functions, the ends of PROMPT, ESC[9977~.
typeset -gA __duetty
__duetty=(n 0 run '' text '' bang '' code 0 sp 0)
if [[ -o promptsp && -o promptcr ]]; then __duetty[sp]=1; unsetopt promptsp; fi

__duetty_say() {
  print -rn -- $'\e]'"$1;duetty=${__duetty_nonce}:${__duetty[n]}${2-}"$'\a' >/dev/tty
}

__duetty_escape() {
  emulate -L zsh
  local -i code
  typeset -g REPLY=${1//\\/\\\\}
  REPLY=${REPLY//;/\\x3b}
  [[ $REPLY == *[$'\x01'-$'\x1f'$'\x7f']* ]] || return 0
  for code in {1..31} 127; do
    REPLY=${REPLY//${(#)code}/\\x${(Ll:2::0:)$(([##16]code))}}
  done
}

__duetty_first() {
  __duetty[code]=$?
  emulate -L zsh
  local REPLY=
  if ((__duetty[n])); then
    __duetty_say "133;D;${__duetty[code]}"
    __duetty_fresh_line
  fi
  __duetty[n]=$((__duetty[n] + 1)) __duetty[run]= __duetty[text]=
  __duetty_escape "$PWD"
  __duetty_say "633;P;Cwd=$REPLY"
  __duetty_say '133;A'
  return ${__duetty[code]}
}

# What PROMPT_SP would print before the end is marked.
__duetty_fresh_line() {
  [[ ${__duetty[sp]} == 1 ]] || return 0
  local mark=${(%)${PROMPT_EOL_MARK-%B%S%#%s%b}} bare=${(%)${${PROMPT_EOL_MARK-%B%S%#%s%b}//\%[BSUbsu]/}}
  print -rn -- $mark${(l:COLUMNS - $#bare:)}$'\r'${(l:$#bare:)}$'\r' >/dev/tty
}

__duetty_last() {
  emulate -L zsh
  if [[ -n ${__duetty[bang]} ]]; then histchars=${__duetty[bang]} __duetty[bang]=; fi
  __duetty_undress
  local tag="duetty=${__duetty_nonce}:${__duetty[n]}"
  PROMPT=$'%{\e]133;P;k=i;'$tag$'\a%}'$PROMPT$'%{\e]133;B;'$tag$'\a%}'
}

__duetty_undress() {
  emulate -L zsh
  local kind mark
  for kind in B 'P;k=i'; do
    mark=$'%{\e]133;'$kind";duetty=${__duetty_nonce}:"
    PROMPT=${PROMPT//$mark<->$'\a%}'/}
  done
}

__duetty_start() {
  emulate -L zsh
  local REPLY= text=${1:-$3}
  [[ -z ${__duetty[text]} ]] || text=${__duetty[text]}
  __duetty_undress
  __duetty_escape "$text"
  __duetty_say "633;E;$REPLY"
  __duetty_say '133;C' "${__duetty[run]:+;run=${__duetty[run]}}"
}

__duetty_bye() {
  __duetty_say "633;P;Bye=$?" 2>/dev/null
}

# As in nested.bash.
__duetty_frame() {
  command sh -c 's=$(stty -g);trap "stty $s" 2;stty -echo -icanon -inlcr min 0 time 100;printf %s "$0">/dev/tty
    IFS= read -r l;stty "$s";b=$(printf "\002");case $l in
    "$b"*"$(printf "\036")")l=${l%?};printf %b "${l#?}";;*)printf ";%s" "${l%%$b*}";;esac' "$1" </dev/tty
}

__duetty_key() {
  emulate -L zsh
  local frame= answer=busy
  # The first byte of our key, taken by a key that waited for one more.
  [[ $LBUFFER != *$'\x1e' ]] || LBUFFER=${LBUFFER%?}
  if [[ -z $PREBUFFER$BUFFER && $CONTEXT == start ]]; then
    frame=$(__duetty_frame $'\e]633;R;key;ready;duetty='"${__duetty_nonce}:${__duetty[n]}"$'\a' 2>/dev/null)
    if [[ $frame == ?*\;* ]]; then
      __duetty[run]=${frame%%;*} __duetty[text]=${frame#*;} answer=taken
      BUFFER=${__duetty[text]}
      [[ $BUFFER != *$'\n'* ]] || BUFFER=$'{\n'$BUFFER$'\n}'
      if [[ -n ${histchars-} ]]; then __duetty[bang]=$histchars; histchars=; fi
    else
      frame=${${frame#;}//$'\e[9977~'/}
      BUFFER=${frame//[[:cntrl:]]/}
    fi
    CURSOR=$#BUFFER
  fi
  __duetty_say "633;R;${__duetty[run]:-key};$answer"
  [[ $answer != taken ]] || zle .accept-line
}

() {
  emulate -L zsh
  local map
  zle -N __duetty_key
  for map in emacs viins vicmd; do bindkey -M $map $'\e[9977~' __duetty_key $'\x1e\e[9977~' __duetty_key; done
  typeset -ga precmd_functions preexec_functions zshexit_functions
  precmd_functions=(__duetty_first ${precmd_functions:#__duetty_*} __duetty_last)
  preexec_functions=(${preexec_functions:#__duetty_*} __duetty_start)
  zshexit_functions=(${zshexit_functions:#__duetty_*} __duetty_bye)
}
