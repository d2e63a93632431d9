
# A second prompt finds that it is not the first: draws it with the code that was just read, and with the original
# status and options.
__shellkeep_again() {
    __shellkeep_saved=$__shellkeep_status
    __shellkeep_give
    __shellkeep_prompt
    {
        case $__shellkeep_flags in *e*) builtin set -e ;; esac
        case $__shellkeep_flags in *u*) builtin set -u ;; esac
        case $__shellkeep_flags in *v*) builtin set -v ;; esac
        case $__shellkeep_flags in *x*) builtin set -x ;; esac
        builtin return 0
    } 2>/dev/null
}

# Runs only once.
__shellkeep_rest() {
    __shellkeep_saved=$? __shellkeep_word=${2-}
    builtin return "$__shellkeep_saved"
}

if ((__shellkeep_bound)); then __shellkeep_install "${1-}"; fi
case :$__shellkeep_shopts: in *:expand_aliases:*) builtin shopt -s expand_aliases ;; esac
{
    case $__shellkeep_options in *e*) builtin set -e ;; esac
    case $__shellkeep_options in *u*) builtin set -u ;; esac
    case $__shellkeep_options in *v*) builtin set -v ;; esac
    case $__shellkeep_options in *x*) builtin set -x ;; esac
    builtin return 0
} 2>/dev/null
