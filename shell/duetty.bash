# duetty's marks for bash >= 5.1. Sourced after the user's files by a generated one, which sets __duetty_nonce and
# __duetty_dir. Owns: the first and the last entry of PROMPT_COMMAND, the ends of PS0 and PS1, the keys ESC[9977~ to
# ESC[9979~. All state lives in arrays: bash exports none, not even under `set -a`.

if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 501)); then
  builtin printf '\e]633;P;Integration=none;duetty=%s:0\a' "${__duetty_nonce[0]}"
  return 0
fi

__duetty_n=(0)       # the cycle
__duetty_at=(0)      # 1 from the prompt until its first command starts; a pasted buffer may hold several
__duetty_on=('' 1)   # ${__duetty_on[at]:+...} is an `if` that a prompt can expand
__duetty_off=(1 '')
__duetty_nil=('')    # ${__duetty_nil[x=1,0]} is an assignment that a prompt can expand; it shows nothing
__duetty_del=($'\x7f')
__duetty_lost=(0)    # our hooks were thrown out of PROMPT_COMMAND
__duetty_run=('')    # the agent's line being run, its text, and the last one that was taken
__duetty_text=('')
__duetty_taken=('')
__duetty_bang=(0)    # history expansion was on and has to come back
__duetty_newest=(0)  # at the prompt: number of the next history entry
__duetty_row=(0)     # at the prompt: lines read so far
__duetty_accept=('') # what ESC[9979~ does now
__duetty_hooks=()    # the user's part of PROMPT_COMMAND as we last left it
__duetty_escaped=('')

# A subshell: the only compound command that can print before a DEBUG trap of the user does.
__duetty_first=('(__duetty_end "$?") >/dev/tty 2>/dev/null')
# The redirection hides us from `set -x`; the first function has local options, the second must not.
__duetty_last=('{ __duetty_prompt "$?"; __duetty_expand; } >/dev/tty 2>/dev/null')

# PS0 and PS1 only refer to these: exported to a nested shell they expand to nothing.
__duetty_ps0=('${__duetty_c[*]@P}' '')
__duetty_ps1=('\[${__duetty_b[*]@P}\]' '')
__duetty_c=(
  '${__duetty_on[__duetty_at[0]]:+$({ __duetty_line; } 2>/dev/null)'$'\e'
  ']133;C;duetty=${__duetty_nonce[0]}:${__duetty_n[0]};t=${EPOCHREALTIME//[!0-9]/.}'
  '${__duetty_run[0]:+;run=${__duetty_run[0]}}'$'\a''}${__duetty_nil[__duetty_at[0]=0]}'
)
# at = 0 when PS1 is expanded: more commands of the same buffer follow, or an assignment threw both hooks out. Then end
# the cycle here and put the last hook back; the only string assignment a prompt can make is `:=`, and the bracket
# swallows what that expands to.
__duetty_b=(
  '${__duetty_off[__duetty_at[0]]:+'
  '${__duetty_nil[(__duetty_lost[0]=$({ __duetty_rescue "$?"; } 2>/dev/null))?(__duetty_n[0]+=1,__duetty_at[0]=1,__duetty_newest[0]=HISTCMD,__duetty_row[0]=LINENO,0):0]}'
  '${__duetty_on[__duetty_lost[0]]:+${__duetty_del[0]#[!"${PROMPT_COMMAND[9999]:=${__duetty_last[0]}}"]}}}'$'\e'
  ']133;B;duetty=${__duetty_nonce[0]}:${__duetty_n[0]}'$'\a'
)
# "${x[*]@P}" would join with the user's IFS and expand each element alone: keep them as one.
builtin printf -v '__duetty_c[0]' '%s' "${__duetty_c[@]}"
__duetty_c=("${__duetty_c[0]}")
builtin printf -v '__duetty_b[0]' '%s' "${__duetty_b[@]}"
__duetty_b=("${__duetty_b[0]}")

__duetty_mark_end() {
  ((__duetty_n[0] > 0)) || return 0
  builtin printf '\e]133;D;%s;duetty=%s:%s;t=%s\a' "$1" "${__duetty_nonce[0]}" "${__duetty_n[0]}" \
    "${EPOCHREALTIME//[!0-9]/.}"
}

__duetty_mark_start() {
  __duetty_escape "$PWD"
  builtin printf '\e]633;P;Cwd=%s;duetty=%s:%s\a\e]133;A;duetty=%s:%s\a' \
    "${__duetty_escaped[0]}" "${__duetty_nonce[0]}" "$1" "${__duetty_nonce[0]}" "$1"
}

