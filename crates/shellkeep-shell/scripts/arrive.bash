# The end of a start. A trap of the user's, a library that wants to be first or last, options that show or stop at what we do, a bash before 5.1:
# these get all of the integration now. What such a trap prints at each of our commands goes nowhere, least of all into the file.
if { [[ -n $__shellkeep_dir && $- != *[xveuT]* && ${PROMPT_COMMAND[*]-} != *__bp_* && ${PROMPT_COMMAND[*]-} != *_interactive_mode* && ${PROMPT_COMMAND@a} != *r* ]] &&
    ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)) &&
    { builtin trap -p DEBUG WINCH >&9; builtin printf '\0' >&9; } 2>/dev/null 9<>"$__shellkeep_dir/trap" &&
    IFS= builtin read -r -d '' __shellkeep_traps 2>/dev/null <"$__shellkeep_dir/trap" && [[ -z $__shellkeep_traps ]]; } >/dev/null 2>&1; then
    __shellkeep_settle
else
    {
        __shellkeep_rest || :
        # bash-preexec waits for the first prompt, in the middle of which it would take ours for a command of the user's.
        if [[ ${PROMPT_COMMAND-} == *__bp_install* && -n ${__bp_install_string-} ]]; then __shellkeep_adopt; fi
        # A DEBUG trap waits for what the user runs: it must not see what we do.
        [[ -n $__shellkeep_dir ]] && { builtin trap -p DEBUG >&9; builtin printf '\0' >&9; } 2>/dev/null 9<>"$__shellkeep_dir/trap" && __shellkeep_guard && builtin eval "$__shellkeep_debug" && __shellkeep_debug=
    } >/dev/null 2>&1
    __shellkeep_install
fi
