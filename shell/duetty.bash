# duetty's marks for bash >= 5.1, and the guard over an agent's lines. Sourced after the user's files by a generated one,
# which sets __duetty_nonce, __duetty_dir and __duetty_limit. Owns: the first and the last entry of PROMPT_COMMAND, the
# ends of PS0 and PS1, the start of PS1, the keys Ctrl+^ and ESC[9972~ to ESC[9979~, and the DEBUG trap while a guarded line runs. All
# state lives in arrays: bash exports none, not even under `set -a`.

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
__duetty_ignore=()   # the user's HISTIGNORE and whether it is set, while ours is in its place
__duetty_bang=(0)    # history expansion was on and has to come back
__duetty_newest=(0)  # at the prompt: number of the next history entry
__duetty_row=(0)     # at the prompt: lines read so far
__duetty_accept=('') # what ESC[9979~ does now
__duetty_guarded=('"\e[9974~\e[9973~"') # what it does to guard the line
__duetty_hooks=()    # the user's part of PROMPT_COMMAND as we last left it
__duetty_escaped=('')
__duetty_answer=('')
__duetty_asked=('')  # who wants to know the shell's state
__duetty_guard=()    # of the guarded line: run, command that lifts the guard, cycle, 1 when PS0 tells its start, dead
__duetty_trap=('')   # the user's, while ours is in its place
__duetty_options=()  # the user's extdebug, functrace and errtrace: 1 or 0
declare -gA __duetty_said=()

# A subshell: the only compound command that can print before a DEBUG trap of the user does.
__duetty_first=('(__duetty_end "$?") >/dev/tty 2>/dev/null')
# The redirection hides us from `set -x`; the first function has local options, the second must not.
__duetty_last=('{ __duetty_prompt "$?"; __duetty_expand; } >/dev/tty 2>/dev/null')

# PS0 and PS1 only refer to these: exported to a nested shell they expand to nothing.
__duetty_ps0=('${__duetty_c[*]@P}' '')
__duetty_ps1=('\[${__duetty_b[*]@P}\]' '')
__duetty_ps1_start=('\[${__duetty_p[*]@P}\]' '')
__duetty_p=($'\e'']133;P;k=i;duetty=${__duetty_nonce[0]}:${__duetty_n[0]}'$'\a')
__duetty_c=(
  '${__duetty_on[__duetty_at[0]]:+$({ __duetty_line; __duetty_ahead; } 2>/dev/null)'$'\e'
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
  local code=$1
  # bash treats a command that was not allowed as a success.
  if [[ ${__duetty_guard[2]-} == "${__duetty_n[0]}" ]] && __duetty_was_denied; then code=126; fi
  builtin printf '\e]133;D;%s;duetty=%s:%s;t=%s\a' "$code" "${__duetty_nonce[0]}" "${__duetty_n[0]}" \
    "${EPOCHREALTIME//[!0-9]/.}"
}

# We use a file, because the command may have run in a subshell.
__duetty_was_denied() {
  local -a cycle=()
  builtin mapfile -t -n 1 cycle <"${__duetty_dir[0]}/denied"
  [[ ${cycle[0]-} == "${__duetty_n[0]}" ]]
}

__duetty_mark_start() {
  local tag="duetty=${__duetty_nonce[0]}:$1"
  __duetty_escape "$PWD"
  builtin printf '\e]633;P;Cwd=%s;%s\a' "${__duetty_escaped[0]}" "$tag"
  [[ -z ${!-} ]] || __duetty_mark_jobs "$tag"
  builtin printf '\e]133;A;%s\a' "$tag"
}

# What runs in the background now. It costs a process, so only a shell that ever had such a job is asked.
__duetty_mark_jobs() {
  local line list= IFS=
  while builtin read -r line; do
    [[ $line != '['*Running* ]] || list+=${list:+$'\x1f'}${line#*Running}
  done <<<"$(LC_ALL=C builtin jobs -r)"
  [[ $list ]] || return 0
  __duetty_escape "$list"
  builtin printf '\e]633;P;Jobs=%s;%s\a' "${__duetty_escaped[0]}" "$1"
}

# Called as "foo; $PROMPT_COMMAND" it is not the first hook. Then the last hook ends the cycle.
__duetty_end() {
  [[ ${PROMPT_COMMAND[0]-} != "${__duetty_first[0]}" ]] || __duetty_mark_end "$1"
}

# Prints the number that PS1 calculates with: 1 when our last hook is gone.
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
  # What an agent typed and its program did not read.
  [[ ! -x ${__duetty_dir[0]}/drain ]] || "${__duetty_dir[0]}/drain" </dev/tty
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
  __duetty_still
}

