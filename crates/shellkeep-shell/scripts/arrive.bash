# The end of a start. A trap of the user's, a library that wants to be first or last, options that show or stop at what we do, a bash before 5.1:
# these get all of the integration now. What such a trap prints at each of our commands goes to the file that its text is written to: there has to be
# nothing in it.
if { [[ -z $__shellkeep_shim || ${PATH-} == "$__shellkeep_shim":* ]] || __shellkeep_set_path
    builtin unset -f __shellkeep_set_path
    [[ -n $__shellkeep_dir && $- != *[xveuT]* && ${PROMPT_COMMAND[*]-} != *__bp_* && ${PROMPT_COMMAND[*]-} != *_interactive_mode* && ${PROMPT_COMMAND@a} != *r* ]] &&
    ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)) &&
    builtin trap -p DEBUG EXIT WINCH && [[ ! -s $__shellkeep_dir/traps ]]; } 2>/dev/null >|"${__shellkeep_dir:-/dev/null}${__shellkeep_dir:+/traps}" 2>&1; then
    # Only what has to be there before the first key. Readline looks at the terminal now: the output has to be that.
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
        # Not the first, even if it is the only one: that is what a user replaces who sets it to a text.
        PROMPT_COMMAND[1]=__shellkeep_prompt
    fi
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
