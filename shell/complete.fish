# A hidden fish that completes lines for the page. DUETTY_SIDE names its folder: `in` has what it is told, `out` is for its
# answers. A newline in its terminal says that there is a question. The line is data: it is never run. What it knows is the
# state that the session's own fish has written (duetty.fish), and later what has changed.

set -g __duetty_side $DUETTY_SIDE
set -e DUETTY_SIDE
source $__duetty_side/in/state >/dev/null 2>&1
printf '\e]7777;ready\a'

function __duetty_answer
    set -l asked
    while read -lz part
        set -a asked $part
    end <$__duetty_side/in/question
    test -e $__duetty_side/in/state; and source $__duetty_side/in/state >/dev/null 2>&1
    builtin cd -- $asked[4]
    complete --escape -C "$(string sub -l $asked[3] -- $asked[2])" >$__duetty_side/out/all 2>/dev/null
    printf '\e]7777;%s\a' $asked[1]
end

while read -l __duetty_go
    __duetty_answer
end
