# What the first prompt of a new shell needs. The rest of the integration is in a file of its own, which is read when it
# is needed: at the second prompt, or at our first signal or key. Reading it was most of the time that a start took
# longer with the integration than without, so keep this short.

# The key and the traps until then. The rest recognises the traps as ours by these texts. They stay until the next
# prompt, because bash cannot replace a trap while it runs.
__shellkeep_more=@MORE@ __shellkeep_bind='"\e[7701;1~": __shellkeep_rest key "${_-}"; builtin eval "$__shellkeep_key"; builtin : "${__shellkeep_word-}"' __shellkeep_early='__shellkeep_rest trap "${_-}"; builtin eval "$__shellkeep_trap"; builtin : "${__shellkeep_word-}"' __shellkeep_early_exit='__shellkeep_rest trap "${_-}"; builtin eval "$__shellkeep_at_exit"'

# Reads the rest, which installs itself. It preserves the status and the last word of the command before.
__shellkeep_rest() {
    builtin . "$__shellkeep_more" && builtin return "$__shellkeep_saved"
    # The directory was removed. The shell goes on as one without the integration.
    builtin trap - WINCH EXIT
    builtin eval "__shellkeep_at=0 __shellkeep_trap= __shellkeep_key= __shellkeep_at_exit=; __shellkeep_prompt() { builtin return 0; }; __shellkeep_again() { builtin return 0; }"
} 2>/dev/null

# Runs in a subshell before the first command, and before the next one if the first has replaced PROMPT_COMMAND.
__shellkeep_command() {
    [[ ${PROMPT_COMMAND[*]-} == *__shellkeep_prompt* ]] || builtin kill -WINCH "$$"
    __shellkeep_rest && __shellkeep_command
}

# The first prompt in the simple case: writes the marks, and the directory if a URL needs no escapes for it.
__shellkeep_prompt() {
    { builtin local "__shellkeep_status=$?" "__shellkeep_flags=$-"; builtin set +xveu; } 2>/dev/null
    if [[ $__shellkeep_marked == 0 && $__shellkeep_flags != *[xveu]* && -t 1 && $PWD != *[!A-Za-z0-9/._~,:@+=-]* && ${#PWD} -lt 4096 && ${PS0-}${PS1-}${PS2-} != *133\;* && ${PS0@a}${PS1@a}${PS2@a} != *r* ]] && builtin shopt -q promptvars; then
        if [[ -w $__shellkeep_dir/phase ]]; then builtin printf '#shellkeep 0 prompt\n#shellkeep 0 end\n' 2>/dev/null 1<>"$__shellkeep_dir/phase"; fi
        builtin printf '\e]133;D\a\e]7;file://%s%s\a' "$__shellkeep_host" "$PWD"
        PS1=$__shellkeep_a${PS1-}$__shellkeep_b PS0=$__shellkeep_c${PS0-} PS2=$__shellkeep_k${PS2-}$__shellkeep_b __shellkeep_at=1 __shellkeep_marked=1 __shellkeep_seen=$HISTCMD __shellkeep_cwd=$PWD __shellkeep_path=$PWD
        if [[ ${PS1@a} != *x* ]]; then PS1=$__shellkeep_p$PS1; fi
    else
        # Not for an ERR trap of the user's: the status is that of the command before.
        __shellkeep_rest || builtin :
        __shellkeep_again
    fi
}
