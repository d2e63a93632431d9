#!/usr/bin/env python3
"""Writes text.bin: what the recorded pane shows."""
import random

random.seed(11)
words = "alpha beta gamma foo bar foo-bar a_b x.y end; $HOME /usr/lib/x86 foo() [one] {two} \"quoted\" it's 100% a,b,c == != -> ::".split(" ")
lines = [
    "first line of the text",
    "",
    "fn main() {",
    "    let x = vec![1, (2 + 3), 4];",
    "    if x[0] == 1 {",
    "\tprintln!(\"{}\", x);",
    "    }",
    "}",
    "",
    "a\tb\tc",
    "\ttabbed   spaced",
    "word" * 9,
    "this line is longer than the pane is wide, so that it wraps once (and then some) at the margin",
    "世界 こんにちは wide characters, 漢字 end",
    "padding so wide wraps at the edge 12345世x界 after",
    "combining e\u0301a\u0300 done",
    "",
    "",
    "  indented paragraph",
    "  second row [of { it ( x ) } ]",
    "    third",
    "unbalanced ( [ { here",
    "}}) close",
    "   ",
    "trailing blanks   ",
    "--- === ---",
]
for n in range(48):
    if n % 11 == 10:
        lines.append("")
        continue
    lines.append(" " * random.choice([0, 0, 0, 2, 4]) + " ".join(random.choices(words, k=random.randint(1, 11))))
lines += ["", "last (but one", "prompt$ foo bar"]
# No line feed at the end: the cursor stays behind the text.
open("text.bin", "w").write("\r\n".join(lines))
