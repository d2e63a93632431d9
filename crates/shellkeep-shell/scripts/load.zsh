builtin unsetopt aliases
builtin typeset -g __shellkeep_done=
# A new zsh has some already.
builtin unalias -m '*'
builtin source "$__shellkeep_from/first" >/dev/null 2>&1
builtin source "$__shellkeep_from/functions" >/dev/null 2>&1
builtin source "$__shellkeep_from/rest" >/dev/null 2>&1
# The shell's PATH may contain the shim of a server that is gone.
__shellkeep_set_path again
builtin setopt aliases
# Plugins that wrap widgets have wrapped ours, in functions that are not part of the state. The user may use a key map
# of their own.
builtin zle -N __shellkeep_tell
builtin zle -N __shellkeep_put
builtin bindkey -M main $'\e[7701;2~' __shellkeep_put
builtin print -r -- "$__shellkeep_done" >|"$__shellkeep_from/done"
builtin unset __shellkeep_done
