#!/usr/bin/env bash
# Records what tmux shows for status lines, for the tests of styled.rs: tmux inside tmux, whose screen is
# captured. Three lines for each: the width, the text, the row shown.
#
#     record.sh > recorded.txt
set -u
inner=styled-inner-$$ outer=styled-outer-$$
trap 'tmux -L $inner kill-server; tmux -L $outer kill-server' EXIT
list='#[list=left-marker]<#[list=right-marker]>#[list=on]one two #[list=focus]three#[list=on] four five six seven#[nolist]'
texts=(
  'left#[align=right]right#[align=centre]centre'
  'plain#[fg=red]a#[bold]b#[default]c#[bg=blue,underscore]d#[none]e'
  'left#[align=absolute-centre]absolute#[align=right]right and more'
  "L#[list=on align=left]${list}#[align=left]after#[align=centre]C#[align=right]R"
  "L#[list=on align=centre]${list}#[align=centre]after#[align=right]R"
  "L#[list=on align=right]${list}#[align=right]after#[align=centre]C"
  "L#[list=on align=absolute-centre]${list}#[align=centre]C#[align=right]R"
  '#[list=on align=left]one two three four five six seven eight nine#[nolist align=right]right'
  '#[list=on align=centre]one two three four five six seven eight nine#[nolist align=right]right'
  'a long left part#[align=centre]a long centre#[align=right]a long right part'
  '#[fill=blue]filled#[align=right,fg=yellow]x'
  '#[fg=red]#[push-default]a#[fg=yellow]b#[default]c#[pop-default]d#[default]e'
  '漢字漢字漢字漢字漢字#[align=right]漢字漢字漢字漢字漢字'
  'a##[b] c#[fg=red]d'
  'before#[nonsense]after'
  'before#[fg=red'
  'left#[list=on align=left]list#[nolist]after#[align=right]right#[align=centre]centre'
)
tmux -L $inner -f /dev/null -u new-session -d -x 40 -y 4 cat
tmux -L $inner set -g status-style fg=black,bg=green \; set -g status-interval 0
for cols in 40 22; do
  for text in "${texts[@]}"; do
    tmux -L $inner set -g 'status-format[0]' "$text"
    tmux -L $outer -f /dev/null -u new-session -d -x $cols -y 4 \
      "TERM=tmux-256color tmux -L $inner -u attach; cat"
    tmux -L $outer set -g status off
    # The row is there when the client has drawn it, and stays.
    for ((try = 0; try < 100; try++)); do
      row=$(tmux -L $outer capture-pane -epN -S 3 -E 3)
      [[ $row == *$'\e['*[![:space:]]* ]] && [[ $row == "${last-}" ]] && break
      last=$row
      read -rt 0.05 <> <(:)
    done
    unset last
    printf '%s\n%s\n%s\n' "$cols" "$text" "$row"
    tmux -L $outer kill-server
  done
done
