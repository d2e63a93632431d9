
# A login shell that was started before it was known what for waits here to be told its pane, at a pipe that it has inherited. If nobody
# tells it, nobody wants it: it ends without what a login shell runs at its end.
\builtin . /dev/fd/@GATE@
if [[ -z $__shellkeep_dir ]]; then builtin kill -KILL "$$"; fi
