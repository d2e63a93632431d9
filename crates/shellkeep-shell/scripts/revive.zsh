# A shell that slept: none of the user's files is read unless asked for; what it was is put together from pieces.
# One that does not load leaves the others alone.
typeset -g __shellkeep_from=$SHELLKEEP_REVIVE
unset SHELLKEEP_REVIVE ZDOTDIR
builtin source "$SHELLKEEP_ZSH"
unset SHELLKEEP_ZSH
# As login names a shell: it is started by its path, and with a word for that.
[[ ! -o login ]] || 0=-$ZSH_NAME
unfunction precmd
__shellkeep_give() { builtin return $__shellkeep_code }
if [[ -e $__shellkeep_from/run-rc ]]; then
    # The other files are read by zsh itself, so the state has to wait for the first prompt.
    __shellkeep_wake() {
        # Options that those have set would be in the way; the state has them all.
        builtin emulate zsh -o no_xtrace -o no_verbose -o no_err_exit -o no_err_return
        precmd_functions=(${precmd_functions:#__shellkeep_wake})
#@ load
        # Zsh has read the history file that they name. Unless it is shared, the list begins anew, and the old one goes to no file. In a
        # piece this would miscount.
        [[ -n ${HISTFILE+x} ]] || builtin fc -p ''
        precmd_functions=(${precmd_functions:#__shellkeep_precmd} __shellkeep_precmd)
        preexec_functions=(${preexec_functions:#__shellkeep_preexec} __shellkeep_preexec)
        builtin source "$__shellkeep_from/late" 2>/dev/null
    }
    # Where they are, if not at home.
    builtin source "$__shellkeep_from/run-rc"
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
# The last word of the last command is $_.
__shellkeep_give "$__shellkeep_word"
