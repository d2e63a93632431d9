# Read by a POSIX shell behind its start-up files, which often set a new PATH: the directory in which `tmux` is this server is first again.
# ENV, by which the shell has found this file, is the user's again, and what that names is read as the shell would have read it.
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
    # A shell expands what is in it.
    eval "__shellkeep_env=\"$ENV\""
else
    # Korn shells have a file of their own where there is none.
    case ${KSH_VERSION-} in
    *MIRBSD* | *LEGACY*) __shellkeep_env=$HOME/.mkshrc ;;
    *93*) __shellkeep_env=$HOME/.kshrc ;;
    esac
fi
if [ -r "${__shellkeep_env-}" ]; then . "$__shellkeep_env"; fi
unset __shellkeep_env
