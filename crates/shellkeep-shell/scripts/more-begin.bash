# The begin of what a new shell reads later, from within a function: as it was written, without aliases, whatever the user has set by then.
{ __shellkeep_saved=$? __shellkeep_word=${2-}; builtin local "__shellkeep_options=$-" "__shellkeep_shopts=$BASHOPTS"; builtin set +xveu; builtin shopt -u expand_aliases; } 2>/dev/null
