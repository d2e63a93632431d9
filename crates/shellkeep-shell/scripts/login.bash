# A login shell that was started as a POSIX shell: reads its files as bash would have.
\builtin shopt -s expand_aliases
#@ login files
