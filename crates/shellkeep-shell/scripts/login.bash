# A login shell that began as a POSIX shell: its files are read as bash would have read them.
\builtin shopt -s expand_aliases
#@ login files
