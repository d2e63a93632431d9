builtin unsetopt aliases
builtin typeset -g __shellkeep_done=
# Zsh begins with some.
builtin unalias -m '*'
for __shellkeep_each in modules variables special functions autoloads aliases styles bindings rest traps; do
    builtin source "$__shellkeep_from/$__shellkeep_each" >/dev/null 2>&1
done
builtin setopt aliases
# Whoever wraps widgets has wrapped ours, in functions that did not come along.
builtin zle -N __shellkeep_tell
builtin zle -N __shellkeep_put
builtin print -r -- "$__shellkeep_done" >|"$__shellkeep_from/done"
builtin unset __shellkeep_each __shellkeep_done
