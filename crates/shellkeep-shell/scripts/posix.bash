# Undoes the effects of starting as a POSIX shell, which is the only way to make a login shell read our file.
builtin shopt -u inherit_errexit shift_verbose
if [[ -v SHELLKEEP_ENV ]]; then builtin export "ENV=$SHELLKEEP_ENV"; else builtin unset -v ENV; fi
builtin unset -v POSIXLY_CORRECT SHELLKEEP_ENV
if [[ ${HISTFILE-} == ~/.sh_history ]]; then HISTFILE=~/.bash_history; fi
MAILCHECK=60
# The name of a shell started by `login`. Only 5.0 and later allow to set it.
if builtin shopt -q login_shell && ((BASH_VERSINFO[0] >= 5)); then BASH_ARGV0=-${BASH##*/}; fi
