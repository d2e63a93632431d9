
# Undoes what a start as a POSIX shell changed, the one way to have a login shell read a file of ours.
__shellkeep_undo_posix() {
    builtin set +o posix
    builtin shopt -u inherit_errexit shift_verbose
    builtin unset -v POSIXLY_CORRECT ENV
    if [[ -n ${SHELLKEEP_ENV+x} ]]; then builtin export "ENV=$SHELLKEEP_ENV"; fi
    builtin unset -v SHELLKEEP_ENV
    if [[ ${HISTFILE-} == ~/.sh_history ]]; then HISTFILE=~/.bash_history; fi
    MAILCHECK=60
    # Bash calls itself so when login starts it; only 5.0 and later let us say so.
    if builtin shopt -q login_shell && ((BASH_VERSINFO[0] >= 5)); then BASH_ARGV0=-${BASH##*/}; fi
} 2>/dev/null
