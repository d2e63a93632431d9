# The user's own files, for users who want changes in them to take effect.
builtin shopt -s expand_aliases
if builtin shopt -q login_shell; then
#@ login files
else
    if [[ -r /etc/bash.bashrc ]]; then \builtin . /etc/bash.bashrc; fi
    if [[ -r ~/.bashrc ]]; then \builtin . ~/.bashrc; fi
fi
\builtin shopt -u expand_aliases
\builtin unset -v HISTFILE PROMPT_COMMAND
\builtin unset -f declare
