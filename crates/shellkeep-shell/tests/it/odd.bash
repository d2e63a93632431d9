# Functions of every kind, including all that bash misprints.
h1() { cat <<E
a $x
E
}
h2() { cat <<E | tr a b
a
E
}
h3() { if cat <<E; then echo hi; fi
a
E
}
h4() { x=$(cat <<E
in $(echo hi)
E
); echo "$x"; }
h5() { while read -r line; do echo "$line"; done <<EOF && echo done
1
2
EOF
}
h6() { { cat; } <<'EOF' || { cat <<EOF; }
grp '
EOF
other
EOF
}
h7() { cat <<'E F'
quoted $x
E F
}
h8() { case x in x) cat <<E ;; esac
a
E
}
h9() { while read -r line; do :; done <<EOF | cat &
piped
EOF
}
h10() { cat; } <<E
of the function
E
h11() { inner() { cat <<E
nested
E
}; }
h12() { cat <<-E; cat <<\E
	first
	E
second $x
E
}
h13() { coproc cat <<E
r
E
}
h14() { if grep -q x <<E; then echo yes >/dev/null; echo more; else echo no; fi
the x $y
    and this
E
}
h15() { while read -r a <<'E'; do echo "$a" >&2
once
E
    if cat <<-F; then echo b 2>/dev/null; fi; done
		tabs
	F
}
p1() { case $1 in (esac) echo e;; (if) echo i;; esac; }
p2() { case $1 in (esac|fi) echo e;; in) ;& c) x ;;& *) ;; esac; }
p3() { case $1 in "a b"|'c)') : ;; @(x|y)) : ;; esac; }
o1() { coproc cat; coproc NAME { cat; }; }
o2() ( echo sub )
o3() { echo x; } >/dev/null 2>&1
o4() if true; then echo; fi
o5() [[ -n $1 ]]
o6() (( x = 1 << 2 ))
o7() for ((i=0;i<3;i++)); do echo $i; done
o8() { exec {fd}<file {fd}>&-; echo a >&2 <&- >|x <>y &>z &>>w; }
function a.b-c/d { :; }
function if { :; }
function -x { :; }
function 1a { :; }
function é { :; }
q1() { echo $'a\nb\'c' $"loc" "a\
b" 'x
y' \; \
 z; }
q2() { echo "$(echo ")")" `echo \`x\`` ${a:-"}"} ${a//\//x} "${a[@]:1:2}"; }
q3() { local -A m=([a b]=c ["x]"]=y); a=(1 'two three' $(x)); a+=([5]=x); }
q4() { [[ $x =~ ^(a b|[[:space:]]+)$ && ! -e y || ( a < b ) ]]; }
q5() { echo a & echo b; { echo c & } ; (echo d &) }
q6() { : {a,b}{1..3} ~ ~/x $((1<<2)); let 'x<<=2'; cat <<< "$x"; }
q7() { echo "a $(
 # comment with ' quote
 echo x
)"; }
z_last() { echo "I am here"; }
