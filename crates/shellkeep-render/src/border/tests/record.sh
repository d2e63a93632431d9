#!/usr/bin/env bash
# Records the borders tmux draws, for the tests of border.rs: tmux inside tmux, whose screen is captured.
# For each: a line of lines, indicators, border status, index of the active pane, index of the marked
# pane or -, and the layout; then ten rows.
#
#     record.sh > recorded.txt
set -u
inner=border-inner-$$ outer=border-outer-$$
trap 'tmux -L $inner kill-server; tmux -L $outer kill-server' EXIT
tm() { tmux -L $inner "$@"; }
tm -f /dev/null -u new-session -d -x 30 -y 10 cat
tm set -g status off \; set -g pane-border-style fg=blue \; set -g pane-active-border-style fg=yellow \; \
  set -g pane-border-format '[#{pane_index}]#[fg=red]title#[align=right]r'
show() { # lines indicators status active marked splits...
  tm set -g pane-border-lines $1 \; set -g pane-border-indicators $2 \; set -g pane-border-status $3
  # A mark outlives its pane in tmux 3.3a, and may turn up on another.
  tm select-pane -M; tm new-window cat; tm kill-window -a
  for split in "${@:6}"; do tm split-window $split cat; done
  [[ $5 == - ]] || tm select-pane -m -t $5
  tm select-pane -t $4
  tmux -L $outer -f /dev/null -u new-session -d -x 30 -y 10 "TERM=tmux-256color tmux -L $inner -u attach; cat"
  tmux -L $outer set -g status off
  for ((try = 0; try < 100; try++)); do
    screen=$(tmux -L $outer capture-pane -epN)
    [[ $screen == *$'\e['* ]] && [[ $screen == "${last-}" ]] && break
    last=$screen
    read -rt 0.05 <> <(:)
  done
  unset last
  echo "$1 $2 $3 $4 $5 $(tm display -p '#{window_layout}')"
  # The shell drops empty rows at the end.
  printf '%s\n' "$screen" | awk '{ print } END { while (NR++ < 10) print "" }'
  tmux -L $outer kill-server
}
for status in off top bottom; do
  for indicators in off colour arrows both; do
    for active in 0 1; do
      show single $indicators $status $active - -h
      show single $indicators $status $active - -v
    done
    for active in 0 1 2; do
      show single $indicators $status $active - -h -v
    done
    show single $indicators $status 1 - -v -h -hb
    show single $indicators $status 3 0 -h '-v -t 0' '-v -t 2'
  done
done
for lines in double heavy simple number; do
  show $lines colour off 1 - -h -v -h
  show $lines both top 1 1 -h -v '-v -f'
done
