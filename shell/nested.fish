# duetty's marks for a fish >= 3.4 inside another shell, perhaps on another machine. As in nested.bash, no file is read or
# written, a line to run comes through the terminal, and there is no guard. The line before sets __duetty_nonce. Owns: the
# wrapper around fish_prompt, ESC[9977~.
set -g __duetty_n 0
set -g __duetty_at 0
set -g __duetty_run
set -g __duetty_text
set -g __duetty_controls \x01 \x02 \x03 \x04 \x05 \x06 \x07 \x08 \x09 \x0a \x0b \x0c \x0d \x0e \x0f \x10 \
    \x11 \x12 \x13 \x14 \x15 \x16 \x17 \x18 \x19 \x1a \x1b \x1c \x1d \x1e \x1f \x7f
set -g __duetty_codes 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f 7f

function __duetty_say
    printf '\e]%s;duetty=%s:%s%s\a' "$argv[1]" $__duetty_nonce $__duetty_n "$argv[2]" >/dev/tty
end

function __duetty_escape
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

function __duetty_end --on-event fish_postexec
    set -l code $status
    __duetty_say "133;D;$code"
end

function __duetty_cycle --on-event fish_prompt
    set __duetty_n (math $__duetty_n + 1)
    set __duetty_at 1
    set __duetty_run
    set __duetty_text
    functions -q fish_prompt; and string match -q '*__duetty_*' -- (functions fish_prompt); or __duetty_wrap
    __duetty_say "633;P;Cwd="(__duetty_escape $PWD)
    __duetty_say '133;A'
end

function __duetty_wrap
    functions -q __duetty_user_prompt; and functions -e __duetty_user_prompt
    if functions -q fish_prompt
        functions -c fish_prompt __duetty_user_prompt
        functions -e fish_prompt
    else
        function __duetty_user_prompt
            echo '> '
        end
    end
    functions -c __duetty_our_prompt fish_prompt
end

function __duetty_our_prompt
    set -l shown (__duetty_user_prompt $argv | string collect)
    printf '\e]133;P;k=i;duetty=%s:%s\a%s\e]133;B;duetty=%s:%s\a' $__duetty_nonce $__duetty_n "$shown" $__duetty_nonce $__duetty_n
end

function __duetty_start --on-event fish_preexec
    set __duetty_at 0
    set -l line $argv[1]
    set -q __duetty_text[1]; and set line $__duetty_text
    __duetty_say "633;E;"(__duetty_escape "$line" | string collect)
    set -l run
    set -q __duetty_run[1]; and set run ";run=$__duetty_run"
    __duetty_say '133;C' "$run"
end

function __duetty_bye --on-event fish_exit
    __duetty_say "633;P;Bye=$status" 2>/dev/null
end

# As in nested.bash.
function __duetty_frame
    command sh -c 's=$(stty -g);trap "stty $s" 2;stty -echo -icanon -inlcr min 0 time 100;printf %s "$0">/dev/tty
      IFS= read -r l;stty "$s";b=$(printf "\002");case $l in
      "$b"*"$(printf "\036")")l=${l%?};printf %b "${l#?}";;*)printf ";%s" "${l%%$b*}";;esac' $argv[1] </dev/tty 2>/dev/null
end

function __duetty_key
    set -l answer busy
    set -l id key
    if test $__duetty_at = 1; and test -z "$(commandline)"; and not commandline --search-mode; and not commandline --paging-mode
        set -l frame (__duetty_frame (printf '\e]633;R;key;ready;duetty=%s:%s\a' $__duetty_nonce $__duetty_n) | string collect)
        if string match -qr '^[^;\n]+;' -- "$frame"
            set id (string replace -r '^([^;\n]+);[\s\S]*$' '$1' -- "$frame")
            set __duetty_run $id
            set __duetty_text (string replace -r '^[^;\n]+;' '' -- "$frame" | string collect)
            set answer taken
        else
            commandline -r -- (string replace -r '^;' '' -- "$frame" | string replace -ar '\e\[9977~|[[:cntrl:]]' '')
        end
    end
    __duetty_say "633;R;$id;$answer"
    test $answer = taken; or return
    set -l space ' '
    string match -qr '\\\\$' -- $__duetty_text; and set space
    commandline -r -- "$__duetty_text$space"
    commandline -f execute
end

for mode in default insert visual replace replace_one
    bind -M $mode \e\[9977~ __duetty_key
    bind -M $mode \x1e\e\[9977~ __duetty_key
end
for name in (functions --handlers-type generic | string replace -rf '^fish_postexec (.*)' '$1')
    test $name = __duetty_end; or functions $name | source
end
