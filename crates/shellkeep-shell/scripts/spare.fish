
# A shell that waits for a pane to wake. What fish itself does before its first prompt, and loads for it, is the same for all.
if functions -q __fish_on_interactive
    functions -e __fish_on_interactive
    __fish_config_interactive
end
set -g __shellkeep_from $SHELLKEEP_REVIVE
set -e SHELLKEEP_REVIVE
# The pane that will wake most likely: its variables are set, since another's can still take their place. The rest of its state could not be
# taken back, and is only parsed.
source $__shellkeep_from/model/variables >/dev/null 2>&1
for __shellkeep_each in own functions abbreviations completions bindings rest
    builtin read -gz __shellkeep_text <$__shellkeep_from/model/$__shellkeep_each
    and eval "function __shellkeep_read_$__shellkeep_each"\n$__shellkeep_text\nend 2>/dev/null
end
set -e __shellkeep_text
# A function that keeps them is one of universal variables, which change.
builtin -q abbr; and set -g __shellkeep_abbreviated (abbr --list)
# Fish looks for functions anew when it is told another path: so these come after the variables.
functions -q abbr umask fish_mode_prompt fish_default_mode_prompt fish_title prompt_pwd
# What it becomes is told at the gate. A signal ends the wait, e.g. if its terminal gets another size.
while not set -q __shellkeep_called; and builtin test -p $__shellkeep_from/main
    builtin source - <$__shellkeep_from/main 2>/dev/null
end
set -q __shellkeep_called; or exit 1
set -e __shellkeep_called
