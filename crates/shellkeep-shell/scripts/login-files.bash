# The start-up files of a login shell, in bash's order.
if [[ -r /etc/profile ]]; then \builtin . /etc/profile; fi
if [[ -r ~/.bash_profile ]]; then
    \builtin . ~/.bash_profile
elif [[ -r ~/.bash_login ]]; then
    \builtin . ~/.bash_login
elif [[ -r ~/.profile ]]; then
    \builtin . ~/.profile
fi
