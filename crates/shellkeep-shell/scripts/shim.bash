# Puts the directory in which `tmux` is this server into PATH: with an argument in place of an earlier server's
# directory, otherwise first. Directories of other servers are removed. A read-only PATH stays unchanged, because
# setting it would end the script.
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
