
# A shell that waits for a pane to wake: what is the same for all was read; what it becomes is told through here. Readline sets itself up at the
# first of its commands; not before 5.0, where a history that comes later would be counted wrong.
((BASH_VERSINFO[0] < 5)) || builtin bind -m emacs -x '"\e[7701;2~": __shellkeep_put "${_-}"' 2>/dev/null
builtin . "$__shellkeep_from/main"
__shellkeep_give "${__shellkeep_word-}"
