# duetty's marks for a bash >= 4.4 inside another shell, perhaps on another machine. It is typed there as a text: no file is
# read or written, and a line to run comes through the terminal. It has no guard: the gate knows that. The line before sets
# __duetty_nonce. Owns: the first and the last entry of PROMPT_COMMAND, the ends of PS0 and PS1, ESC[9977~ to ESC[9979~,
# and the EXIT trap if nobody has one. All state lives in arrays, which bash never exports.
__duetty_n=(0) __duetty_at=(0) __duetty_run=('') __duetty_text=('') __duetty_bang=(0) __duetty_newest=(0) __duetty_row=(0)
__duetty_on=('' 1) __duetty_nil=('') __duetty_accept=('') __duetty_escaped=('') __duetty_p=('') __duetty_b=('')
__duetty_ps1=('\[${__duetty_p[0]}\]' '\[${__duetty_b[0]}\]')
__duetty_ps0=('${__duetty_on[__duetty_at[0]]:+$({ __duetty_start; } 2>/dev/null)}${__duetty_nil[__duetty_at[0]=0]}')
__duetty_hooks=('{ __duetty_first; } 2>/dev/null' '{ __duetty_last; __duetty_expand; } 2>/dev/null')

__duetty_say() {
  builtin printf '\e]%s;duetty=%s:%s%s\a' "$1" "${__duetty_nonce[0]}" "${__duetty_n[0]}" "${2-}" >/dev/tty
}

