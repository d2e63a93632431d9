# What the first prompt of a new shell needs. The rest of the integration is in a file of its own and is read when there is
# something to do for it: at the second prompt, at the first signal or key of ours. Reading it took most of what a start with us took
# longer than one without: so what is here is short.

# The key and the traps until then; that is how the rest knows the traps for ours. They stay until the next prompt: bash does not get over one that is set anew
# while it runs.
__shellkeep_more=@MORE@ __shellkeep_bind='"\e[7701;1~": __shellkeep_rest key "${_-}"; builtin eval "$__shellkeep_key"; builtin : "${__shellkeep_word-}"' __shellkeep_early='__shellkeep_rest trap "${_-}"; builtin eval "$__shellkeep_trap"; builtin : "${__shellkeep_word-}"' __shellkeep_early_exit='__shellkeep_rest trap "${_-}"; builtin eval "$__shellkeep_at_exit"'

# Reads the rest, which sets itself up. The status of what ran before goes through; the last word of that is given to it, and kept.
__shellkeep_rest() {
    builtin . "$__shellkeep_more" && builtin return "$__shellkeep_saved"
    # Somebody tidied that directory up. The shell goes on as one without integration.
    builtin trap - WINCH EXIT
    builtin eval "__shellkeep_at=0 __shellkeep_trap= __shellkeep_key= __shellkeep_at_exit=; __shellkeep_prompt() { builtin return 0; }; __shellkeep_again() { builtin return 0; }"
} 2>/dev/null

# In a subshell, before the first command runs, and before the next if that one has replaced PROMPT_COMMAND.
__shellkeep_command() {
    [[ ${PROMPT_COMMAND[*]-} == *__shellkeep_prompt* ]] || builtin kill -WINCH "$$"
    __shellkeep_rest && __shellkeep_command
}

# The first prompt, if there is nothing special about it: the marks, and a directory that a URL can name as it is.
__shellkeep_prompt() {
    { builtin local "__shellkeep_status=$?" "__shellkeep_flags=$-"; builtin set +xveu; } 2>/dev/null
    if [[ $__shellkeep_marked == 0 && $__shellkeep_flags != *[xveu]* && -t 1 && $PWD != *[!A-Za-z0-9/._~,:@+=-]* && ${#PWD} -lt 4096 && ${PS0-}${PS1-}${PS2-} != *133\;* && ${PS0@a}${PS1@a}${PS2@a} != *r* ]] && builtin shopt -q promptvars; then
        if [[ -w $__shellkeep_dir/phase ]]; then builtin printf '#shellkeep 0 prompt\n#shellkeep 0 end\n' 2>/dev/null 1<>"$__shellkeep_dir/phase"; fi
        builtin printf '\e]133;D\a\e]7;file://%s%s\a' "$__shellkeep_host" "$PWD"
        PS1=$__shellkeep_a${PS1-}$__shellkeep_b PS0=$__shellkeep_c${PS0-} PS2=$__shellkeep_k${PS2-}$__shellkeep_b __shellkeep_at=1 __shellkeep_marked=1 __shellkeep_seen=$HISTCMD __shellkeep_cwd=$PWD __shellkeep_path=$PWD
        if [[ ${PS1@a} != *x* ]]; then PS1=$__shellkeep_p$PS1; fi
    else
        # Not for a trap of the user's: the status is that of what ran before.
        __shellkeep_rest || builtin :
        __shellkeep_again
    fi
}
