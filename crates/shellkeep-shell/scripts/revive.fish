
# A revived shell. Fish was started with our configuration directory, which has everything that fish itself stores in
# the user's, but not the files that fish would run. If those are wanted, they have run by now. The state is applied
# afterwards.
set -g __shellkeep_from $SHELLKEEP_REVIVE
set -e SHELLKEEP_REVIVE
for __shellkeep_each in variables own functions abbreviations completions bindings rest
    builtin source $__shellkeep_from/$__shellkeep_each
end >/dev/null 2>&1
# The shell's PATH may contain the shim of a server that is gone.
__shellkeep_set_path again
builtin string join ' ' -- $__shellkeep_done >$__shellkeep_from/done
# One by one, because older versions accept only one name.
set -e __shellkeep_each
set -e __shellkeep_done
set -e __shellkeep_from
builtin functions -e __shellkeep_forget
# No greeting in a revived shell.
function __shellkeep_greet --on-event fish_prompt
    functions -e __shellkeep_greet fish_greeting
    functions -q __shellkeep_greeting; and functions -c __shellkeep_greeting fish_greeting
    functions -e __shellkeep_greeting
    # Lines that were written to the history just before this shell started would count as another shell's.
    builtin history merge
    # The code that has set up the keys has set the default mode.
    set -q __shellkeep_mode; and set -g fish_bind_mode $__shellkeep_mode
    set -e __shellkeep_mode
end
# Fish counts in seconds: a line entered in the second in which this shell started counts as another shell's until that
# second is over. So merge after a few commands as well.
set -g __shellkeep_merges 1 2 3 4
function __shellkeep_merge --on-event fish_postexec
    builtin history merge
    set -e __shellkeep_merges[1]
    set -q __shellkeep_merges[1]; or functions -e __shellkeep_merge
end
functions -q fish_greeting; and functions -c fish_greeting __shellkeep_greeting
function fish_greeting
end
__shellkeep_hook
set -g __shellkeep_hooked
