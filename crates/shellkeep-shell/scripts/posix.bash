# Undoes what a start as a POSIX shell changed, the one way to have a login shell read a file of ours.
builtin shopt -u inherit_errexit shift_verbose
if [[ -v SHELLKEEP_ENV ]]; then builtin export "ENV=$SHELLKEEP_ENV"; else builtin unset -v ENV; fi
builtin unset -v POSIXLY_CORRECT SHELLKEEP_ENV
if [[ ${HISTFILE-} == ~/.sh_history ]]; then HISTFILE=~/.bash_history; fi
MAILCHECK=60
# Bash calls itself so when login starts it; only 5.0 and later let us say so.
if builtin shopt -q login_shell && ((BASH_VERSINFO[0] >= 5)); then BASH_ARGV0=-${BASH##*/}; fi