__duetty_escape() {
  __duetty_escaped[0]=$1
  [[ $1 == *[[:cntrl:]\\\;]* ]] || return 0
  local LC_ALL=C s=$1 c to='\\'
  s=${s//\\/"$to"} to='\x3b'
  s=${s//;/"$to"}
  while [[ $s == *[[:cntrl:]]* ]]; do
    to=${s#*[[:cntrl:]]}
    c=${s:${#s}-${#to}-1:1}
    builtin printf -v to '\\x%02x' "'$c"
    s=${s//"$c"/"$to"}
  done
  __duetty_escaped[0]=$s
}

__duetty_first() {
  local code=$? IFS=$' \t\n'
  local -
  set +aefuvx
  ((__duetty_n[0] == 0)) || __duetty_say "133;D;$code"
  __duetty_n[0]=$((__duetty_n[0] + 1))
  __duetty_at[0]=1 __duetty_run[0]= __duetty_text[0]=
  __duetty_newest[0]=${HISTCMD-0}
  __duetty_row[0]=${BASH_LINENO[0]}
  __duetty_escape "$PWD"
  __duetty_say "633;P;Cwd=${__duetty_escaped[0]}"
  __duetty_say '133;A'
  builtin printf -v '__duetty_p[0]' '\e]133;P;k=i;duetty=%s:%s\a' "${__duetty_nonce[0]}" "${__duetty_n[0]}"
  builtin printf -v '__duetty_b[0]' '\e]133;B;duetty=%s:%s\a' "${__duetty_nonce[0]}" "${__duetty_n[0]}"
  return "$code"
}

__duetty_last() {
  local ps0=${PS0-} ps1=${PS1-} map
  # As in duetty.bash.
  for map in emacs vi-insert vi-command; do builtin bind -m "$map" '"\C-^": ""'; done 2>/dev/null
  ps0=${ps0//"${__duetty_ps0[0]}"/} ps1=${ps1//"${__duetty_ps1[0]}"/} ps1=${ps1//"${__duetty_ps1[1]}"/}
  PS0=$ps0${__duetty_ps0[0]}
  PS1=${__duetty_ps1[0]}$ps1${__duetty_ps1[1]}
}

__duetty_expand() {
  ((!__duetty_bang[0])) || set -o histexpand
  __duetty_bang[0]=0
}

# It runs in the subshell of PS0. Where bash may not have kept the line, the one before counts only if the screen shows it.
__duetty_start() {
  set +aefuvx
  local sure= text=${__duetty_text[0]}
  if [[ -z $text && -o history ]]; then
    text=$(HISTTIMEFORMAT= builtin history 1)
    if [[ $text =~ ^\ *[0-9]+[*\ ]\  ]]; then text=${text#"${BASH_REMATCH[0]}"}; else text=; fi
    ((HISTCMD > __duetty_newest[0])) || sure=';maybe=1'
  fi
  __duetty_escape "$text"
  [[ -z $text ]] || __duetty_say "633;E;${__duetty_escaped[0]}" "$sure"
  __duetty_say '133;C' "${__duetty_run[0]:+;run=${__duetty_run[0]}}"
}

# A line comes in a frame: 2, its id, a semicolon, the line, 30, newline. What somebody typed meanwhile stands before it.
__duetty_frame() {
  command sh -c 's=$(stty -g);trap "stty $s" 2;stty -echo -icanon -inlcr min 0 time 100;printf %s "$0">/dev/tty
    IFS= read -r l;stty "$s";b=$(printf "\002");case $l in
    "$b"*"$(printf "\036")")l=${l%?};printf %b "${l#?}";;*)printf ";%s" "${l%%$b*}";;esac' "$1" </dev/tty
}

__duetty_key() {
  local frame= answer=busy way= ready
  # The first byte of our key, taken by a key that waited for one more.
  if [[ ${READLINE_LINE:0:READLINE_POINT} == *$'\x1e' ]]; then
    READLINE_POINT=$((READLINE_POINT - 1))
    READLINE_LINE=${READLINE_LINE:0:READLINE_POINT}${READLINE_LINE:READLINE_POINT+1}
  fi
  if [[ -z $READLINE_LINE ]] && ((__duetty_at[0] && ${BASH_LINENO[0]} == __duetty_row[0] + 2)); then
    builtin printf -v ready '\e]633;R;key;ready;duetty=%s:%s\a' "${__duetty_nonce[0]}" "${__duetty_n[0]}"
    frame=$(__duetty_frame "$ready")
    if [[ $frame == ?*\;* ]]; then
      __duetty_run[0]=${frame%%;*} __duetty_text[0]=${frame#*;} way=accept-line answer=taken
      READLINE_LINE=${__duetty_text[0]}
      [[ $READLINE_LINE != *$'\n'* ]] || READLINE_LINE=$'{\n'"$READLINE_LINE"$'\n}'
      if [[ -o histexpand ]]; then __duetty_bang[0]=1; set +o histexpand; fi
    else
      frame=${frame#;} frame=${frame//$'\e[9977~'/}
      READLINE_LINE=${frame//[[:cntrl:]]/}
    fi
    READLINE_POINT=${#READLINE_LINE}
  fi
  __duetty_say "633;R;${__duetty_run[0]:-key};$answer"
  __duetty_bind "$way"
}

__duetty_bind() {
  [[ $1 != "${__duetty_accept[0]}" ]] || return 0
  __duetty_accept[0]=$1
  local map
  for map in emacs vi-insert vi-command; do builtin bind -m "$map" "\"\\e[9979~\": ${1:-\"\"}"; done
}

__duetty_setup() {
  local map
  for map in emacs vi-insert vi-command; do
    builtin bind -m "$map" -x $'"\\e[9978~": "\n{ __duetty_key; } >/dev/tty 2>/dev/null"'
    builtin bind -m "$map" '"\e[9979~": ""'
    builtin bind -m "$map" '"\e[9977~": "\e[9978~\e[9979~"'
  done
  # In posix mode one that nobody has is told as -.
  [[ $(builtin trap -p EXIT) == *\'* ]] || builtin trap '{ __duetty_say "633;P;Bye=$?"; } 2>/dev/null' EXIT
  # The line that brought us here.
  [[ $(HISTTIMEFORMAT= builtin history 1) != *"$1"* ]] || builtin history -d $((HISTCMD - 1))
}

# Without line editing no key reaches us.
if [[ -o emacs || -o vi ]]; then
  # Once is enough, if it is integrated again.
  if [[ ${PROMPT_COMMAND[*]} == *__duetty_first* ]]; then
    :
  elif ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)); then
    PROMPT_COMMAND=("${__duetty_hooks[0]}" "${PROMPT_COMMAND[@]}" "${__duetty_hooks[1]}")
  else
    PROMPT_COMMAND="${__duetty_hooks[0]};${PROMPT_COMMAND:+$PROMPT_COMMAND;}${__duetty_hooks[1]}"
  fi
  __duetty_setup '633;H;%s;' 2>/dev/null
fi
