# Zsh looked here for its first file because of ZDOTDIR. That is put right before anything else is read, and from
# there on zsh finds the user's files by itself.
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
# As login names a shell: it is started by its path, and with a word for that.
[[ ! -o login ]] || 0=-$ZSH_NAME
if [[ -r ${ZDOTDIR-$HOME}/.zshenv ]]; then
    source "${ZDOTDIR-$HOME}/.zshenv"
fi
