
# Takes away what is not of a state, wherever it has come from. The names of what is come as a pattern.
function __shellkeep_forget
    for __shellkeep_name in (set --names --global | builtin string match -rv "$__shellkeep_not_state|^(?:$argv[1])\$")
        set -e -g $__shellkeep_name
    end
end
set -g __shellkeep_done
