
# The first prompt of a revived shell: only the marks around the known prompt. The next prompt is drawn by the code that
# is read meanwhile, or that is read here if it was not.
__shellkeep_prompt() {
    if [[ $__shellkeep_marked == 0 && $PWD == "$__shellkeep_cwd" ]]; then
        if [[ -w $__shellkeep_dir/phase ]]; then builtin printf '#shellkeep 0 prompt\n#shellkeep 0 end\n' 2>/dev/null 1<>"$__shellkeep_dir/phase"; fi
        builtin printf '\e]133;D\a\e]7;file://%s%s\a' "$__shellkeep_host" "$__shellkeep_path"
        PS1=$__shellkeep_a${PS1-}$__shellkeep_b PS0=$__shellkeep_c${PS0-} PS2=$__shellkeep_k${PS2-}$__shellkeep_b
        __shellkeep_at=1 __shellkeep_marked=1 __shellkeep_seen=$HISTCMD
        if [[ ${PS1@a} != *x* ]]; then PS1=$__shellkeep_p$PS1; fi
    elif [[ -n $__shellkeep_later ]]; then
        __shellkeep_load
        __shellkeep_prompt
    fi
}
