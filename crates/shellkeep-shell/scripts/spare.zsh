# A shell that waits for a pane to wake: what is the same for all is read now; what it becomes is told at the gate.
typeset -g __shellkeep_from=$SHELLKEEP_REVIVE
unset SHELLKEEP_REVIVE ZDOTDIR
builtin source "$SHELLKEEP_ZSH"
unset SHELLKEEP_ZSH
# As login names a shell: it is started by its path, and with a word for that.
[[ ! -o login ]] || 0=-$ZSH_NAME
unfunction precmd
__shellkeep_give() { builtin return $__shellkeep_code }
unsetopt rcs
__shellkeep_wipe 2>/dev/null
unfunction __shellkeep_wipe
# Reading the files of a language takes its time.
#@ language
__shellkeep_wake() {
    precmd_functions=(${precmd_functions:#__shellkeep_wake})
    builtin source "$__shellkeep_from/late" 2>/dev/null
}
# A signal ends the wait, e.g. if its terminal gets another size.
while [[ -z ${__shellkeep_called-} && -p $__shellkeep_from/main ]]; do
    builtin source "$__shellkeep_from/main" 2>/dev/null
done
if [[ -z ${__shellkeep_called-} ]]; then exit 1; fi
unset __shellkeep_called
#@ load
precmd_functions=(__shellkeep_wake ${precmd_functions:#__shellkeep_precmd} __shellkeep_precmd)
preexec_functions=(${preexec_functions:#__shellkeep_preexec} __shellkeep_preexec)
# The last word of the last command is $_.
__shellkeep_give "$__shellkeep_word"
