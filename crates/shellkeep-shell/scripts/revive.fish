
# A shell that slept. Fish has read the user's files already, which it cannot be kept from without losing the
# variables and functions it keeps on disk itself; the state is laid over them.
set -g __shellkeep_from $SHELLKEEP_REVIVE
set -e SHELLKEEP_REVIVE
set -g __shellkeep_done
function __shellkeep_forget
    for __shellkeep_name in (set --names --global)
        __shellkeep_is_state $__shellkeep_name; and not contains -- $__shellkeep_name $argv; and set -e -g $__shellkeep_name
    end
end
for __shellkeep_each in variables functions abbreviations bindings rest
    source $__shellkeep_from/$__shellkeep_each >/dev/null 2>&1
end
string join ' ' -- $__shellkeep_done >$__shellkeep_from/done
set -e __shellkeep_each __shellkeep_done __shellkeep_from
functions -e __shellkeep_forget
# No greeting for who comes back.
function __shellkeep_greet --on-event fish_prompt
    functions -e __shellkeep_greet fish_greeting
    functions -q __shellkeep_greeting; and functions -c __shellkeep_greeting fish_greeting
    functions -e __shellkeep_greeting
end
functions -q fish_greeting; and functions -c fish_greeting __shellkeep_greeting
function fish_greeting
end
__shellkeep_hook
