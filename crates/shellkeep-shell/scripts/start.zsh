# Zsh has looked here for its first file because of ZDOTDIR. The variable is restored before anything else is read, so
# zsh finds the user's files by itself.
if [[ -n ${SHELLKEEP_ZDOTDIR+x} ]]; then
    export ZDOTDIR=$SHELLKEEP_ZDOTDIR
else
    unset ZDOTDIR
fi
unset SHELLKEEP_ZDOTDIR
if [[ -o interactive ]]; then
    builtin source "$SHELLKEEP_ZSH"
fi
unset SHELLKEEP_ZSH
# The name of a shell started by `login`: it was started by its path, and with an option for that.
[[ ! -o login ]] || 0=-$ZSH_NAME
if [[ -r ${ZDOTDIR-$HOME}/.zshenv ]]; then
    source "${ZDOTDIR-$HOME}/.zshenv"
fi
