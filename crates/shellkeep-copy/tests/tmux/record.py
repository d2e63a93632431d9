#!/usr/bin/env python3
"""Plays random copy mode commands to a real tmux and writes down what it answers.

    ./record.py SEED SEQUENCES > recording.txt

The pane is COLS x ROWS and shows text.bin. A line that begins with `#` opens a sequence and names
the key mode and the flags of copy-mode. Each other line is one command: how often, its words, a tab,
then the fields of STATE after it; a `~` stands for a field as it was after the command before, and
such fields are left off at the end. Where the paste buffer has changed, it follows as `=` and a JSON string.
"""
import json
import os
import random
import subprocess
import sys

COLS, ROWS = 40, 12
LABEL = "copyrec%d" % os.getpid()
HERE = os.path.dirname(os.path.abspath(__file__))
STATE = "|".join(
    "#{%s}" % name
    for name in (
        "pane_in_mode scroll_position copy_cursor_y copy_cursor_x selection_present selection_active "
        "selection_start_y selection_start_x selection_end_y selection_end_x rectangle_toggle "
        "search_present copy_cursor_word search_match"
    ).split()
)

MOTIONS = """back-to-indentation bottom-line cursor-down cursor-left cursor-right cursor-up end-of-line
halfpage-down halfpage-up history-bottom history-top middle-line next-matching-bracket next-paragraph next-space
next-space-end next-word next-word-end page-down page-up previous-matching-bracket previous-paragraph
previous-space previous-word scroll-down scroll-up start-of-line top-line""".split()
COMMON = """cursor-down cursor-left cursor-right cursor-up next-word next-word-end previous-word end-of-line
start-of-line next-space previous-space next-space-end next-matching-bracket previous-matching-bracket""".split()
SELECT = """begin-selection begin-selection begin-selection other-end other-end clear-selection rectangle-toggle rectangle-toggle
rectangle-on rectangle-off select-line select-word stop-selection set-mark jump-to-mark""".split()
JUMPS = "jump-backward jump-forward jump-to-backward jump-to-forward".split()
AGAIN = "jump-again jump-again jump-reverse search-again search-again search-reverse".split()
SEARCHES = """search-backward search-forward search-backward-text search-forward-text search-backward-incremental
search-forward-incremental""".split()
COPIES = """append-selection copy-end-of-line copy-line copy-pipe copy-pipe-no-clear copy-selection
copy-selection-no-clear copy-pipe-end-of-line copy-pipe-line""".split()
CANCELS = """append-selection-and-cancel cancel copy-end-of-line-and-cancel copy-line-and-cancel
copy-pipe-and-cancel copy-selection-and-cancel cursor-down-and-cancel halfpage-down-and-cancel
page-down-and-cancel scroll-down-and-cancel copy-pipe-end-of-line-and-cancel copy-pipe-line-and-cancel""".split()
PATTERNS = ["foo", "bar", "Foo", "a", "e", "zzz", "wrap", "世", "界 a", "word", "[a-z]+_b", "^fn", "o+", "^ +x", "x.y", "(", "  t",
            "x8?6", "wraps once", "the margin", "[(][)]", "wordword", "b +[a-f]", "^  [a-z]+", ""]
CHARS = ["a", "o", "(", " ", "x", "e", "世", "}", "w"]
COUNTS = [2, 3, 5, 12]


def command():
    roll = random.random()
    count = random.choice(COUNTS) if random.random() < 0.12 else 1
    if roll < 0.30:
        return count, [random.choice(COMMON)]
    if roll < 0.58:
        return count, [random.choice(MOTIONS)]
    if roll < 0.72:
        return count if random.random() < 0.3 else 1, [random.choice(SELECT)]
    if roll < 0.79:
        return count, [random.choice(JUMPS), random.choice(CHARS)]
    if roll < 0.83:
        return count, [random.choice(AGAIN)]
    if roll < 0.89:
        name = random.choice(SEARCHES)
        pattern = random.choice(PATTERNS)
        if name.endswith("incremental"):
            pattern = random.choice("=+-") + pattern
        return 1, [name, pattern]
    if roll < 0.91:
        return 1, ["goto-line", random.choice(["0", "7", "30", "9999", "x"])]
    if roll < 0.975:
        return count if random.random() < 0.3 else 1, [random.choice(COPIES)]
    return count, [random.choice(CANCELS)]


