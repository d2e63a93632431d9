# Read by a POSIX shell after its start-up files, which often set a new PATH: puts the directory in which `tmux` is this
# server first again. Restores ENV, by which the shell has found this file, to the user's value, and reads the file that
# it names, as the shell would have.
if [ "${SHELLKEEP_ENV+set}" ]; then ENV=$SHELLKEEP_ENV; else unset ENV; fi
if [ -n "${SHELLKEEP_SHIM-}" ]; then
    PATH=:$PATH:
    while :; do
        case $PATH in
        *":$SHELLKEEP_SHIM:"*) PATH=${PATH%%":$SHELLKEEP_SHIM:"*}:${PATH#*":$SHELLKEEP_SHIM:"} ;;
        *) break ;;
        esac
    done
    PATH=$SHELLKEEP_SHIM$PATH
    PATH=${PATH%:}
fi
unset SHELLKEEP_ENV SHELLKEEP_SHIM
if [ -n "${ENV-}" ]; then
    # The shell expands variables in it.
    eval "__shellkeep_env=\"$ENV\""
else
    # Korn shells read a default file if there is none.
    case ${KSH_VERSION-} in
    *MIRBSD* | *LEGACY*) __shellkeep_env=$HOME/.mkshrc ;;
    *93*) __shellkeep_env=$HOME/.kshrc ;;
    esac
fi
if [ -r "${__shellkeep_env-}" ]; then . "$__shellkeep_env"; fi
unset __shellkeep_env
