
# A login shell that began as a POSIX shell: its files are read as bash would have read them.
__shellkeep_undo_posix
\builtin shopt -s expand_aliases
#@ login files
