
# A revived shell. It was started as a POSIX shell, so no file of the user was read, and with almost no environment. Its
# state follows; what may fail on its own is in files. There are few of these, because each takes time.
builtin shopt -u inherit_errexit shift_verbose
__shellkeep_from=$SHELLKEEP_REVIVE
builtin unset -v POSIXLY_CORRECT ENV SHELLKEEP_ENV SHELLKEEP_REVIVE
# One of the options is expand_aliases, which would expand aliases in functions once more at each revival.
builtin shopt -u expand_aliases
# The name of a shell started by `login`. Only 5.0 and later allow to set it.
if builtin shopt -q login_shell && ((BASH_VERSINFO[0] >= 5)); then BASH_ARGV0=-${BASH##*/}; fi
__shellkeep_done=
__shellkeep_unread=
