# The end of a start. All of the integration is read now if there is a trap of the user's, a library that must be first
# or last, an option that prints our commands or stops at them, or a bash before 5.1. What such a trap prints at each of
# our commands goes to the file for the text of the traps, which therefore has to be empty.
if { [[ -z $__shellkeep_shim || ${PATH-} == "$__shellkeep_shim":* ]] || __shellkeep_set_path
    builtin unset -f __shellkeep_set_path
    [[ -n $__shellkeep_dir && $- != *[xveuT]* && ${PROMPT_COMMAND[*]-} != *__bp_* && ${PROMPT_COMMAND[*]-} != *_interactive_mode* && ${PROMPT_COMMAND@a} != *r* ]] &&
    ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)) &&
    builtin trap -p DEBUG EXIT WINCH && [[ ! -s $__shellkeep_dir/traps ]]; } 2>/dev/null >|"${__shellkeep_dir:-/dev/null}${__shellkeep_dir:+/traps}" 2>&1; then
    # Only what has to exist before the first key. Readline inspects the terminal now, so the output must be the
    # terminal.
    {
        if [[ -o vi ]]; then builtin bind -m vi-command -x "$__shellkeep_bind" && builtin bind -m vi-insert -x "$__shellkeep_bind"; else builtin bind -m emacs -x "$__shellkeep_bind"; fi || builtin :
        builtin trap -- "$__shellkeep_early" WINCH
        builtin trap -- "$__shellkeep_early_exit" EXIT
    } 2>/dev/null
    __shellkeep_bound=1 __shellkeep_kind=none
    if [[ ${PROMPT_COMMAND[*]@a} == *a* ]]; then
        __shellkeep_kind=array
        PROMPT_COMMAND+=(__shellkeep_prompt)
    else
        if [[ -v PROMPT_COMMAND ]]; then __shellkeep_kind=scalar; fi
        # Not as the first element, even if it is the only one: a user replaces the first one by assigning a plain text.
        PROMPT_COMMAND[1]=__shellkeep_prompt
    fi
else
    {
        __shellkeep_rest || :
        # bash-preexec waits for the first prompt, and would then take our commands for the user's.
        if [[ ${PROMPT_COMMAND-} == *__bp_install* && -n ${__bp_install_string-} ]]; then __shellkeep_adopt; fi
        # A DEBUG trap is for the user's commands, and must not see ours.
        [[ -n $__shellkeep_dir ]] && { builtin trap -p DEBUG >&9; builtin printf '\0' >&9; } 2>/dev/null 9<>"$__shellkeep_dir/trap" && __shellkeep_guard && builtin eval "$__shellkeep_debug" && __shellkeep_debug=
    } >/dev/null 2>&1
    __shellkeep_install
fi