# Ctrl+^, with which our keys begin, does nothing by itself. It is bound before each line, because we press whatever it is bound
# to; and alone, because a search in the history would not end with a key that only begins with it.
__duetty_still() {
  local map
  for map in emacs vi-insert vi-command; do builtin bind -m "$map" '"\C-^": ""'; done
}

__duetty_expand() {
  if ((__duetty_bang[0])); then
    __duetty_bang[0]=0
    set -o histexpand
  fi
}

# PROMPT_COMMAND=x replaces element 0, which is ours. We do to the user's list what bash would have done without us.
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
  local ps0=${PS0-} ps1=${PS1-} c=${__duetty_ps0[0]} b=${__duetty_ps1[0]} p=${__duetty_ps1_start[0]}
  local tag="duetty=${__duetty_nonce[0]}:${__duetty_n[0]}"
  ps0=${ps0//"$c"/} ps1=${ps1//"$b"/} ps1=${ps1//"$p"/}
  if [[ ${__duetty_ps0[1]} ]]; then
    ps0=${ps0//"${__duetty_ps0[1]}"/} ps1=${ps1//"${__duetty_ps1[1]}"/} ps1=${ps1//"${__duetty_ps1_start[1]}"/}
  fi
  __duetty_ps0[1]= __duetty_ps1[1]= __duetty_ps1_start[1]=
  if ! builtin shopt -q promptvars; then
    c="\\e]133;C;$tag;t=\\D{%s}.0\\a" b="\\[\\e]133;B;$tag\\a\\]"
    p="\\[\\e]133;P;k=i;$tag\\a\\]"
    __duetty_ps0[1]=$c __duetty_ps1[1]=$b __duetty_ps1_start[1]=$p
  fi
  [[ ${PS0-} == "$ps0$c" ]] || PS0=$ps0$c
  [[ ${PS1-} == "$p$ps1$b" ]] || PS1=$p$ps1$b
}

# Sets __duetty_escaped: a function that printed it would cost a process.
__duetty_escape() {
  __duetty_escaped[0]=$1
  [[ $1 == *[[:cntrl:]\\\;]* ]] || return 0
  local LC_ALL=C s=$1 c to='\\'
  s=${s//\\/"$to"} to='\x3b'
  s=${s//;/"$to"}
  # Not =~, which would spoil BASH_REMATCH for the guarded line.
  while [[ $s == *[[:cntrl:]]* ]]; do
    to=${s#*[[:cntrl:]]}
    c=${s:${#s}-${#to}-1:1}
    builtin printf -v to '\\x%02x' "'$c"
    s=${s//"$c"/"$to"}
  done
  __duetty_escaped[0]=$s
}

# It runs in the subshell of PS0, so it may change its copy of the history. Prints E, or nothing where bash lost the text.
__duetty_line() {
  set +aefuvx
  IFS=$' \t\n'
  local sure=
  if [[ ${__duetty_text[0]} ]]; then
    __duetty_escape "${__duetty_text[0]}"
  else
    [[ -o history ]] && __duetty_recall || return 0
  fi
  builtin printf '\e]633;E;%s;duetty=%s:%s%s\a' "${__duetty_escaped[0]}" "${__duetty_nonce[0]}" "${__duetty_n[0]}" "$sure"
}

# Keys that were typed ahead lie in the terminal as one piece, because readline reads keys. They are typed again, so that
# the command gets them line by line.
__duetty_ahead() {
  local again=
  builtin read -t 0 </dev/tty && [[ -p ${__duetty_dir[0]}/again ]] || return 0
  {
    builtin printf '\e]633;P;Ahead;duetty=%s:%s\a' "${__duetty_nonce[0]}" "${__duetty_n[0]}" >/dev/tty
    while builtin read -r -t 3 again; do
      [[ $again != "${__duetty_n[0]}" ]] || return 0
    done
  } <>"${__duetty_dir[0]}/again"
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
  # No new entry means a duplicate or an excluded line. With ignorespace or HISTIGNORE we cannot tell which.
  [[ :${HISTCONTROL-}: == *:ignore@(dups|both):* ]] || return 1
  [[ :${HISTCONTROL-}: != *:ignore@(space|both):* && -z ${HISTIGNORE-} ]] || sure=';maybe=1'
}

# We use a file instead of $(history 1) to save a process for every command. It is never truncated, because ext4 waits
# for the disk when a truncated file is closed. A NUL ends the new part.
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

# A key that waited for one more byte (Ctrl+V) has put the first one of ours into the line.
__duetty_unquote() {
  [[ ${READLINE_LINE:0:READLINE_POINT} == *$'\x1e' ]] || return 0
  READLINE_POINT=$((READLINE_POINT - 1))
  READLINE_LINE=${READLINE_LINE:0:READLINE_POINT}${READLINE_LINE:READLINE_POINT+1}
}

# The agent's keys are macros of two: the first decides, the second accepts the line, guarded or not, or does nothing.
__duetty_key() {
  local id= text= way= answer=busy accept=accept-line boxed= change=
  local -a file=()
  __duetty_unquote
  # Not `read`: inside a `read -e` it would leave Enter without its binding.
  builtin mapfile -d '' -t file <"${__duetty_dir[0]}/line" || :
  if [[ ${file[0]-} == *$'\n'* ]]; then
    id=${file[0]%%$'\n'*} text=${file[0]#*$'\n'}
    case $id in
      *' guarded') id=${id% guarded} accept=${__duetty_guarded[0]} ;;
      *' boxed') id=${id% boxed} boxed=1 ;;
      *' lift') id=${id% lift} change=__duetty_lift_line ;;
      *' edit') id=${id% edit} change=__duetty_edit_line ;;
      *' state') __duetty_asked[0]=${id% state} && __duetty_bind '"\e[9972~"' && return ;;
    esac
  fi
  if [[ $id && $id != "${__duetty_taken[0]}" ]]; then
    if [[ $change ]]; then
      "$change"
    elif [[ -z $READLINE_LINE ]] && __duetty_at_prompt "${BASH_LINENO[0]}"; then
      way=$accept answer=taken
      __duetty_take
      [[ ! $boxed ]] || __duetty_box
    fi
    builtin printf '\e]633;R;%s;%s;duetty=%s:%s\a' "$id" "$answer" "${__duetty_nonce[0]}" "${__duetty_n[0]}"
  fi
  __duetty_bind "$way"
}

# Gives the half line up: the one that the file names, or any. Sets the caller's answer.
__duetty_lift_line() {
  [[ -z $text || $READLINE_LINE == "$text" ]] && __duetty_at_prompt "${BASH_LINENO[1]}" || return 0
  __duetty_escape "$READLINE_LINE"
  answer="lifted;${__duetty_escaped[0]}"
  READLINE_LINE= READLINE_POINT=0
}

# Changes the half line for an agent. No byte of it is a key here, so no binding of the user's counts.
__duetty_edit_line() {
  __duetty_at_prompt "${BASH_LINENO[1]}" || return 0
  local edit before=${READLINE_LINE:0:READLINE_POINT} after=${READLINE_LINE:READLINE_POINT}
  for edit in "$text" "${file[@]:1}"; do
    case $edit in
      =*) before+=${edit#=} ;;
      left) after=${before: -1}$after before=${before%?} ;;
      right) before+=${after:0:1} after=${after:1} ;;
      home) after=$before$after before= ;;
      end) before+=$after after= ;;
      back) before=${before%?} ;;
      delete) after=${after:1} ;;
      kill) after= ;;
      clear) before= ;;
      word)
        before=${before%"${before##*[![:space:]]}"}
        before=${before%"${before##*[[:space:]]}"}
        ;;
    esac
  done
  READLINE_LINE=$before$after READLINE_POINT=${#before} answer=edited
}

