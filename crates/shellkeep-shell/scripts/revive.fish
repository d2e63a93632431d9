
# A shell that slept. Fish was shown a directory of ours in place of the user's, with all that it keeps on disk itself and
# without the files that it would run; unless those were to run, in which case it has done so by now. The state is laid over it.
set -g __shellkeep_from $SHELLKEEP_REVIVE
set -e SHELLKEEP_REVIVE
for __shellkeep_each in variables own functions abbreviations completions bindings rest
    builtin source $__shellkeep_from/$__shellkeep_each
end >/dev/null 2>&1
# The PATH that it had may name the shim of a server that is gone.
__shellkeep_set_path again
builtin string join ' ' -- $__shellkeep_done >$__shellkeep_from/done
# One by one: older ones take no more.
set -e __shellkeep_each
set -e __shellkeep_done
set -e __shellkeep_from
builtin functions -e __shellkeep_forget
# No greeting for who comes back.
function __shellkeep_greet --on-event fish_prompt
    functions -e __shellkeep_greet fish_greeting
    functions -q __shellkeep_greeting; and functions -c __shellkeep_greeting fish_greeting
    functions -e __shellkeep_greeting
    # What was written to the history a moment before this shell began would be another's for it.
    builtin history merge
    # Whatever has set up the keys by now began with another.
    set -q __shellkeep_mode; and set -g fish_bind_mode $__shellkeep_mode
    set -e __shellkeep_mode
end
# It counts in seconds: what was typed in the one in which this shell began is another's for it until that is over. So a few commands later, too.
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
