# Puts the directory in which `tmux` is this server into PATH: first, or where that of an earlier server stands if the shell comes back.
# Others go. Without an argument it is first. A read-only PATH is left alone: to set it would end the script.
__shellkeep_set_path() {
    if [[ ${PATH@a} == *r* ]]; then builtin return 0; fi
    builtin local "__shellkeep_rest=:${PATH:+$PATH:}" __shellkeep_head= __shellkeep_whole= __shellkeep_each
    while [[ $__shellkeep_rest == *.tmux-shim:* ]]; do
        __shellkeep_each=${__shellkeep_rest%%.tmux-shim:*}
        if [[ -n ${1-} && $__shellkeep_rest == ":${PATH-}:" ]]; then __shellkeep_head=${__shellkeep_each%:*}; fi
        __shellkeep_whole+=${__shellkeep_each%:*}
        __shellkeep_rest=:${__shellkeep_rest#*.tmux-shim:}
    done
    __shellkeep_whole+=$__shellkeep_rest
    __shellkeep_whole=$__shellkeep_head${__shellkeep_shim:+:$__shellkeep_shim}${__shellkeep_whole:${#__shellkeep_head}}
    __shellkeep_whole=${__shellkeep_whole#:}
    PATH=${__shellkeep_whole%:}
}
