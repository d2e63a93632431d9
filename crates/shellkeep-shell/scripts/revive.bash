
# A shell that slept. It began as a POSIX shell, so no file of the user's was read, and with next to nothing in its environment;
# what it was follows, and in files of their own what may fail without the rest. The files are few: each costs.
builtin shopt -u inherit_errexit shift_verbose
__shellkeep_from=$SHELLKEEP_REVIVE
builtin unset -v POSIXLY_CORRECT ENV SHELLKEEP_ENV SHELLKEEP_REVIVE
# The first of these has switched it on: functions would have their aliases expanded once more each time.
builtin shopt -u expand_aliases
# Bash calls itself so when login starts it; only 5.0 and later let us say so.
if builtin shopt -q login_shell && ((BASH_VERSINFO[0] >= 5)); then BASH_ARGV0=-${BASH##*/}; fi
__shellkeep_done=
__shellkeep_unread=
