#!/usr/bin/env bash
# Records what tmux does with random layouts, for the test in recorded.rs:
#
#     record.sh > recorded.txt
#
# What is kept here are the windows of two runs, SEED=7 and SEED=99.
#
# A line `new` begins a window: its size, pane-border-status, main-pane-height and -width,
# other-pane-height and -width. Then a line for each command: the command, tab, the layout afterwards,
# tab, the active pane. The last line of a window says where its panes are, in their order. The panes run
# no program, so nothing here waits or depends on time.
set -u
RANDOM=${SEED:-7}
label=layout-record-$$
work=$(mktemp)
# On some sizes tmux 3.3a loops for ever or ends; such a window is left out, and a new server started.
tm() { timeout 2 tmux -L "$label" -f /dev/null "$@"; }
start() { tm new-session -d -x 80 -y 24 -s base cat; server=$(tm display -p '#{pid}'); }
trap 'kill -9 "$server" 2>/dev/null; rm -f "$work"' EXIT
start

pick() { local n=$((RANDOM % $# + 1)); echo "${!n}"; }
panes() { tm display -p '#{P:#{pane_id} }'; }
size() { pick "" "" "-l $((RANDOM % 30))" "-l $((RANDOM % 100))%"; }

command_for() {
  local all earlier
  all=$(panes)
  case $((RANDOM % 26)) in
    0|1|2|3|4|5|6|7) echo "split-window $(pick -h -v) $(size) $(pick "" "" -b) $(pick "" "" "" -f)" ;;
    8|9) echo "kill-pane -t $(pick $all)" ;;
    10|11) echo "resize-pane -t $(pick $all) $(pick -L -R -U -D) $((RANDOM % 12 + 1))" ;;
    12) echo "resize-pane -t $(pick $all) $(pick -x -y) $((RANDOM % 40 + 1))" ;;
    13) echo "resize-pane -t $(pick $all) $(pick -x -y) $((RANDOM % 100))%" ;;
    14) echo "resize-window -x $((RANDOM % 120 + 1)) -y $((RANDOM % 50 + 1))" ;;
    15|16) echo "select-layout $(pick even-horizontal even-vertical main-horizontal main-vertical tiled)" ;;
    17) echo "select-layout -E" ;;
    18) earlier=(${layouts[@]}); echo "select-layout $(pick ${earlier[@]})" ;;
    19) echo "swap-pane -s $(pick $all) -t $(pick $all)" ;;
    20) echo "rotate-window $(pick -U -D)" ;;
    21) echo "join-pane -s $(pick $all) -t $(pick $all) $(pick -h -v) $(size) $(pick "" -b) $(pick "" -f)" ;;
    *) echo "select-pane $(pick -L -R -U -D)" ;;
  esac
}

record_window() {
  local rows cols status sizes step command now
  rows=$(pick 24 24 50 12 7); cols=$(pick 80 80 132 40 9)
  status=$(pick off off off top bottom)
  sizes="$(pick 24 10 3 60%) $(pick 80 20 5 30%) $(pick 0 0 4 50%) $(pick 0 0 30 80%)"
  tm new-window cat; tm kill-window -a
  read -r main_height main_width other_height other_width <<<"$sizes"
  tm set -w pane-border-status "$status" \; set -w main-pane-height "$main_height" \; \
    set -w main-pane-width "$main_width" \; set -w other-pane-height "$other_height" \; \
    set -w other-pane-width "$other_width" \; resize-window -x "$cols" -y "$rows"
  layouts=($(tm display -p '#{window_layout}'))
  echo "new $rows $cols $status $sizes $(panes)"
  for ((step = 0; step < ${STEPS:-14}; step++)); do
    command=$(command_for | tr -s ' ' | sed 's/ $//')
    case $command in
      split-window*) tm $command '' 2>/dev/null; (($? != 124)) || return 1 ;;
      # The last pane would take the window with it.
      kill-pane*) (($(panes | wc -w) > 1)) || continue; tm $command; (($? != 124)) || return 1 ;;
      *) tm $command 2>/dev/null; (($? != 124)) || return 1 ;;
    esac
    now=$(tm display -p $'#{window_layout}\t#{pane_id}') || return 1
    printf '%s\t%s\n' "$command" "$now"
    layouts+=("${now%%$'\t'*}")
  done
  tm display -p 'panes #{P:#{pane_id}@#{pane_top}/#{pane_left}/#{pane_height}/#{pane_width} }'
}

for ((window = 0; window < ${WINDOWS:-240}; window++)); do
  if record_window > "$work"; then
    cat "$work"
  else
    kill -9 "$server" 2>/dev/null
    start
  fi
done