# Writes what a hidden bash needs to complete like this one (complete.bash). It is bound to a key of its own, because the
# variables of a function that called it would hide the user's. After a plain subshell bash would tell of ended jobs, in the
# middle of the person's line.
__duetty_tell_state() {
  : "$({ umask 077 && __duetty_state >|"${__duetty_dir[0]}/state"; } 2>/dev/null)"
  builtin printf '\e]633;R;%s;told;duetty=%s:%s\a' "${__duetty_asked[0]}" "${__duetty_nonce[0]}" "${__duetty_n[0]}" >/dev/tty
}

# Runs in a subshell. Nothing of ours is told, and nothing that changes by itself or belongs to the terminal. Variables come first,
# each in one line, and then a line with only `#`: alone they can be told again without a new shell.
__duetty_state() {
  set +aefuvx
  IFS=$' \t\n'
  __duetty_kept=()
  for __duetty_name in $(builtin compgen -v); do
    case $__duetty_name in
      __duetty* | BASH | BASHOPTS | BASHPID | BASH_[A-BD-Z]* | BASH_CMDS | BASH_COMMAND | COLUMNS | DIRSTACK | EPOCH* | EUID) ;;
      FUNCNAME | GROUPS | HISTCMD | HISTFILE | IFS | LINENO | LINES | OPTARG | OPTIND | PIPESTATUS | PPID | PROMPT_COMMAND) ;;
      PS[0-4] | PWD | RANDOM | READLINE_* | SECONDS | SHELLOPTS | SHLVL | SRANDOM | TERM | TMOUT | UID | _) ;;
      *) __duetty_kept+=("$__duetty_name") ;;
    esac
  done
  builtin declare -p "${__duetty_kept[@]}"
  builtin printf '#\n'
  __duetty_kept=()
  for __duetty_name in $(builtin compgen -A function); do
    [[ $__duetty_name == __duetty* ]] || __duetty_kept+=("$__duetty_name")
  done
  [[ ! ${__duetty_kept[0]-} ]] || builtin declare -f "${__duetty_kept[@]}"
  builtin complete -p
  builtin alias -p
  while builtin read -r __duetty_name; do builtin printf 'bind %q\n' "$__duetty_name"; done <<<"$(builtin bind -v)"
  builtin shopt -p
  # For us alone: where commands are found, and what else is one. With CDPATH a folder anywhere may be.
  [[ ${CDPATH-} || $PATH == *$'\n'* ]] || builtin printf '#p %s\n' "$PATH"
  builtin printf '#c %s\n' "${!BASH_CMDS[@]}" $(builtin compgen -A function -abk)
}

