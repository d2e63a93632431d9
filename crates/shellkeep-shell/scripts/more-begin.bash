# The start of the part that a new shell reads later, inside a function: without aliases, whatever the user has set.
{ __shellkeep_saved=$? __shellkeep_word=${2-}; builtin local "__shellkeep_options=$-" "__shellkeep_shopts=$BASHOPTS"; builtin set +xveu; builtin shopt -u expand_aliases; } 2>/dev/null
