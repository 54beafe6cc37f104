# duetty's marks for fish >= 3.4, and its guard over an agent's lines. fish has no hook before a command, so we check the
# whole line. Sourced after the user's files by a generated one, which sets __duetty_nonce, __duetty_dir and
# __duetty_limit. Owns: the wrappers around fish_prompt and fish_title, the keys ESC[9976~ and ESC[9977~. Nothing here
# starts a process once a prompt was shown, except before a command and at an agent's Enter.

if not string match -qr '^(3\.[4-9]|3\.\d\d|[4-9]|\d\d)' -- $version
    printf '\e]633;P;Integration=none;duetty=%s:0\a' $__duetty_nonce
    exit
end

set -g __duetty_n 0
set -g __duetty_tag
set -g __duetty_at 0 # 1 at the prompt; `read` edits a line as well
set -g __duetty_titled 0 # this terminal has a title, which fish writes after fish_preexec
set -g __duetty_starting 0 # 1 between fish_preexec and fish_title
set -g __duetty_line
set -g __duetty_run
set -g __duetty_text # of the agent's line, which is accepted with a space behind it
set -g __duetty_taken
set -g __duetty_boxed # the boxed line as fish runs it
set -g duetty_box $__duetty_dir/duetty-box # how `jobs` calls it
set -g __duetty_share $__fish_data_dir
set -g __duetty_controls \x01 \x02 \x03 \x04 \x05 \x06 \x07 \x08 \x09 \x0a \x0b \x0c \x0d \x0e \x0f \x10 \
    \x11 \x12 \x13 \x14 \x15 \x16 \x17 \x18 \x19 \x1a \x1b \x1c \x1d \x1e \x1f \x7f
set -g __duetty_codes 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 \
    11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f 7f
set -g __duetty_epoch # wall clock and uptime when we started: fish has no clock of its own
if test -r /proc/uptime
    read -l up rest </proc/uptime
    set __duetty_epoch (date +%s.%N) $up
end

function __duetty_now
    if set -q __duetty_epoch[2]
        read -l up rest </proc/uptime
        set -l now (math -s6 "$__duetty_epoch[1] + $up - $__duetty_epoch[2]")
        string match -q '*.*' -- $now; or set now $now.0
        echo $now
    else
        date +%s.%N
    end
end

function __duetty_escape
    # The letter keeps newlines at the end from being trimmed.
    set -l text (string replace -a \\ \\\\ -- "$argv[1]x" | string collect)
    if string match -qr '[\x01-\x1f\x7f]' -- $text
        set -l i 1
        for control in $__duetty_controls
            set text (string replace -a $control "\\x$__duetty_codes[$i]" -- $text | string collect)
            set i (math $i + 1)
        end
    end
    string replace -a ';' '\\x3b' -- (string sub -e -1 -- $text)
end

# The very first handler of the list: others were moved behind it below.
function __duetty_end --on-event fish_postexec
    set -l code $status
    printf '\e]133;D;%s;duetty=%s;t=%s\a' $code $__duetty_tag (__duetty_now) >/dev/tty
end

function __duetty_cycle --on-event fish_prompt
    # What an agent typed and its program did not read.
    test -x $__duetty_dir/drain; and $__duetty_dir/drain </dev/tty
    set __duetty_n (math $__duetty_n + 1)
    set __duetty_tag $__duetty_nonce:$__duetty_n
    set __duetty_at 1
    set __duetty_starting 0
    set -q __duetty_boxed[1]; and __duetty_unbox
    set __duetty_run
    set __duetty_text
    __duetty_wrap fish_prompt
    __duetty_wrap fish_title
    # fish's own handlers appear at the first prompt and print, so ours must come after them.
    test $__duetty_n -gt 1; or functions __duetty_start | source
    printf '\e]633;P;Cwd=%s;duetty=%s\a' (__duetty_escape $PWD) $__duetty_tag >/dev/tty
    # What runs in the background now.
    set -l running (jobs | string match -rg '\trunning\t(.*)$')
    set -q running[1]; and printf '\e]633;P;Jobs=%s;duetty=%s\a' (__duetty_escape (string join \x1f -- $running)) $__duetty_tag >/dev/tty
    printf '\e]133;A;duetty=%s\a' $__duetty_tag >/dev/tty
end

function __duetty_start --on-event fish_preexec
    set __duetty_at 0
    set __duetty_line $argv[1]
    set -q __duetty_text[1]; and set __duetty_line $__duetty_text
    if test $__duetty_titled = 1
        set __duetty_starting 1
    else
        __duetty_mark_start
    end