# Called as "foo; $PROMPT_COMMAND" it is not the first: then the last one ends the cycle.
__duetty_end() {
  [[ ${PROMPT_COMMAND[0]-} != "${__duetty_first[0]}" ]] || __duetty_mark_end "$1"
}

# Prints what PS1 calculates with: 1 when our last hook is gone.
__duetty_rescue() {
  local entry
  for entry in "${PROMPT_COMMAND[@]}"; do
    [[ $entry != "${__duetty_last[0]}" ]] || { builtin printf 0 && return 0; }
  done
  {
    __duetty_mark_end "$1"
    __duetty_mark_start $((__duetty_n[0] + 1))
  } >/dev/tty
  builtin printf 1
}

__duetty_prompt() {
  local - IFS=$' \t\n'
  set +aefuvx
  [[ ${PROMPT_COMMAND[0]-} == "${__duetty_first[0]}" ]] || __duetty_mark_end "$1"
  __duetty_n[0]=$((__duetty_n[0] + 1))
  __duetty_at[0]=1
  __duetty_lost[0]=0
  __duetty_run[0]=
  __duetty_text[0]=
  __duetty_newest[0]=${HISTCMD-0}
  __duetty_row[0]=${BASH_LINENO[0]}
  __duetty_mark_start "${__duetty_n[0]}"
  __duetty_order
  __duetty_dress
}

__duetty_expand() {
  if ((__duetty_bang[0])); then
    __duetty_bang[0]=0
    set -o histexpand
  fi
}

# PROMPT_COMMAND=x replaces element 0, which is ours: do to the user's list what it would have done without us.
__duetty_order() {
  local first=${__duetty_first[0]} last=${__duetty_last[0]} entry
  local -a now=("${PROMPT_COMMAND[@]}") user=()
  local -a rest=("${now[@]:1}") left=("${__duetty_hooks[@]}" "$last")
  if [[ ${now[0]-} != "$first" && "${rest[*]@Q}" == "${left[*]@Q}" ]]; then
    entry=${__duetty_hooks[0]-:}
    now=("${now[0]//"$first"/"$entry"}" "${__duetty_hooks[@]:1}")
  fi
  for entry in "${now[@]}"; do
    case $entry in '' | "$first" | "$last") ;; *) user+=("$entry") ;; esac
  done
  __duetty_hooks=("${user[@]}")
  left=("$first" "${user[@]}" "$last")
  now=("${PROMPT_COMMAND[@]}")
  [[ "${now[*]@Q}" == "${left[*]@Q}" ]] || PROMPT_COMMAND=("${left[@]}")
}