def sequence(length):
    return [command() for _ in range(length)]


def tmux(*args):
    environment = dict(os.environ, LC_ALL="C.UTF-8")
    environment.pop("TMUX", None)
    done = subprocess.run(
        ["tmux", "-u", "-L", LABEL, "-f", "/dev/null", *args], capture_output=True, timeout=60, env=environment
    )
    return done.stdout.decode()


def quote(word):
    return "'" + word.replace("'", "'\\''") + "'"


def play(flags, steps):
    script = ["set-buffer INIT", "copy-mode" + flags]
    for number, (count, words) in enumerate(steps):
        line = "send-keys -X -N %d %s" % (count, " ".join(map(quote, words)))
        script.append("if-shell -F '#{pane_in_mode}' {\n%s\n}" % line)
        script.append('display-message -p "%s"' % STATE)
        if "copy" in words[0] or "append" in words[0]:
            script.append("save-buffer /tmp/%s.copy%d" % (LABEL, number))
    path = "/tmp/%s.conf" % LABEL
    with open(path, "w") as out:
        out.write("\n".join(script) + "\n")
    answer = tmux("source-file", path, ";", "display-message", "-p", "\x02")
    tmux("copy-mode", "-q")
    return answer


def main():
    random.seed(int(sys.argv[1]))
    tmux("set", "-g", "status", "off", ";", "start-server")
    tmux("new-session", "-d", "-x", str(COLS), "-y", str(ROWS), "sleep 3000")
    tmux("set", "-g", "status", "off")
    tmux("set", "-g", "set-clipboard", "off")
    tmux("resize-window", "-x", str(COLS), "-y", str(ROWS))
    tmux("respawn-pane", "-k", "stty raw -echo; cat %s/text.bin; touch /tmp/%s.ready; exec sleep 3000" % (HERE, LABEL))
    while not os.path.exists("/tmp/%s.ready" % LABEL):
        pass
    while tmux("display-message", "-p", "#{cursor_x},#{cursor_y}").strip() != "15,11":
        pass
    try:
        for turn in range(int(sys.argv[2])):
            keys = "vi" if turn % 2 == 0 else "emacs"
            tmux("set", "-g", "mode-keys", keys)
            steps = sequence(random.randint(6, 24))
            flags = random.choice(["", "", "", "", " -e", " -u"])
            rest = play(flags, steps)
            print("# %s%s" % (keys, flags))
            last, copied = [], "INIT"
            for number, (count, words) in enumerate(steps):
                state, _, rest = rest.partition("\n")
                shown = " ".join(words) if len(words) < 2 else words[0] + " " + words[1]
                fields = state.split("|")
                short = ["~" if last[at : at + 1] == [field] else field for at, field in enumerate(fields)]
                last = fields
                while short and short[-1] == "~":
                    short.pop()
                print("%d %s\t%s" % (count, shown, "|".join(short)))
                if "copy" in words[0] or "append" in words[0]:
                    path = "/tmp/%s.copy%d" % (LABEL, number)
                    with open(path, newline="") as copy:
                        text = copy.read()
                    os.unlink(path)
                    # Only a copy of something is worth writing down again.
                    if text != copied:
                        print("= %s" % json.dumps(text, ensure_ascii=False))
                    copied = text
    finally:
        tmux("kill-server")
        for end in ("conf", "ready"):
            if os.path.exists("/tmp/%s.%s" % (LABEL, end)):
                os.unlink("/tmp/%s.%s" % (LABEL, end))


main()
