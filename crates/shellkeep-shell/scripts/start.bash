# Whether a shell that is to read this in place of ~/.bashrc would expand aliases in that.
\builtin shopt -q expand_aliases && __shellkeep_aliases=1 || __shellkeep_aliases=0

#@ part files
# Bash was told to read this file in place of ~/.bashrc, which is read from here as ever.
if ((__shellkeep_aliases)); then \builtin shopt -s expand_aliases; fi
if [[ -r ~/.bashrc ]]; then \builtin . ~/.bashrc; fi
