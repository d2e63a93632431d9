# Whether a shell that reads this in place of ~/.bashrc would expand aliases in ~/.bashrc.
\builtin shopt -q expand_aliases && __shellkeep_aliases=1 || __shellkeep_aliases=0

#@ part files
# Bash was started to read this file in place of ~/.bashrc, which is read from here.
if ((__shellkeep_aliases)); then \builtin shopt -s expand_aliases; fi
if [[ -r ~/.bashrc ]]; then \builtin . ~/.bashrc; fi
