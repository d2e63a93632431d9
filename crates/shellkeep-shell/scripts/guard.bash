
# Turns the DEBUG trap that was just written to a file into a command that sets it again, with a guard.
__shellkeep_guard() {
    builtin local -a __shellkeep_list
    builtin local __shellkeep_was=
    IFS= builtin read -r -d '' __shellkeep_was <"$__shellkeep_dir/trap"
    [[ -n $__shellkeep_was && $__shellkeep_was != *"$__shellkeep_guarded"* ]] || builtin return 1
    builtin eval "__shellkeep_list=($__shellkeep_was)"
    # A POSIX shell also lists traps that are not set.
    [[ ${__shellkeep_list[2]-} != - ]] || builtin return 1
    __shellkeep_was=$__shellkeep_guarded$__shellkeep_break${__shellkeep_list[2]-}$__shellkeep_break';; esac'
    builtin printf -v __shellkeep_debug 'builtin trap -- %q DEBUG' "$__shellkeep_was"
} 2>/dev/null

# Makes bash-preexec install itself now, so that its functions do not run at the first prompt as well, and it does not
# take one of our commands for the user's.
__shellkeep_adopt() {
    __bp_inside_precmd=1 __bp_inside_preexec=1
    builtin eval "$__bp_install_string"
    # In one command, because its trap is set already and runs before each command.
    __bp_inside_precmd=0 __bp_inside_preexec=0 __bp_preexec_interactive_mode=
}
