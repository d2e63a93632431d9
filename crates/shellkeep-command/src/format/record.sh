#!/bin/sh
# Asks the installed tmux what it makes of every template in tmux-3.3a.tsv, and writes the answers there.
#
#   sh crates/shellkeep-command/src/format/record.sh
#
# Lines: `set @name<TAB>value` gives a user option, `template<TAB>result` a case. To add one, write the
# template alone on a line and run this. tests.rs has the same sessions, windows and panes as are made here.
set -eu
cd "$(dirname "$0")"
export TZ=UTC LC_ALL=C.UTF-8
file=tmux-3.3a.tsv
tab=$(printf '\t')
ask() { tmux -u -L shellkeep-format -f /dev/null "$@"; }
trap 'ask kill-server 2>/dev/null || true; rm -f "$file.new"' EXIT
say='printf "hello world\nStart here\n  an [odd] line\n"; exec cat'

ask new-session -d -s alpha -n one -x 80 -y 24 cat
ask new-window -d -t alpha:1 -n two "$say"
ask new-window -d -t alpha:2 -n three cat
ask split-window -d -t alpha:two cat
ask new-session -d -s beta -n only -x 80 -y 24 cat
ask select-window -t alpha:two
ask select-pane -t alpha:two.0 -T 'a title'
until ask capture-pane -p -t alpha:two.0 | grep -q odd; do :; done

while IFS= read -r line; do
    template=${line%%"$tab"*}
    case $line in
    'set '*)
        ask set-option -g "${template#set }" "${line#*"$tab"}"
        printf '%s\n' "$line"
        ;;
    '') ;;
    *) printf '%s\t%s\n' "$template" "$(ask display-message -p -t alpha: "$template")" ;;
    esac
done <"$file" >"$file.new"
mv "$file.new" "$file"
