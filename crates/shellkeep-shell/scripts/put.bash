# Puts a line back that was typed before the shell slept, and what the prompt could do without. A user's DEBUG trap is set only
# now: it would take this for a command.
__shellkeep_put() {
    if [[ -v __shellkeep_half ]]; then
        READLINE_LINE=$__shellkeep_half READLINE_POINT=$__shellkeep_point
        builtin unset -v __shellkeep_half __shellkeep_point
    fi
    if [[ -n $__shellkeep_later ]]; then __shellkeep_load; fi
    # The last command here: nothing after it may run the trap.
    if [[ -n $__shellkeep_debug ]]; then builtin eval "__shellkeep_debug=; $__shellkeep_debug"; fi
}

# Reads what waited for the prompt, as it was written: no aliases in functions, every pattern.
__shellkeep_load() {
    { builtin local "__shellkeep_flags=$-" "__shellkeep_shopts=$BASHOPTS" "__shellkeep_file=$__shellkeep_later" __shellkeep_unread= __shellkeep_each; builtin set +xveu; } 2>/dev/null
    builtin shopt -u expand_aliases
    builtin shopt -s extglob
    # It is written while the shell comes to its prompt, and whole when it is there.
    for ((__shellkeep_each = 0; __shellkeep_each < 100000; __shellkeep_each++)); do
        if [[ -e $__shellkeep_file ]]; then builtin break; fi
    done
    # Not behind a redirection: bash does not come back from one if the file is broken.
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