end

# A line of ours that fish did not run is gone, with or without a new prompt.
function __duetty_dropped --on-event fish_cancel
    set -q __duetty_run[1]; and printf '\e]633;R;%s;dropped;duetty=%s\a' $__duetty_run $__duetty_tag >/dev/tty
    set __duetty_run
    set __duetty_text
end

function __duetty_mark_start
    set -l run $__duetty_run
    set -q run[1]; and set run ";run=$run"
    set -l line (__duetty_escape $__duetty_line)
    printf '\e]633;E;%s;duetty=%s\a' "$line" $__duetty_tag >/dev/tty
    __duetty_ahead
    printf '\e]133;C;duetty=%s;t=%s%s\a' $__duetty_tag (__duetty_now) "$run" >/dev/tty
end

# Keys that were typed ahead lie in the terminal as one piece, because the line editor reads keys. They are typed again, so
# that the command gets them line by line. fish leaves the terminal to the command only after us, so we set its mode.
function __duetty_ahead
    test -p $__duetty_dir/again; or return
    command bash -pc '
        read -t 0 && stty icanon icrnl -echo || exit 1
        {
            printf "\e]633;P;Ahead;duetty=%s\a" "$2" >/dev/tty
            while read -r -t 3 again; do
                [[ $again != "${2#*:}" ]] || exit 1
            done
        } <>"$1/again"
    ' duetty $__duetty_dir $__duetty_tag </dev/tty 2>/dev/null
end

# At the next prompt we copy a redefinition by the user and call it from ours.
function __duetty_wrap
    functions -q $argv[1]; and string match -q '*__duetty_*' -- (functions $argv[1]); and return
    functions -q __duetty_user_$argv[1]; and functions -e __duetty_user_$argv[1]
    if functions -q $argv[1]
        functions -c $argv[1] __duetty_user_$argv[1]
        functions -e $argv[1]
    else
        functions -c __duetty_no_$argv[1] __duetty_user_$argv[1]
    end
    functions -c __duetty_our_$argv[1] $argv[1]
end

# What fish shows where the user erased the function.
function __duetty_no_fish_prompt
    echo '> '
end

function __duetty_no_fish_title
end

# The user's comes first and sees the status untouched.
function __duetty_our_fish_prompt
    set -l shown (__duetty_user_fish_prompt $argv | string collect)
    printf '\e]133;P;k=i;duetty=%s\a%s\e]133;B;duetty=%s\a' $__duetty_tag "$shown" $__duetty_tag
end

# Called after all handlers of fish_preexec: the last place where fish lets us print. It prints nothing for an empty
# title, so we write the title, and then the mark.
function __duetty_our_fish_title
    set -l title (__duetty_user_fish_title $argv)
    set __duetty_titled 1
    if test $__duetty_starting = 0
        string join '' -- $title
        return
    end
    set __duetty_starting 0
    set -q title[1]; and printf '\e]0;%s\a' (string join '' -- $title) >/dev/tty
    __duetty_mark_start
end

function __duetty_key
    test -r $__duetty_dir/line; or return
    set -l id
    set -l names ''
    set -l text
    set -l answer busy
    set -l way
    set -l edits
    begin
        read id way
        test "$way" = guarded; and read names
        read -z text
        while read -lz edit
            set -a edits $edit
        end
    end <$__duetty_dir/line
    test -n "$id" -a "$id" != "$__duetty_taken"; or return
    switch "$way"
        case lift
            __duetty_lift $id "$text"
            return
        case edit
            __duetty_edit $id $text $edits
            return
        case state
            __duetty_tell_state $id
            return
    end
    if test $__duetty_at = 1; and test -z "$(commandline)"; and not commandline --search-mode; and not commandline --paging-mode
        set answer taken
        set __duetty_taken $id
        if test "$way" = guarded; and __duetty_shadowed $names
            set answer shadowed
        end
    end
    printf '\e]633;R;%s;%s;duetty=%s\a' $id $answer $__duetty_tag >/dev/tty
    test $answer = taken; or return
    set __duetty_run $id
    switch "$way"
        case guarded
            __duetty_accept $text
        case boxed
            __duetty_box $text
        case '*'
            commandline -r -- $text
            commandline -f execute
    end
end

