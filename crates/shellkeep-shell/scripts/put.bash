# Restores the half-typed line, and reads what the prompt did not need. A DEBUG trap of the user's is set only now,
# because it would take this for a command.
__shellkeep_put() {
    if [[ -v __shellkeep_half ]]; then
        READLINE_LINE=$__shellkeep_half READLINE_POINT=$__shellkeep_point
        builtin unset -v __shellkeep_half __shellkeep_point
    fi
    if [[ -n $__shellkeep_later ]]; then __shellkeep_load; fi
    # The last command here, because a later one would run the trap.
    if [[ -n $__shellkeep_debug ]]; then builtin eval "__shellkeep_debug=; $__shellkeep_debug"; fi
}

# Reads what the prompt did not need as it was written: without aliases in functions, and with all patterns.
__shellkeep_load() {
    { builtin local "__shellkeep_flags=$-" "__shellkeep_shopts=$BASHOPTS" "__shellkeep_file=$__shellkeep_later" __shellkeep_unread= __shellkeep_each; builtin set +xveu; } 2>/dev/null
    builtin shopt -u expand_aliases
    builtin shopt -s extglob
    # The server writes the file while the shell draws its prompt. Once the file exists, it is complete.
    for ((__shellkeep_each = 0; __shellkeep_each < 100000; __shellkeep_each++)); do
        if [[ -e $__shellkeep_file ]]; then builtin break; fi
    done
    # Not with a redirection: bash does not restore it after a syntax error in the file.
    builtin . "$__shellkeep_file"
    case :$__shellkeep_shopts: in *:extglob:*) ;; *) builtin shopt -u extglob ;; esac
    case :$__shellkeep_shopts: in *:expand_aliases:*) builtin shopt -s expand_aliases ;; esac
    if [[ -n $__shellkeep_later ]]; then
        __shellkeep_later= __shellkeep_unread=
        builtin printf '\r\e[J\e[2mshellkeep: some functions and completions did not return\e[m\n'
    fi
    if [[ -n $__shellkeep_unread ]]; then
        builtin printf '\r\e[J\e[2mshellkeep: did not return, since bash cannot read what it wrote: function%s\e[m\n' "$__shellkeep_unread"
    fi
    {
        case $__shellkeep_flags in *e*) builtin set -e ;; esac
        case $__shellkeep_flags in *u*) builtin set -u ;; esac
        case $__shellkeep_flags in *v*) builtin set -v ;; esac
        case $__shellkeep_flags in *x*) builtin set -x ;; esac
        builtin return 0
    } 2>/dev/null
}
