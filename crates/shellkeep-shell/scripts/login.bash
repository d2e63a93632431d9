
# A login shell that began as a POSIX shell: its files are read as bash would have read them.
__shellkeep_undo_posix
\builtin shopt -s expand_aliases
if [[ -r /etc/profile ]]; then \builtin . /etc/profile; fi
if [[ -r ~/.bash_profile ]]; then
    \builtin . ~/.bash_profile
elif [[ -r ~/.bash_login ]]; then
    \builtin . ~/.bash_login
elif [[ -r ~/.profile ]]; then
    \builtin . ~/.profile
fi
__shellkeep_install
