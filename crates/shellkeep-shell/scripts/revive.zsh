# A shell that slept: none of the user's files is read unless asked for; what it was is put together from pieces.
# One that does not load leaves the others alone.
typeset -g __shellkeep_from=$SHELLKEEP_REVIVE
unset SHELLKEEP_REVIVE
if [[ -n ${SHELLKEEP_ZDOTDIR+x} ]]; then
    export ZDOTDIR=$SHELLKEEP_ZDOTDIR
else
    unset ZDOTDIR
fi
unset SHELLKEEP_ZDOTDIR
builtin source "$SHELLKEEP_ZSH"
unset SHELLKEEP_ZSH
unfunction precmd
__shellkeep_give() { builtin return $__shellkeep_code }
if [[ -e $__shellkeep_from/run-rc ]]; then
    # The other files are read by zsh itself, so the state has to wait for the first prompt.
    __shellkeep_wake() {
        precmd_functions=(${precmd_functions:#__shellkeep_wake})
#@ load
        precmd_functions=(${precmd_functions:#__shellkeep_precmd} __shellkeep_precmd)
        preexec_functions=(${preexec_functions:#__shellkeep_preexec} __shellkeep_preexec)
        builtin source "$__shellkeep_from/late" 2>/dev/null
    }
    [[ ! -r ${ZDOTDIR-$HOME}/.zshenv ]] || source "${ZDOTDIR-$HOME}/.zshenv"
    precmd_functions=(__shellkeep_wake $precmd_functions)
else
    unsetopt rcs
    __shellkeep_wipe 2>/dev/null
    __shellkeep_wake() {
        precmd_functions=(${precmd_functions:#__shellkeep_wake})
        builtin source "$__shellkeep_from/late" 2>/dev/null
    }
#@ load
    precmd_functions=(__shellkeep_wake ${precmd_functions:#__shellkeep_precmd} __shellkeep_precmd)
    preexec_functions=(${preexec_functions:#__shellkeep_preexec} __shellkeep_preexec)
fi
unfunction __shellkeep_wipe
__shellkeep_give
