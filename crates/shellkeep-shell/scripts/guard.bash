
# Makes a command of the DEBUG trap just written to a file that sets it anew, behind a guard.
__shellkeep_guard() {
    builtin local -a __shellkeep_list
    builtin local __shellkeep_was=
    IFS= builtin read -r -d '' __shellkeep_was <"$__shellkeep_dir/trap"
    [[ -n $__shellkeep_was && $__shellkeep_was != *"$__shellkeep_guarded"* ]] || builtin return 1
    builtin eval "__shellkeep_list=($__shellkeep_was)"
    # A POSIX shell lists traps that are not set, too.
    [[ ${__shellkeep_list[2]-} != - ]] || builtin return 1
    __shellkeep_was=$__shellkeep_guarded$__shellkeep_break${__shellkeep_list[2]-}$__shellkeep_break';; esac'
    builtin printf -v __shellkeep_debug 'builtin trap -- %q DEBUG' "$__shellkeep_was"
} 2>/dev/null

# Has bash-preexec set itself up now. Its own functions run at the first prompt, not here as well, and no command of ours is
# one of the user's.
__shellkeep_adopt() {
    __bp_inside_precmd=1 __bp_inside_preexec=1
    builtin eval "$__bp_install_string"
    # In one command: its trap is there already, and sees the first of several as it was before.
    __bp_inside_precmd=0 __bp_inside_preexec=0 __bp_preexec_interactive_mode=
}
