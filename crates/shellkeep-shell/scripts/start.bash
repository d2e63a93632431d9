
# Bash was told to read this file in place of ~/.bashrc, which is read from here as ever.
if ((__shellkeep_aliases)); then \builtin shopt -s expand_aliases; fi
if [[ -r ~/.bashrc ]]; then \builtin . ~/.bashrc; fi
