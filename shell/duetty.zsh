# duetty's marks for zsh >= 5.8, and the guard over an agent's lines. Sourced twice after the user's files by a generated
# one: with "plain" for the few functions that have to change the user's options, and inside `emulate -R zsh -o
# no_aliases -o no_xtrace -c` for the rest, which makes zsh run those under its own defaults whatever the user has set.
# __duetty holds all state; an associative array is never exported. Owns: `precmd`'s first line, our hooks' places, the
# ends of PROMPT, ESC[9976~ and ESC[9977~, and TRAPDEBUG while a guarded line runs.

if [[ ${1-} == plain ]]; then
  # The status is kept for the user's own `precmd`. The redirections hide us from `set -x`.
  __duetty_first() {
    {
      __duetty[status]=$?
      __duetty[real]=0
      if __duetty_is_over; then __duetty_lift; fi
      if [[ -o promptsp ]]; then
        unsetopt promptsp
        __duetty[sp]=1
        __duetty[real]=1
      fi
      if [[ -o promptcr ]]; then __duetty[cr]=1; else __duetty[cr]=0; fi
      if [[ -o promptpercent ]]; then __duetty[percent]=1; else __duetty[percent]=0; fi
      __duetty_end
      __duetty_order
      if __duetty_follow; then builtin cd -- "${__duetty[to]}"; fi
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

  # Called with a boxed line as it is accepted. The history is the person's, so it is not kept there. With errexit a status
  # would end the shell.
  __duetty_forget() {
    if [[ -o errexit ]]; then return 0; fi
    return 1
  }

  __duetty_press_key() {
    {
      __duetty_key
      if [[ -n ${__duetty[asked]} ]]; then __duetty_tell_state; fi
      if [[ -n ${__duetty[guard]} ]]; then unsetopt localoptions; __duetty_arm; fi
    } 2>/dev/null
  }

  # Writes what a hidden zsh needs to complete like this one (complete.zsh). The options are the user's only out here.
  __duetty_tell_state() {
    ( umask 077; builtin print -r -- setopt $(builtin setopt); __duetty_state ) >|${__duetty[dir]}/state 2>/dev/null
    builtin print -rn -- $'\e]633;R;'"${__duetty[asked]};told;duetty=${__duetty[tag]}"$'\a' >/dev/tty
    __duetty[asked]=
  }

  __duetty_press_enter() {
    {
      __duetty_enter
      if [[ -n ${__duetty[guard]} ]]; then unsetopt localoptions; __duetty_arm; fi
    } 2>/dev/null
  }

  __duetty_arm() {
    __duetty_keep
    unsetopt localoptions
    if [[ -o debugbeforecmd ]]; then __duetty[before]=1; else __duetty[before]=0; setopt debugbeforecmd; fi
    __duetty_hang __duetty_watch
    # If anything went wrong, the shell accepts an empty line.
    if [[ ${functions[TRAPDEBUG]-} != *__duetty_veto* || ! -o debugbeforecmd ]]; then BUFFER=; fi
  }

  __duetty_lift() {
    __duetty[guard]=
    if [[ ${__duetty[before]} == 0 ]]; then unsetopt debugbeforecmd; fi
    __duetty_hang ${__duetty[trap]}
  }

  # A copy by text: `functions -c` would not make it a trap. With local traps it would be gone when we return.
  __duetty_hang() {
    setopt localoptions no_aliases no_localtraps
    if [[ ${1-} == list ]]; then
      trap - DEBUG
      trap -- "${__duetty[code]}" DEBUG
    elif [[ -n ${1-} ]]; then
      functions[TRAPDEBUG]=${functions[$1]}
    else
      trap - DEBUG
    fi
  }

  # What becomes TRAPDEBUG. The option, set inside of it, makes zsh skip the command; a status would end the line. With
  # local options it would be unset on return; that one itself is always local. 3 is where the user's errors go.
  __duetty_watch() {
    {
      if __duetty_veto; then unsetopt localoptions; setopt errexit; fi
    } 3>&2 2>/dev/null
  }
  return 0
fi

__duetty_end() {
  [[ ${__duetty[ended]} != ${__duetty[n]} ]] || return 0
  __duetty[ended]=${__duetty[n]}
  local code=${__duetty[status]} cycle=
  # A denied command leaves the previous status. We use a file, because it may have run in a subshell.
  if [[ ${__duetty[guarded]} == ${__duetty[n]} && -r ${__duetty[dir]}/denied ]]; then
    IFS= read -r cycle <${__duetty[dir]}/denied
    [[ $cycle != ${__duetty[n]} ]] || code=126
  fi
  print -rn -- $'\e]133;D;'$code";duetty=${__duetty[tag]};t=${EPOCHREALTIME/,/.}"$'\a' >/dev/tty
  [[ ${__duetty[sp]}${__duetty[cr]}${__duetty[real]} != 110 ]] || __duetty_fresh_line
}

# What PROMPT_SP prints: the mark, blanks that wrap when the mark was not in the first column, and a clean first column.
__duetty_fresh_line() {
  local mark=${(%)${PROMPT_EOL_MARK-%B%S%#%s%b}} bare=${(%)${${PROMPT_EOL_MARK-%B%S%#%s%b}//\%[BSUbsu]/}}
  local -i width=${(m)#bare} margin=0
  [[ ${terminfo[xenl]} == yes ]] || margin=1
  print -rn -- $mark${(l:COLUMNS - width - margin:)}$'\r'${(l:width:)}$'\r' >/dev/tty
}

# We put the hooks in their places every time, from a place that survives an assignment to either list.
__duetty_order() {
  precmd_functions=(__duetty_first ${precmd_functions:#__duetty_*} __duetty_last)
  preexec_functions=(${preexec_functions:#__duetty_*} __duetty_start)
  ((!$+zshaddhistory_functions)) || zshaddhistory_functions=(${zshaddhistory_functions:#__duetty_*})
}

__duetty_prompt() {
  # What an agent typed and its program did not read.
  [[ ! -x ${__duetty[dir]}/drain ]] || ${__duetty[dir]}/drain </dev/tty
  __duetty[n]=$((__duetty[n] + 1))
  __duetty[tag]=${__duetty[nonce]}:${__duetty[n]}
  __duetty[run]=
  __duetty[text]=
  if [[ -n ${__duetty[bang]} ]]; then
    histchars=${__duetty[bang]}
    __duetty[bang]=
  fi
  __duetty_escape $PWD
  print -rn -- $'\e]633;P;Cwd='$REPLY";duetty=${__duetty[tag]}"$'\a' >/dev/tty
  ((!$#jobstates)) || __duetty_jobs
  print -rn -- $'\e]133;A;duetty='${__duetty[tag]}$'\a' >/dev/tty
  __duetty_undress
  local b=$'\e]133;B;duetty='${__duetty[tag]}$'\a'
  # Without prompt_percent we cannot tell zsh that this has no width.
  if [[ ${__duetty[percent]} == 1 ]]; then PROMPT="%{${b/B;/P;k=i;}%}$PROMPT%{$b%}"; else print -rn -- $b >/dev/tty; fi
  __duetty_bind
}

# What runs in the background now.
__duetty_jobs() {
  local id
  local -a running=()
  for id in ${(kn)jobstates}; do
    [[ ${jobstates[$id]} != running:* ]] || running+=(${jobtexts[$id]})
  done
  (($#running)) || return 0
  __duetty_escape ${(pj:\x1f:)running}
  print -rn -- $'\e]633;P;Jobs='$REPLY";duetty=${__duetty[tag]}"$'\a' >/dev/tty
}

# Removed while a command runs, because an exported PROMPT must not carry the nonce.
__duetty_undress() {
  local kind mark
  for kind in B 'P;k=i'; do
    mark=$'%{\e]133;'$kind";duetty=${__duetty[nonce]}:"
    PROMPT=${PROMPT//$mark<->$'\a%}'/}
  done
}

__duetty_start() {
  local text=${1:-$3}
  [[ -z ${__duetty[text]} ]] || text=${__duetty[text]}
  __duetty_undress
  __duetty_order
  __duetty_escape $text
  print -rn -- $'\e]633;E;'$REPLY";duetty=${__duetty[tag]}"$'\a' >/dev/tty
  __duetty_ahead
  print -rn -- $'\e]133;C;duetty='${__duetty[tag]}";t=${EPOCHREALTIME/,/.}${__duetty[run]:+;run=${__duetty[run]}}"$'\a' >/dev/tty
}

# Keys that were typed ahead lie in the terminal as one piece, because the line editor reads keys. They are typed again, so
# that the command gets them line by line.
__duetty_ahead() {
  local -a ready=()
  local again=
  [[ -p ${__duetty[dir]}/again ]] && zselect -t 0 -a ready -r 0 </dev/tty 2>/dev/null || return 0
  {
    print -rn -- $'\e]633;P;Ahead;duetty='${__duetty[tag]}$'\a' >/dev/tty
    while IFS= read -rt 3 again; do
      [[ $again != ${__duetty[n]} ]] || return 0
    done
  } <>${__duetty[dir]}/again
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

# A key that waited for one more byte (Ctrl+V) has put the first one of ours into the line: Ctrl+^.
__duetty_unquote() {
  [[ $LBUFFER != *$'\x1e' ]] || LBUFFER=${LBUFFER%?}
}

__duetty_key() {
  local file= guard= boxed= lift= edit= REPLY=
  local -a edits=()
  __duetty_unquote
  [[ -r ${__duetty[dir]}/line ]] || return 0
  {
    IFS= read -rd '' file
    while IFS= read -rd '' edit; do edits+=("$edit"); done
  } <${__duetty[dir]}/line
  local id=${file%%$'\n'*} text=${file#*$'\n'} answer=busy
  case $id in
    *' guarded') id=${id% guarded} guard=$id ;;
    *' boxed') id=${id% boxed} boxed=1 ;;
    *' lift') id=${id% lift} lift=1 ;;
    *' edit') id=${id% edit} edit=1 ;;
    *' state') __duetty[asked]=${id% state}; return 0 ;;
  esac
  [[ $file == *$'\n'* && -n $id && $id != ${__duetty[taken]} ]] || return 0
  if [[ -n $lift ]]; then
    if [[ -z $PREBUFFER && $CONTEXT == start && ( -z $text || $BUFFER == "$text" ) ]]; then
      __duetty_escape "$BUFFER"
      answer="lifted;$REPLY"
      BUFFER= POSTDISPLAY=
    fi
  elif [[ -n $edit ]]; then
    if [[ -z $PREBUFFER && $CONTEXT == start ]]; then
      answer=edited
      __duetty_edit "$text" "${(@)edits}"
    fi
  elif [[ -z $PREBUFFER$BUFFER && $CONTEXT == start ]]; then
    answer=taken
    __duetty[taken]=$id
    __duetty[run]=$id
    __duetty[text]=$text
    BUFFER=$text
    CURSOR=$#BUFFER
    [[ -z $boxed ]] || __duetty_box
  fi
  print -rn -- $'\e]633;R;'"$id;$answer;duetty=${__duetty[tag]}"$'\a' >/dev/tty
  [[ $answer != taken ]] || __duetty_accept "$guard"
}

# Changes the half line for an agent. No byte of it is a key here, so no binding of the user's counts.
__duetty_edit() {
  local edit
  for edit; do
    case $edit in
      '='*) LBUFFER+=${edit#'='} ;;
      left) ((CURSOR == 0)) || ((CURSOR -= 1)) ;;
      right) ((CURSOR == $#BUFFER)) || ((CURSOR += 1)) ;;
      home) CURSOR=0 ;;
      end) CURSOR=$#BUFFER ;;
      back) LBUFFER=${LBUFFER%?} ;;
      delete) RBUFFER=${RBUFFER#?} ;;
      kill) RBUFFER= ;;
      clear) LBUFFER= ;;
      word)
        LBUFFER=${LBUFFER%"${LBUFFER##*[![:space:]]}"}
        LBUFFER=${LBUFFER%"${LBUFFER##*[[:space:]]}"}
        ;;
    esac
  done
}

# Runs in a subshell. Nothing of ours is told, and nothing that changes by itself or belongs to the terminal. Variables come first,
# each in one line, and then a line with only `#`: alone they can be told again without a new shell.
__duetty_state() {
  setopt extendedglob
  local __duetty_name
  local -a __duetty_kept
  for __duetty_name in path fpath cdpath fignore; do print -r -- "$__duetty_name=(${(@qqqqP)__duetty_name})"; done
  __duetty_kept=(${(k)parameters[(R)^*(special|readonly|local|undefined|hideval)*]})
  typeset -p -- ${__duetty_kept:#(__duetty*|_|COLUMNS|HISTFILE|LINES|OLDPWD|PERIOD|PWD|TERM|TMOUT|TTY|zle_bracketed_paste)}
  # Their values are not printed.
  for __duetty_name in ${(k)parameters[(R)*hideval*]}; do
    case ${parameters[$__duetty_name]} in
      *(special|readonly|local)*) ;;
      association*) print -r -- "typeset -gHA $__duetty_name=(${(@kvqqqqP)__duetty_name})" ;;
      array*) print -r -- "typeset -gHa $__duetty_name=(${(@qqqqP)__duetty_name})" ;;
      scalar*) print -r -- "typeset -gH $__duetty_name=${(qqqqP)__duetty_name}" ;;
    esac
  done
  print -r -- '#'
  # A function that is not loaded yet would load itself one level too deep.
  __duetty_kept=(${(k)functions[(R)*builtin autoload -X*]})
  (($#__duetty_kept == 0)) || print -r -- "autoload -Uz ${(@q)__duetty_kept}"
  typeset -f -- ${${${(k)functions}:|__duetty_kept}:#__duetty*}
  alias -L
  zstyle -L
  # For us alone: where commands are found, and what else is one. With cdpath a folder anywhere may be.
  [[ $#cdpath -gt 0 || $PATH == *$'\n'* ]] || print -r -- "#p $PATH"
  __duetty_kept=(${(k)functions} ${(k)aliases} ${(k)galiases} ${(k)builtins} ${(k)reswords} .${^${(k)saliases}})
  print -rl -- '#c '${^__duetty_kept:#*$'\n'*}
}

# An agent's Enter accepts exactly the line that was asked about.
__duetty_enter() {
  local REPLY=deny
  __duetty_unquote
  if [[ -z $PREBUFFER && $CONTEXT == start ]]; then
    if [[ -z $BUFFER ]]; then REPLY=allow; else __duetty_ask line - "$BUFFER"; fi
  fi
  case $REPLY in
    allow) __duetty_accept '' ;;
    'allow guarded') __duetty_accept - ;;
    'allow boxed') __duetty_box; __duetty_accept '' ;;
    *) print -rn -- $'\e]633;R;enter;denied;duetty='${__duetty[tag]}$'\a' >/dev/tty ;;
  esac
}

__duetty_accept() {
  __duetty[guard]=$1
  [[ -z $1 ]] || __duetty[guarded]=${__duetty[n]}
  POSTDISPLAY=
  # zsh checks the option only before the line is edited, and the characters afterwards.
  if [[ $histchars[1] != $'\x01' ]]; then
    __duetty[bang]=$histchars
    histchars=$'\x01\x01'$histchars[3]
  fi
  zle .accept-line
}

# To the shell a boxed line is one command, a program that the daemon laid out, so jobs and exit codes are as ever. Its
# name is ours: an alias or function of that name goes.
__duetty_box() {
  __duetty[text]=$BUFFER
  __duetty[boxed]=1
  unalias duetty-box || :
  unfunction duetty-box || :
  hash duetty-box=${__duetty[dir]}/duetty-box
  zshaddhistory_functions=(__duetty_forget $zshaddhistory_functions)
  # An option of zsh ends a string at a newline.
  if [[ $BUFFER == *$'\n'* ]]; then BUFFER="duetty-box ${(qqqq)BUFFER}"; else BUFFER="duetty-box ${(qq)BUFFER}"; fi
  CURSOR=$#BUFFER
}

# Whether a boxed line ended in another folder that is inside the roots and in which the user's prompt and hooks obey nothing
# that an agent may have made. What the file says was written in the box.
__duetty_follow() {
  [[ -n ${__duetty[boxed]} ]] || return 1
  __duetty[boxed]=
  local folder= root=
  [[ -r ${__duetty[dir]}/folder ]] || return 1
  IFS= read -rd '' folder <${__duetty[dir]}/folder
  [[ $folder == /* && -d $folder ]] || return 1
  __duetty[to]=$folder
  while IFS= read -rd '' root; do
    [[ ${folder:A}/ == ${root%/}/* ]] || continue
    ! __duetty_obeys ${folder:A} ${root%/} || continue
    return 0
  done <${__duetty[dir]}/roots
  return 1
}

# Whether a folder, or one between it and the root, has what prompts and hooks obey.
__duetty_obeys() {
  local at=$1 name=
  local -a obeyed=()
  [[ -r ${__duetty[dir]}/obeyed ]] || return 0
  while IFS= read -rd '' name; do obeyed+=($name); done <${__duetty[dir]}/obeyed
  while [[ $at == $2/* ]]; do
    for name in $obeyed; do
      [[ ! -e $at/$name && ! -L $at/$name ]] || return 0
    done
    at=${at:h}
  done
  return 1
}

# One question and its answer, each a line of less than PIPE_BUF: a longer one could be torn by another's, so it is not
# allowed. Subshells of one pipeline ask at the same time, hence the turn, a dot that only one process can have. Another
# byte says that the daemon lives and others ask before us. All is opened for reading and writing, which never waits for
# another end, and for one command, so that no child inherits it.
# Sets REPLY of its caller.
__duetty_ask() {
  local dir=${__duetty[dir]} ticket=$sysparams[pid].$RANDOM line=
  local -i silent=0 waits=0
  __duetty_escape "$3"
  setopt localoptions no_multibyte
  local question="$ticket $1 $2 $REPLY"
  REPLY='deny too long'
  (($#question < 4000)) || return 0
  REPLY='deny no answer'
  __duetty[dead]=1
  [[ -n $sysparams[pid] && -p $dir/ask && -p $dir/verdict && -p $dir/turn ]] || return 0
  until [[ $line == . ]]; do
    ((silent < 6 && ++waits < 200)) || return 0
    silent+=1
    if read -rt 0.5 -u 0 -k 1 line <>$dir/turn; then
      silent=0
    else
      # The process that had it may have been killed.
      print -r -- "$ticket lost" 1<>$dir/ask
    fi
  done
  {
    print -r -- $question 1<>$dir/ask
    while IFS= read -rt ${__duetty[limit]} line; do
      [[ $line == "=$ticket "* ]] || continue
      REPLY=${line#* }
      __duetty[dead]=
      print -rn -- . 1<>$dir/turn
      return 0
    done
  } <>$dir/verdict
  print -r -- "$ticket lost" 1<>$dir/ask
}

# Commands of prompts, hooks and the line editor are not below "toplevel", the line's own are.
__duetty_is_over() {
  [[ -n ${__duetty[guard]} && ${zsh_eval_context[1]} != toplevel ]]
}

# Success means that the list in ZSH_DEBUG_CMD must not run.
__duetty_veto() {
  [[ ${zsh_eval_context[1]} == toplevel ]] || return 1
  local text=$ZSH_DEBUG_CMD REPLY
  if [[ -z ${__duetty_said[$text]} ]]; then
    __duetty_judge
    __duetty_said+=("$text" $REPLY)
    [[ $REPLY == allow ]] || __duetty_tell
  fi
  [[ ${__duetty_said[$text]} != allow ]]
}

__duetty_judge() {
  REPLY=deny
  # It could lift the guard.
  [[ $text != *__duetty* && -z ${__duetty[dead]} ]] || return 0
  __duetty_ask command ${__duetty[guard]} "$text"
  if [[ $REPLY == (allow|allow guarded) ]]; then REPLY=allow; else REPLY=deny; fi
}

__duetty_tell() {
  print -ru3 -- "duetty: not allowed: $text"
  print -r -- ${__duetty[n]} >|${__duetty[dir]}/denied
}

# The user's DEBUG trap, a function or a list of commands.
__duetty_keep() {
  __duetty_said=()
  __duetty[dead]=
  __duetty[trap]=
  if (($+functions[TRAPDEBUG])); then
    functions[__duetty_user_debug]=$functions[TRAPDEBUG]
    __duetty[trap]=__duetty_user_debug
    return 0
  fi
  trap >|${__duetty[dir]}/trap
  local -a words=(${(z)"$(<${__duetty[dir]}/trap)"})
  local -i at=${words[(I)DEBUG]}
  ((at > 3)) && [[ ${words[at-3]} == trap ]] || return 0
  __duetty[code]=${(Q)words[at-1]}
  __duetty[trap]=list
}

__duetty_bind() {
  local map
  zle -N __duetty_key __duetty_press_key
  zle -N __duetty_enter __duetty_press_enter
  for map in emacs viins vicmd main; do
    bindkey -M $map '\e[9977~' __duetty_key '^^\e[9977~' __duetty_key
    bindkey -M $map '\e[9976~' __duetty_enter '^^\e[9976~' __duetty_enter
  done
}

typeset -gA __duetty __duetty_said
if [[ $ZSH_VERSION != (5.<8->*|<6->.*) ]] || ! zmodload zsh/datetime zsh/parameter zsh/terminfo zsh/zle 2>/dev/null; then
  print -rn -- $'\e]633;P;Integration=none;duetty='${__duetty[nonce]}:0$'\a'
  return 0
fi
# Without it we cannot know a subshell's number. Then nothing that must be asked is allowed.
zmodload zsh/system 2>/dev/null
# Without it we cannot see that something was typed ahead.
zmodload zsh/zselect 2>/dev/null
__duetty+=(n 0 ended 0 sp 0 cr 1 percent 1 bang '' real 0 run '' text '' taken '' status 0 tag ''
  guard '' guarded '' asked '' boxed '' to '' dead '' before 1 trap '' code '')
__duetty_order
