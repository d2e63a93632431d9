
# A shell that slept. It began as a POSIX shell, so no file of the user's was read; what it was is put
# together from pieces in a directory of ours. One that does not load leaves the others alone.
__shellkeep_undo_posix
__shellkeep_from=$SHELLKEEP_REVIVE
builtin unset -v SHELLKEEP_REVIVE
if [[ -e $__shellkeep_from/run-rc ]]; then
    builtin shopt -s expand_aliases
    if builtin shopt -q login_shell; then
        if [[ -r /etc/profile ]]; then \builtin . /etc/profile; fi
        if [[ -r ~/.bash_profile ]]; then
            \builtin . ~/.bash_profile
        elif [[ -r ~/.bash_login ]]; then
            \builtin . ~/.bash_login
        elif [[ -r ~/.profile ]]; then
            \builtin . ~/.profile
        fi
    else
        if [[ -r /etc/bash.bashrc ]]; then \builtin . /etc/bash.bashrc; fi
        if [[ -r ~/.bashrc ]]; then \builtin . ~/.bashrc; fi
    fi
    \builtin shopt -u expand_aliases
    \builtin unset -v HISTFILE PROMPT_COMMAND
    \builtin unset -f declare
else
    __shellkeep_wipe() {
        builtin local -a __shellkeep_list
        builtin local __shellkeep_each
        # Every variable there is, without a process and without an eval for each letter.
        __shellkeep_list=(
            "${!a@}" "${!b@}" "${!c@}" "${!d@}" "${!e@}" "${!f@}" "${!g@}" "${!h@}" "${!i@}"
            "${!j@}" "${!k@}" "${!l@}" "${!m@}" "${!n@}" "${!o@}" "${!p@}" "${!q@}" "${!r@}"
            "${!s@}" "${!t@}" "${!u@}" "${!v@}" "${!w@}" "${!x@}" "${!y@}" "${!z@}" "${!A@}"
            "${!B@}" "${!C@}" "${!D@}" "${!E@}" "${!F@}" "${!G@}" "${!H@}" "${!I@}" "${!J@}"
            "${!K@}" "${!L@}" "${!M@}" "${!N@}" "${!O@}" "${!P@}" "${!Q@}" "${!R@}" "${!S@}"
            "${!T@}" "${!U@}" "${!V@}" "${!W@}" "${!X@}" "${!Y@}" "${!Z@}" "${!_@}"
        )
        for __shellkeep_each in "${__shellkeep_list[@]}"; do
            case $__shellkeep_each in
                PWD | TERM | TERM_PROGRAM | TERM_PROGRAM_VERSION | TMUX* | STY | DISPLAY | WAYLAND_DISPLAY) ;;
                XAUTHORITY | SSH_* | SHELLKEEP_* | __shellkeep_* | SHLVL | COLUMNS | LINES | BASH* | COMP_WORDBREAKS) ;;
                DIRSTACK | EPOCH* | EUID | FUNCNAME | GROUPS | HISTCMD | LINENO | PIPESTATUS | PPID) ;;
                RANDOM | SECONDS | SHELLOPTS | SRANDOM | UID | _) ;;
                *) builtin unset -v "$__shellkeep_each" ;;
            esac
        done
    }
    __shellkeep_wipe 2>/dev/null
    builtin unset -f __shellkeep_wipe
fi
__shellkeep_done=
for __shellkeep_each in history options variables functions aliases completions bindings rest; do
    builtin . "$__shellkeep_from/$__shellkeep_each" >/dev/null 2>&1
done
builtin printf '%s\n' "$__shellkeep_done" 2>/dev/null >|"$__shellkeep_from/done"
IFS= builtin read -r -d '' __shellkeep_late 2>/dev/null <"$__shellkeep_from/late"
builtin unset -v __shellkeep_each __shellkeep_from __shellkeep_done
if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)); then
    PROMPT_COMMAND=('builtin eval "$__shellkeep_late" 2>/dev/null' "${PROMPT_COMMAND[@]}")
else
    PROMPT_COMMAND='builtin eval "$__shellkeep_late" 2>/dev/null'$'\n'${PROMPT_COMMAND-}
fi
__shellkeep_give
__shellkeep_install