# An agent's Enter accepts exactly the line that was asked about.
__duetty_enter() {
  local way=
  __duetty_unquote
  if __duetty_at_prompt "${BASH_LINENO[0]}"; then
    if [[ -z $READLINE_LINE ]]; then
      way=accept-line
    else
      __duetty_ask line - "$READLINE_LINE"
      case ${__duetty_answer[0]} in
        allow) way=accept-line ;;
        'allow guarded') way=${__duetty_guarded[0]} ;;
        'allow boxed') way=accept-line && __duetty_box ;;
      esac
      [[ -z $way ]] || __duetty_no_bang
    fi
  fi
  [[ $way ]] || builtin printf '\e]633;R;enter;denied;duetty=%s:%s\a' "${__duetty_nonce[0]}" "${__duetty_n[0]}"
  __duetty_bind "$way"
}

# The row reveals a continuation line, which may also have an empty buffer: one more is read now, one is in our binding.
__duetty_at_prompt() {
  ((__duetty_at[0] && $1 == __duetty_row[0] + 2))
}

__duetty_take() {
  __duetty_run[0]=$id
  __duetty_taken[0]=$id
  __duetty_text[0]=$text
  READLINE_LINE=$text
  READLINE_POINT=${#text}
  __duetty_no_bang
}

__duetty_no_bang() {
  if [[ -o histexpand ]]; then
    __duetty_bang[0]=1
    set +o histexpand
  fi
}

# To the shell a boxed line is one command, a program that the daemon laid out, so jobs and exit codes are as ever. Its
# name is ours: an alias or function of that name goes. Where we cannot have it, the line names the file. The history
# is the person's, so nothing of it is kept there.
__duetty_box() {
  local file=${__duetty_dir[0]}/duetty-box word=duetty-box
  __duetty_text[0]=$READLINE_LINE
  __duetty_ignore=("${HISTIGNORE-}" "${HISTIGNORE+1}")
  builtin printf -v HISTIGNORE '*' || :
  builtin unalias duetty-box || :
  builtin unset -f duetty-box || :
  ! builtin declare -F duetty-box >/dev/null && builtin hash -p "$file" duetty-box || word=${file@Q}
  PROMPT_COMMAND=('{ __duetty_unbox; } 2>/dev/null' "${PROMPT_COMMAND[@]}")
  READLINE_LINE="$word ${READLINE_LINE@Q}"
  READLINE_POINT=${#READLINE_LINE}
}

# The first entry of PROMPT_COMMAND, once.
__duetty_unbox() {
  PROMPT_COMMAND=("${PROMPT_COMMAND[@]:1}")
  if [[ ${__duetty_ignore[1]} ]]; then builtin printf -v HISTIGNORE %s "${__duetty_ignore[0]}"; else unset -v HISTIGNORE; fi
  __duetty_follow >/dev/null
}

# Goes to the folder in which the line ended, if it is inside the roots and the user's prompt and hooks obey nothing there
# that an agent may have made. What the file says was written in the box.
__duetty_follow() {
  local - IFS=$' \t\n' dir=${__duetty_dir[0]} from=$PWD before=${OLDPWD-} to root
  local -a folder=() roots=() obeyed=()
  set +aefuvx
  builtin mapfile -d '' -n 1 folder <"$dir/folder" && builtin mapfile -d '' -t roots <"$dir/roots"
  builtin mapfile -d '' -t obeyed <"$dir/obeyed" || return 0
  [[ ${folder[0]-} == /* ]] && builtin cd -- "${folder[0]}" || return 0
  to=$PWD
  builtin cd -P .
  for root in "${roots[@]}"; do
    [[ $PWD/ == "${root%/}"/* ]] && ! __duetty_obeys "$PWD" "${root%/}" || continue
    builtin cd -- "$to" && OLDPWD=$from && return 0
  done
  builtin cd -- "$from"
  OLDPWD=$before
}

# Whether a folder, or one between it and the root, has what prompts and hooks obey.
__duetty_obeys() {
  local at=$1 name
  while [[ $at == "$2"/* ]]; do
    for name in "${obeyed[@]}"; do
      [[ ! -e $at/$name && ! -L $at/$name ]] || return 0
    done
    at=${at%/*}
  done
  return 1
}

# One question and its answer, each a line of less than PIPE_BUF: a longer one could be torn by another's, so it is not
# allowed. Subshells of one pipeline ask at the same time, hence the turn, a dot that only one process can have. Another
# byte says that the daemon lives and others ask before us. All is opened for reading and writing, which never waits for
# another end, and for one built-in, so that no child inherits it.
__duetty_ask() {
  local dir=${__duetty_dir[0]} ticket=$BASHPID.$SRANDOM line= question IFS=' ' LC_ALL=C
  local -i silent=0 waits=0
  __duetty_answer[0]='deny too long'
  __duetty_escape "$3"
  question="$ticket $1 $2 ${__duetty_escaped[0]}"
  ((${#question} < 4000)) || return 0
  __duetty_answer[0]='deny no answer'
  __duetty_guard[4]=dead
  [[ -p $dir/ask && -p $dir/verdict && -p $dir/turn ]] || return 0
  until [[ $line == . ]]; do
    ((silent < 6 && ++waits < 200)) || return 0
    silent+=1
    if builtin read -r -N 1 -t 0.5 line <>"$dir/turn"; then
      silent=0
    else
      # The process that had it may have been killed.
      builtin printf '%s lost\n' "$ticket" 1<>"$dir/ask"
    fi
  done
  {
    builtin printf '%s\n' "$question" 1<>"$dir/ask"
    while builtin read -r -t "${__duetty_limit[0]}" line; do
      [[ $line == "=$ticket "* ]] || continue
      __duetty_answer[0]=${line#* }
      __duetty_guard[4]=
      builtin printf . 1<>"$dir/turn"
      return 0
    done
  } <>"$dir/verdict"
  builtin printf '%s lost\n' "$ticket" 1<>"$dir/ask"
}

# Only a secret that the line cannot know lifts the guard. We put the line itself back last. If anything here fails,
# the shell accepts an empty line.
__duetty_arm() {
  local started=0 line=$READLINE_LINE
  READLINE_LINE=
  [[ ${PS0-} != *"${__duetty_ps0[0]}" ]] || ! builtin shopt -q promptvars || started=1
  __duetty_guard=("${__duetty_run[0]:--}" "__duetty_lift $SRANDOM$SRANDOM" "${__duetty_n[0]}" "$started" '')
  __duetty_said=()
  __duetty_trap=()
  builtin mapfile -d '' -n 1 __duetty_trap <"${__duetty_dir[0]}/trap"
  __duetty_options=(0 0 0)
  ! builtin shopt -q extdebug || __duetty_options[0]=1
  [[ ! -o functrace ]] || __duetty_options[1]=1
  [[ ! -o errtrace ]] || __duetty_options[2]=1
  PROMPT_COMMAND=("{ ${__duetty_guard[1]}; } 2>/dev/null" "${PROMPT_COMMAND[@]}")
  # Without it a trap cannot forbid anything. It also sets functrace and errtrace.
  builtin shopt -s extdebug
  ((__duetty_options[2])) || set +o errtrace
  # `!` keeps `set -e` out, "$_" keeps $_, and 3 is where the user's errors go.
  builtin trap '{ ! __duetty_veto "$_"; } 3>&2 2>/dev/null' DEBUG
  READLINE_LINE=$line
}

# The first entry of PROMPT_COMMAND, once.
__duetty_lift() {
  builtin trap - DEBUG
  ((__duetty_options[0])) || builtin shopt -u extdebug
  if ((__duetty_options[1])); then set -o functrace; else set +o functrace; fi
  if ((__duetty_options[2])); then set -o errtrace; else set +o errtrace; fi
  PROMPT_COMMAND=("${PROMPT_COMMAND[@]:1}")
  builtin eval "${__duetty_trap[0]-}"
}

# Success means that the command in BASH_COMMAND must not run.
__duetty_veto() {
  local - text=$BASH_COMMAND
  set +aefuvx
  # Substitutions of a prompt, before the line starts, are not part of the line.
  if ((__duetty_guard[3])); then
    ((!__duetty_at[0])) || return 1
  fi
  [[ $text != "${__duetty_guard[1]}" && ${FUNCNAME[1]-} != __duetty_@(arm|lift) ]] || return 1
  if [[ ! ${__duetty_said[x$text]-} ]]; then
    __duetty_judge "$text"
    [[ ${__duetty_said[x$text]} == allow ]] || __duetty_tell "$text"
  fi
  [[ ${__duetty_said[x$text]} != allow ]]
}

__duetty_judge() {
  __duetty_said[x$1]=deny
  # They could lift the guard.
  [[ $1 != *__duetty* && $1 != *PROMPT_COMMAND* && ! ${__duetty_guard[4]} ]] || return 0
  __duetty_ask command "${__duetty_guard[0]}" "$1"
  [[ ${__duetty_answer[0]} != allow && ${__duetty_answer[0]} != 'allow guarded' ]] || __duetty_said[x$1]=allow
}

__duetty_tell() {
  builtin printf 'duetty: not allowed: %s\n' "$1" >&3
  builtin printf '%s\n' "${__duetty_n[0]}" >|"${__duetty_dir[0]}/denied"
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
    # The newline is needed, because inside an open quote bash would not recognise the brace.
    builtin bind -m "$map" -x $'"\\e[9978~": "\n{ __duetty_key; } >/dev/tty 2>/dev/null"'
    builtin bind -m "$map" -x $'"\\e[9975~": "\n{ __duetty_enter; } >/dev/tty 2>/dev/null"'
    builtin bind -m "$map" '"\e[9979~": ""'
    builtin bind -m "$map" '"\e[9977~": "\e[9978~\e[9979~"'
    builtin bind -m "$map" '"\e[9976~": "\e[9975~\e[9979~"'
    # Inside of a function or a substitution bash would hide the user's trap.
    builtin bind -m "$map" -x '"\e[9974~": { builtin trap -p DEBUG >|"${__duetty_dir[0]}/trap"; __duetty_arm; } 2>/dev/null'
    builtin bind -m "$map" '"\e[9973~": accept-line'
    builtin bind -m "$map" -x '"\e[9972~": __duetty_tell_state'
  done
}

__duetty_keys 2>/dev/null
unset -f __duetty_keys
# A function definition is not a command, so the guard does not see it.
builtin readonly -f __duetty_{mark_end,was_denied,mark_start,mark_jobs,end,rescue,prompt,expand,order,dress,still,escape,line,ahead,recall} \
  __duetty_{newest_entry,unquote,key,lift_line,edit_line,tell_state,state,enter,at_prompt,take,no_bang,box,unbox,follow,obeys,ask,arm,lift,veto,judge,tell,bind}
builtin readonly __duetty_nonce __duetty_dir __duetty_limit
__duetty_hooks=("${PROMPT_COMMAND[@]}")
PROMPT_COMMAND=("${__duetty_first[0]}" "${__duetty_hooks[@]}" "${__duetty_last[0]}")
