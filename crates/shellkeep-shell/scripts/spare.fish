
# A shell that waits for a pane to wake. What fish itself does before its first prompt, and loads for it, is the same for all.
if functions -q __fish_on_interactive
    functions -e __fish_on_interactive
    __fish_config_interactive
end
functions -q abbr umask fish_mode_prompt fish_default_mode_prompt fish_title prompt_pwd
# What it becomes is told at the gate. A signal ends the wait, e.g. if its terminal gets another size.
set -g __shellkeep_from $SHELLKEEP_REVIVE
set -e SHELLKEEP_REVIVE
while not set -q __shellkeep_called; and builtin test -p $__shellkeep_from/main
    builtin source - <$__shellkeep_from/main 2>/dev/null
end
set -q __shellkeep_called; or exit 1
set -e __shellkeep_called
