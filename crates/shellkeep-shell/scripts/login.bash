
# A login shell that began as a POSIX shell: its files are read as bash would have read them.
__shellkeep_undo_posix
\builtin shopt -s expand_aliases
#@ login files
# bash-preexec waits for the first prompt, in the middle of which it would take ours for a command of the user's.
if [[ ${PROMPT_COMMAND-} == *__bp_install* && -n ${__bp_install_string-} ]]; then __shellkeep_adopt; fi
# A DEBUG trap waits for what the user runs: it must not see what we do.
[[ -n $__shellkeep_dir ]] && { builtin trap -p DEBUG; builtin printf '\0'; } 2>/dev/null 1<>"$__shellkeep_dir/trap" && __shellkeep_guard && builtin eval "$__shellkeep_debug" && __shellkeep_debug=
__shellkeep_install