# Without promptvars a prompt expands no parameter: then C has whole seconds and no run, and E is missing. (bash keeps a
# pointer to PS0 while a line is edited: a key must not change it.)
__duetty_dress() {
  local ps0=${PS0-} ps1=${PS1-} c=${__duetty_ps0[0]} b=${__duetty_ps1[0]} tag="duetty=${__duetty_nonce[0]}:${__duetty_n[0]}"
  ps0=${ps0//"$c"/} ps1=${ps1//"$b"/}
  [[ -z ${__duetty_ps0[1]} ]] || ps0=${ps0//"${__duetty_ps0[1]}"/} ps1=${ps1//"${__duetty_ps1[1]}"/}
  __duetty_ps0[1]= __duetty_ps1[1]=
  if ! builtin shopt -q promptvars; then
    c="\\e]133;C;$tag;t=\\D{%s}.0\\a" b="\\[\\e]133;B;$tag\\a\\]"
    __duetty_ps0[1]=$c __duetty_ps1[1]=$b
  fi
  [[ ${PS0-} == "$ps0$c" ]] || PS0=$ps0$c
  [[ ${PS1-} == "$ps1$b" ]] || PS1=$ps1$b
}

# Sets __duetty_escaped: a function that printed it would cost a process.
__duetty_escape() {
  __duetty_escaped[0]=$1
  [[ $1 == *[[:cntrl:]\\\;]* ]] || return 0
  local LC_ALL=C s=$1 c to='\\'
  s=${s//\\/"$to"} to='\x3b'
  s=${s//;/"$to"}
  while [[ $s =~ [[:cntrl:]] ]]; do
    c=${BASH_REMATCH[0]}
    builtin printf -v to '\\x%02x' "'$c"
    s=${s//"$c"/"$to"}
  done
  __duetty_escaped[0]=$s
}

# In the subshell of PS0, so it may spoil its copy of the history. Prints E, or nothing where bash lost the text.
__duetty_line() {
  set +aefuvx
  IFS=$' \t\n'
  local sure=
  if [[ ${__duetty_run[0]} ]]; then
    __duetty_escape "${__duetty_text[0]}"
  else
    [[ -o history ]] && __duetty_recall || return 0
  fi
  builtin printf '\e]633;E;%s;duetty=%s:%s%s\a' "${__duetty_escaped[0]}" "${__duetty_nonce[0]}" "${__duetty_n[0]}" "$sure"
}

__duetty_recall() {
  local text=
  local -i newest=${HISTCMD-0} count=0
  count=newest-__duetty_newest[0]
  __duetty_newest_entry || return 1
  # More than one with cmdhist off, where each line is an entry.
  while ((--count > 0)); do
    local later=$text
    builtin history -d -1
    __duetty_newest_entry || return 1
    text+=$'\n'$later
  done
  __duetty_escape "$text"
  ((newest <= __duetty_newest[0])) || return 0
  # erasedups may add one and take one; `history -p` removes the newest entry only if this line added it.
  builtin history -p x >/dev/null
  ((HISTCMD == newest)) || return 0
  # No new entry: a duplicate, or a line that was kept out. With ignorespace or HISTIGNORE nobody can tell which.
  [[ :${HISTCONTROL-}: == *:ignore@(dups|both):* ]] || return 1
  [[ :${HISTCONTROL-}: != *:ignore@(space|both):* && -z ${HISTIGNORE-} ]] || sure=';maybe=1'
}

# A file of ours instead of $(history 1): one process less for every command. It is never truncated, because ext4 waits
# for the disk when a truncated file is closed; a NUL ends what is new in it.
__duetty_newest_entry() {
  unset -v HISTTIMEFORMAT
  {
    builtin history 1
    builtin printf '\0'
  } 1<>"${__duetty_dir[0]}/text" || return 1
  local -a entry=()
  builtin mapfile -d '' -n 1 entry <"${__duetty_dir[0]}/text"
  text=${entry[0]-}
  [[ $text =~ ^\ *[0-9]+[*\ ]\  ]] || return 1
  text=${text#"${BASH_REMATCH[0]}"}
  text=${text%$'\n'}
}

# The agent's key is a macro of two: the first decides, the second accepts the line or does nothing.
__duetty_key() {
  local id= text= way= answer=busy
  local -a file=()
  # Not `read`: inside a `read -e` it would leave Enter without its binding.
  builtin mapfile -d '' -n 1 file <"${__duetty_dir[0]}/line" || :
  if [[ ${file[0]-} == *$'\n'* ]]; then
    id=${file[0]%%$'\n'*} text=${file[0]#*$'\n'}
  fi
  if [[ $id && $id != "${__duetty_taken[0]}" ]]; then
    # The row tells a continuation line, which has an empty buffer as well: one more is read now, one is in our binding.
    if [[ -z $READLINE_LINE ]] && ((__duetty_at[0] && BASH_LINENO[0] == __duetty_row[0] + 2)); then
      way=accept-line answer=taken
      __duetty_take
    fi
    builtin printf '\e]633;R;%s;%s;duetty=%s:%s\a' "$id" "$answer" "${__duetty_nonce[0]}" "${__duetty_n[0]}"
  fi
  __duetty_bind "$way"
}

__duetty_take() {
  __duetty_run[0]=$id
  __duetty_taken[0]=$id
  __duetty_text[0]=$text
  READLINE_LINE=$text
  READLINE_POINT=${#text}
  if [[ -o histexpand ]]; then
    __duetty_bang[0]=1
    set +o histexpand
  fi
}

__duetty_bind() {
  [[ $1 != "${__duetty_accept[0]}" ]] || return 0
  __duetty_accept[0]=$1
  local map
  for map in emacs vi-insert vi-command; do
    builtin bind -m "$map" "\"\\e[9979~\": ${1:-\"\"}"
  done
}

__duetty_keys() {
  local map
  for map in emacs vi-insert vi-command; do
    # The newline: inside an open quote bash would not know the brace for what it is.
    builtin bind -m "$map" -x $'"\\e[9978~": "\n{ __duetty_key; } >/dev/tty 2>/dev/null"'
    builtin bind -m "$map" '"\e[9979~": ""'
    builtin bind -m "$map" '"\e[9977~": "\e[9978~\e[9979~"'
  done
}

__duetty_keys 2>/dev/null
unset -f __duetty_keys
__duetty_hooks=("${PROMPT_COMMAND[@]}")
PROMPT_COMMAND=("${__duetty_first[0]}" "${__duetty_hooks[@]}" "${__duetty_last[0]}")
