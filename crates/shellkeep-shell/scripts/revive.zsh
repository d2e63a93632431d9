# A revived shell. None of the user's files is read unless that is wanted; the state is read in pieces, so that an error
# in one does no harm to the others.
typeset -g __shellkeep_from=$SHELLKEEP_REVIVE
unset SHELLKEEP_REVIVE ZDOTDIR
builtin source "$SHELLKEEP_ZSH"
unset SHELLKEEP_ZSH
# The name of a shell started by `login`: it was started by its path, and with an option for that.
[[ ! -o login ]] || 0=-$ZSH_NAME
unfunction precmd
__shellkeep_give() { builtin return $__shellkeep_code }
if [[ -e $__shellkeep_from/run-rc ]]; then
    # Zsh reads the other files itself, so the state has to wait for the first prompt.
    __shellkeep_wake() {
        # Options that the files have set would interfere. The state has all options.
        builtin emulate zsh -o no_xtrace -o no_verbose -o no_err_exit -o no_err_return
        precmd_functions=(${precmd_functions:#__shellkeep_wake})
#@ load
        # Zsh has read the history file named in the user's files. Unless the history is shared, start a new list, which
        # is written to no file. Inside a piece, this would count wrongly.
        [[ -n ${HISTFILE+x} ]] || builtin fc -p ''
        precmd_functions=(${precmd_functions:#__shellkeep_precmd} __shellkeep_precmd)
        preexec_functions=(${preexec_functions:#__shellkeep_preexec} __shellkeep_preexec)
        builtin source "$__shellkeep_from/late" 2>/dev/null
    }
    # The directory of the user's files, if it is not the home directory.
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
# `$_`, the last word of the last command.
__shellkeep_give "$__shellkeep_word"
