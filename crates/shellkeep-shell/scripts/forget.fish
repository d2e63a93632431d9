
# Erases variables that are not part of a state, wherever they came from. The argument is a pattern of the names to
# keep.
function __shellkeep_forget
    for __shellkeep_name in (set --names --global | builtin string match -rv "$__shellkeep_not_state|^(?:$argv[1])\$")
        set -e -g $__shellkeep_name
    end
end
set -g __shellkeep_done