# Writes what a hidden fish needs to complete like this one (complete.fish).
function __duetty_tell_state
    set -l mask (umask)
    umask 077
    __duetty_state >$__duetty_dir/state 2>/dev/null
    umask $mask
    printf '\e]633;R;%s;told;duetty=%s\a' $argv[1] $__duetty_tag >/dev/tty
end

# Nothing of ours is told, and nothing that changes by itself or belongs to the terminal. Functions with a file of their own
# are found there. Variables come first, each in one line, and then a line with only `#`: alone they can be told again without a
# new shell.
function __duetty_state
    set -l __duetty_out '^(__duetty.*|_|argv|history|status|pipestatus|version|fish_(pid|kill_signal)|status_generation|__fish_prompt_status_generation|PWD|OLDPWD|COLUMNS|LINES|TERM|hostname|FISH_VERSION|SHLVL|umask|CMD_DURATION|duetty_box|dirprev|dirnext|EUID)$'
    for __duetty_name in (string match -rv -- $__duetty_out (set -n))
        set -l __duetty_how -g
        set -qx $__duetty_name; and set __duetty_how -gx
        echo set $__duetty_how $__duetty_name (string escape -- $$__duetty_name)
    end
    echo '#'
    set -l __duetty_files (string match -rg '([^/]*)\.fish$' -- $fish_function_path/*.fish | string escape --style=regex)
    for __duetty_name in (string match -rv -- "^(__duetty.*|duetty-box|fish_prompt|fish_title|$(string join '|' -- $__duetty_files))\$" (functions -an | string split ,))
        functions --no-details -- $__duetty_name
    end
    abbr --show
    complete
    # For us alone: where commands are found, and what else is one. With CDPATH a folder anywhere may be.
    set -l __duetty_path (string join : -- $PATH | string split \n)
    set -q CDPATH[1]; or set -q __duetty_path[2]; or echo "#p $__duetty_path"
    printf '#c %s\n' (functions -an | string split ,) (builtin -n) (abbr --list)
end

# Gives the half line up: the one that the file names, or any.
function __duetty_lift
    set -l line (commandline | string collect)
    set -l answer busy
    if test $__duetty_at = 1; and not commandline --search-mode; and not commandline --paging-mode
        if test -z "$argv[2]" -o "$argv[2]" = "$line"
            set answer "lifted;"(__duetty_escape "$line" | string collect)
            commandline -r ''
            commandline -f repaint
        end
    end
    printf '\e]633;R;%s;%s;duetty=%s\a' $argv[1] $answer $__duetty_tag >/dev/tty
end

# Changes the half line for an agent. No byte of it is a key here, so no binding of the user's counts.
function __duetty_edit
    set -l answer busy
    if test $__duetty_at = 1; and not commandline --search-mode; and not commandline --paging-mode
        set answer edited
        for edit in $argv[2..]
            __duetty_edit_once $edit
        end
    end
    printf '\e]633;R;%s;%s;duetty=%s\a' $argv[1] $answer $__duetty_tag >/dev/tty
end

function __duetty_edit_once
    set -l line "$(commandline)"
    set -l length (string length -- "$line")
    set -l cursor (commandline -C)
    set -l word
    switch $argv[1]
        case '=*'
            commandline -i -- "$(string sub -s 2 -- $argv[1])"
        case left
            test $cursor -gt 0; and commandline -C (math $cursor - 1)
        case right
            test $cursor -lt $length; and commandline -C (math $cursor + 1)
        case home
            commandline -C 0
        case end
            commandline -C $length
        case back
            test $cursor -gt 0; and __duetty_cut (math $cursor - 1) 1
        case delete
            test $cursor -lt $length; and __duetty_cut $cursor 1
        case kill
            __duetty_cut $cursor (math $length - $cursor)
        case clear
            __duetty_cut 0 $cursor
        case word
            set word "$(string replace -r '\S*\s*$' '' -- "$(string sub -l $cursor -- $line)")"
            set word (string length -- $word)
            __duetty_cut $word (math $cursor - $word)
    end
end

# Takes so many characters out of the line, from one on.
function __duetty_cut
    commandline -r -- "$(string replace -r "^([\s\S]{$argv[1]})[\s\S]{$argv[2]}" '$1' -- "$(commandline)")"
    commandline -C $argv[1]
end

# A name that would run something other than the program or builtin of that name. fish's own functions do what their
# names say.
function __duetty_shadowed
    string match -q 'names *' -- $argv[1]; or return 0
    for name in (string split -n ' ' -- $argv[1])[2..]
        if abbr -q -- $name
            return 0
        end
        if functions -q -- $name; and not string match -q -- "$__duetty_share/*" (functions --details -- $name)
            return 0
        end
    end
    return 1
end

# fish expands an abbreviation under the cursor when a line is executed. After a space there is none. After a backslash
# the space would be part of the line.
function __duetty_accept
    set __duetty_text $argv[1]
    set -l space ' '
    string match -qr '\\\\$' -- $argv[1]; and set space
    commandline -r -- "$argv[1]$space"
    commandline -f execute
end

# An agent's Enter. "allow guarded" means no, because fish has no guard.
function __duetty_enter
    set -l text (commandline | string collect)
    if test $__duetty_at = 1; and not commandline --paging-mode
        if test -z "$text"
            commandline -f execute
            return
        end
        switch "$(__duetty_ask line - $text)"
            case allow
                __duetty_accept $text
                return
            case 'allow boxed'
                __duetty_box $text
                return
        end
    end
    printf '\e]633;R;enter;denied;duetty=%s\a' $__duetty_tag >/dev/tty
end

# A boxed line is one command, a program that the daemon laid out. The name is ours. fish keeps no line that begins with a
# space, except until the next one. The history is the person's, so it goes at once.
function __duetty_box
    functions -e duetty-box
    functions -c __duetty_run_box duetty-box
    set __duetty_text $argv[1]
    set __duetty_boxed " duetty-box $(string escape -- $argv[1]) "
    commandline -r -- $__duetty_boxed
    commandline -f execute
end

# `eval` makes the job's name of its text.
function __duetty_run_box
    eval '$duetty_box' (string escape -- $argv[1])
end

# Whether a folder, or one between it and the root, has what prompts and hooks obey. The folder ends with a slash.
function __duetty_obeys
    set -l at (string replace -r '/$' '' -- $argv[1])
    test -r $__duetty_dir/obeyed; or return 0
    set -l obeyed
    while read -lz name
        set -a obeyed $name
    end <$__duetty_dir/obeyed
    while test "$(string sub -l (string length -- $argv[2]/) -- $at)" = $argv[2]/
        for name in $obeyed
            test -e $at/$name; or test -L $at/$name; and return 0
        end
        set at (string replace -r '/[^/]*$' '' -- $at)
    end
    return 1
end

function __duetty_unbox
    builtin history delete --exact --case-sensitive -- $__duetty_boxed
    set __duetty_boxed
    test -r $__duetty_dir/folder -a -r $__duetty_dir/roots; or return
    # What the file says was written in the box.
    read -lz folder <$__duetty_dir/folder
    string match -q '/*' -- "$folder"; and test -d "$folder"; or return
    set -l physical (builtin realpath -- $folder)/
    while read -lz root
        if test "$(string sub -l (string length -- $root/) -- $physical)" = $root/
            __duetty_obeys $physical $root; or builtin cd -- $folder
            return
        end
    end <$__duetty_dir/roots
end

# One question and its answer, each a line of less than PIPE_BUF. fish cannot open a FIFO for reading and writing, nor wait
# with a limit, but sh can. The reader ends the waiter. Only one process asks in fish, so it needs no turn.
function __duetty_ask
    set -l ticket $fish_pid.(random)
    set -l question "$ticket $argv[1] $argv[2] $(__duetty_escape $argv[3])"
    test -p $__duetty_dir/ask -a -p $__duetty_dir/verdict; or return
    command sh -c '
        LC_ALL=C
        [ ${#3} -lt 4000 ] && exec 3<>"$1/verdict" || exit
        sleep "$2" 3>&- &
        limit=$!
        {
            while IFS= read -r line <&3; do
                case $line in "=$4 "*) printf "%s\n" "${line#* }"; break ;; esac
            done
            kill "$limit"
        } &
        reader=$!
        printf "%s\n" "$3" 1<>"$1/ask"
        wait "$limit"
        kill "$reader"
        wait
    ' duetty $__duetty_dir $__duetty_limit $question $ticket 2>/dev/null </dev/null
end

function __duetty_bind
    for mode in default insert visual replace replace_one
        for first in '' \x1e
            bind -M $mode $first\e\[9977~ __duetty_key
            bind -M $mode $first\e\[9976~ __duetty_enter
        end
    end
end

# `functions` prints a definition with its event; sourcing it again puts the handler at the end of the list.
for name in (functions --handlers-type generic | string replace -rf '^fish_postexec (.*)' '$1')
    test $name = __duetty_end; or functions $name | source
end
__duetty_bind
