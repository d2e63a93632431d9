# Unsets exported variables in a shell that has its own in its state.
__shellkeep_wipe() {
    builtin emulate -L zsh
    builtin local __shellkeep_each
    for __shellkeep_each in ${(k)parameters[(R)*export*]}; do
        case $__shellkeep_each in
            PWD | TERM | TERM_PROGRAM | TERM_PROGRAM_VERSION | TMUX* | STY | DISPLAY | WAYLAND_DISPLAY) ;;
            XAUTHORITY | SSH_* | SHELLKEEP_* | __shellkeep_* | SHLVL | COLUMNS | LINES | _ | HOME | PATH) ;;
            *) builtin unset "$__shellkeep_each" ;;
        esac
    done
}

