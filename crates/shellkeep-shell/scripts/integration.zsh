# shellkeep's integration for zsh 5.3 and later. It is read before all files of the user, and after the system's zshenv
# only. Each function begins with `emulate`, so that the user's options and aliases have no effect in it.
typeset -g __shellkeep_dir=${SHELLKEEP_SHELL_DIR-} __shellkeep_host=${HOST-}
# `nth` counts the commands that were entered.
typeset -gi __shellkeep_ran=0 __shellkeep_last=0 __shellkeep_nth=0
typeset -g __shellkeep_half= __shellkeep_later= __shellkeep_map= __shellkeep_word=
typeset -gi __shellkeep_point=0 __shellkeep_code=0
typeset -g __shellkeep_a=$'%{\e]133;A\a%}' __shellkeep_b=$'%{\e]133;B\a%}' __shellkeep_k=$'%{\e]133;A;k=s\a%}'
# The directory in which `tmux` is this server, to be put into PATH.
typeset -g __shellkeep_shim=${SHELLKEEP_SHIM-}
builtin unset SHELLKEEP_SHELL_DIR SHELLKEEP_SHIM
# The directory of the first start-up file, if it is not the home directory. The user's files may have changed ZDOTDIR
# since.
typeset -g __shellkeep_zdotdir=${ZDOTDIR+${(qqqq)ZDOTDIR}}
# What the terminal and the session gave. A variable that differs at the time of a request was set by the user.
typeset -g __shellkeep_break=$'\n'
typeset -g __shellkeep_given=$__shellkeep_break"${DISPLAY+DISPLAY=$DISPLAY$__shellkeep_break}${STY+STY=$STY$__shellkeep_break}${TERM+TERM=$TERM$__shellkeep_break}${TERM_PROGRAM+TERM_PROGRAM=$TERM_PROGRAM$__shellkeep_break}${TERM_PROGRAM_VERSION+TERM_PROGRAM_VERSION=$TERM_PROGRAM_VERSION$__shellkeep_break}${WAYLAND_DISPLAY+WAYLAND_DISPLAY=$WAYLAND_DISPLAY$__shellkeep_break}${XAUTHORITY+XAUTHORITY=$XAUTHORITY$__shellkeep_break}${SSH_AGENT_PID+SSH_AGENT_PID=$SSH_AGENT_PID$__shellkeep_break}${SSH_ASKPASS+SSH_ASKPASS=$SSH_ASKPASS$__shellkeep_break}${SSH_AUTH_SOCK+SSH_AUTH_SOCK=$SSH_AUTH_SOCK$__shellkeep_break}${SSH_CLIENT+SSH_CLIENT=$SSH_CLIENT$__shellkeep_break}${SSH_CONNECTION+SSH_CONNECTION=$SSH_CONNECTION$__shellkeep_break}${SSH_TTY+SSH_TTY=$SSH_TTY$__shellkeep_break}${TMUX+TMUX=$TMUX$__shellkeep_break}${TMUX_PANE+TMUX_PANE=$TMUX_PANE$__shellkeep_break}"

# Sets REPLY to a text, URL-encoded byte by byte.
__shellkeep_encode() {
    builtin emulate -L zsh -o extended_glob -o no_multibyte
    builtin local MATCH MBEGIN MEND
    REPLY=${1[1,4096]//(#m)[^A-Za-z0-9\/._~,:@+=-]/%${(l:2::0:)$(([##16]#MATCH))}}
}

# Puts the shim's directory into PATH: with an argument in place of an earlier server's directory, otherwise first.
# Directories of other servers are removed.
__shellkeep_set_path() {
    builtin emulate -L zsh
    builtin local -i __shellkeep_at=1
    if [[ ${parameters[PATH]} == *readonly* || ${parameters[path]} == *readonly* ]]; then builtin return 0; fi
    if [[ -n ${1-} && -n ${(M)path:#*.tmux-shim} ]]; then __shellkeep_at=${path[(i)*.tmux-shim]}; fi
    path=("${(@)path[1,__shellkeep_at-1]}" ${__shellkeep_shim:+"$__shellkeep_shim"} "${(@)${(@)path[__shellkeep_at,-1]}:#*.tmux-shim}")
    __shellkeep_shim=
}

# Writes what the shell is doing to a file that only this shell writes: any program can print marks.
__shellkeep_say() {
    if [[ -w $__shellkeep_dir/phase ]]; then
        builtin print -rl -- "#shellkeep $__shellkeep_nth $1" "${@[2,-1]}" "#shellkeep $__shellkeep_nth end" 2>/dev/null 1<>"$__shellkeep_dir/phase"
    fi
}

# Adds a command or its end to the list of commands that the server reads.
__shellkeep_log() {
    if [[ -w $__shellkeep_dir/commands ]]; then
        builtin print -rl -- "#shellkeep $__shellkeep_nth $1" "${@[2,-1]}" "#shellkeep $__shellkeep_nth end" 2>/dev/null >>"$__shellkeep_dir/commands"
    fi
}

__shellkeep_precmd() {
    { builtin local -i __shellkeep_status=$?; builtin emulate -L zsh -o no_xtrace -o no_err_exit -o no_err_return } 2>/dev/null
    # At the first prompt, after all start-up files.
    if [[ -n $__shellkeep_shim ]]; then __shellkeep_set_path; fi
    builtin local REPLY __shellkeep_exit=
    if ((__shellkeep_ran)); then __shellkeep_exit=$__shellkeep_status; fi
    __shellkeep_say "prompt $__shellkeep_exit"
    if ((__shellkeep_ran)); then __shellkeep_log "prompt $__shellkeep_exit"; fi
    if [[ -t 1 ]]; then
        builtin print -rn -- $'\e]133;D'${__shellkeep_exit:+";$__shellkeep_exit"}$'\a'
        __shellkeep_encode "$PWD"
        builtin print -rn -- $'\e]7;file://'$__shellkeep_host$REPLY$'\a'
        # What was typed before this shell was there is sent as its modes are at the end of the prompt, and zle sets this one behind that.
        if [[ -n $__shellkeep_later && -o zle ]]; then builtin print -rn -- "${zle_bracketed_paste[1]-}"; fi
    fi
    __shellkeep_ran=0 __shellkeep_last=$__shellkeep_status
    __shellkeep_hook
    builtin return 0
}

__shellkeep_preexec() {
    { builtin local __shellkeep_space=$options[histignorespace]; builtin emulate -L zsh -o no_xtrace -o no_err_exit -o no_err_return } 2>/dev/null
    __shellkeep_ran=1
    # The server's key never came.
    __shellkeep_map=
    if [[ -n $__shellkeep_later ]]; then __shellkeep_load; fi
    __shellkeep_nth+=1
    # A line that the user keeps out of the history is not written.
    if [[ -n $1 && ! ( $1 == ' '* && $__shellkeep_space == on ) ]]; then
        __shellkeep_say runs "$1"
        __shellkeep_log runs "${PWD:#*$__shellkeep_break*}" "$1"
    else
        __shellkeep_say runs
        __shellkeep_log runs ''
    fi
    if [[ -t 1 ]]; then builtin print -rn -- $'\e]133;C\a'; fi
    builtin return 0
}

# Puts our marks around the prompts, and our hook after those that build prompts.
__shellkeep_hook() {
    if [[ ${precmd_functions[-1]-} != __shellkeep_precmd ]]; then
        precmd_functions=(${precmd_functions:#__shellkeep_precmd} __shellkeep_precmd)
    fi
    if [[ ${preexec_functions[(Ie)__shellkeep_preexec]} == 0 ]]; then
        preexec_functions+=(__shellkeep_preexec)
    fi
    __shellkeep_hook_exit
    if [[ ${parameters[PS1]} == *readonly* || ${parameters[PS2]} == *readonly* ]]; then builtin return 0; fi
    if [[ $PS1 != "$__shellkeep_a"*"$__shellkeep_b" ]]; then
        PS1=$__shellkeep_a${${PS1//$__shellkeep_a/}//$__shellkeep_b/}$__shellkeep_b
    fi
    if [[ $PS2 != "$__shellkeep_k"*"$__shellkeep_b" ]]; then
        PS2=$__shellkeep_k${${PS2//$__shellkeep_k/}//$__shellkeep_b/}$__shellkeep_b
    fi
}

__shellkeep_hook_exit() {
    if [[ ${zshexit_functions[(Ie)__shellkeep_leave]} == 0 ]]; then
        zshexit_functions+=(__shellkeep_leave)
    fi
}

# Runs before the first prompt and after all of the user's files. `precmd` runs before the hooks in the list, so ours
# can still be moved to the end. A user's own `precmd` replaces this one; then our hook stays where it is at first.
precmd() {
    builtin unfunction precmd
    precmd_functions=(${precmd_functions:#__shellkeep_precmd} __shellkeep_precmd)
}
precmd_functions+=(__shellkeep_precmd)
preexec_functions+=(__shellkeep_preexec)
zshexit_functions+=(__shellkeep_leave)

# The handler of a request. Only the line editor at the first line of a prompt answers.
TRAPURG() {
    builtin local __shellkeep_word="$_"
    if [[ -n $__shellkeep_dir && -e $__shellkeep_dir/request ]] && builtin zle; then
        # As a widget that is defined anew: syntax highlighters wrap all existing widgets in functions, and the stack
        # has to show that nothing else is running.
        builtin zle -N __shellkeep_tell && builtin zle __shellkeep_tell
    fi
    builtin return 0
}

__shellkeep_tell() {
    builtin local -A __shellkeep_options
    builtin local __shellkeep_nonce __shellkeep_purpose= __shellkeep_lists=
    __shellkeep_options=("${(@kv)options[@]}")
    builtin emulate -L zsh -o extended_glob -o no_xtrace -o no_err_exit -o no_err_return
    [[ $CONTEXT == start && ${#funcstack} -le 2 ]] || builtin return 0
    { IFS= builtin read -r __shellkeep_nonce; IFS= builtin read -r __shellkeep_purpose } <"$__shellkeep_dir/request"
    [[ -n $__shellkeep_nonce ]] || builtin return 0
    # A request is answered once, however often the signal comes. An answer to an earlier request does not count.
    builtin local __shellkeep_first=
    IFS= builtin read -r __shellkeep_first <"$__shellkeep_dir/state"
    [[ $__shellkeep_first != "#shellkeep $__shellkeep_nonce begin" ]] || builtin return 0
    # If the request comes before the key that restores the half-typed line, restore the line now, or it would be lost.
    __shellkeep_put
    # Some key maps are temporary; those for motions and regions return to vi's command map.
    builtin local __shellkeep_map=
    case $KEYMAP in
        command | isearch | listscroll | menuselect | .safe) ;;
        viopp | visual) __shellkeep_map=vicmd ;;
        *) __shellkeep_map=${(q-)KEYMAP} ;;
    esac
    builtin print -rl -- "#shellkeep $__shellkeep_nonce line" $CURSOR "$BUFFER" "#shellkeep $__shellkeep_nonce end" >|"$__shellkeep_dir/line"
    __shellkeep_begin $__shellkeep_last ${__shellkeep_map:+"map $__shellkeep_map"} >|"$__shellkeep_dir/state"
    if [[ $__shellkeep_purpose == capture ]]; then
        # A shell that goes on must not wait, so a copy in the background writes everything as it is now. Its output is
        # opened before the shell goes on, and its lists have names of their own, so a later request cannot mix with it.
        # Lines on the buffer stack are read like keys, which would stop a copy in the background, so they are written
        # first.
        __shellkeep_lists=-$__shellkeep_nonce
        ( __shellkeep_section pushed; __shellkeep_pushed; ( __shellkeep_answer ) &! ) >>"$__shellkeep_dir/state"
    else
        ( __shellkeep_answer >>"$__shellkeep_dir/state" ) 2>/dev/null
    fi
} 2>/dev/null

# Runs when the shell exits: writes its state if that is wanted and complete. Not in a function, not in a shell that has
# not read all of its state, and not if the terminal is gone, because then the server is too.
__shellkeep_leave() {
    { builtin local -i __shellkeep_status=$?; builtin local __shellkeep_word="$_" } 2>/dev/null
    [[ -s ${__shellkeep_dir:-/}/exit && $ZSH_SUBSHELL == 0 && ${#funcstack} == 1 && -z $__shellkeep_later && -t 0 ]] || builtin return 0
    builtin local -A __shellkeep_options
    __shellkeep_options=("${(@kv)options[@]}")
    builtin emulate -L zsh -o extended_glob -o no_xtrace -o no_err_exit -o no_err_return
    builtin local __shellkeep_nonce __shellkeep_lists=.exit
    { IFS= builtin read -r __shellkeep_nonce } <"$__shellkeep_dir/exit"
    {
        __shellkeep_begin $__shellkeep_status
        __shellkeep_section process
        builtin print -r -- $$
        ( __shellkeep_answer )
    } >|"$__shellkeep_dir/exit.state"
    builtin return 0
} 2>/dev/null

# The first section: facts, each on a line.
__shellkeep_begin() {
    builtin local __shellkeep_cwd=${(qq)PWD}
    if [[ $PWD == *$'\n'* ]]; then __shellkeep_cwd=${(qqqq)PWD}; fi
    builtin print -rl -- "#shellkeep $__shellkeep_nonce begin" 'shell zsh' "version $ZSH_VERSION" "status $1" "cwd $__shellkeep_cwd" ${__shellkeep_zdotdir:+"zdotdir $__shellkeep_zdotdir"} "word ${(qqqq)__shellkeep_word}" "${@[2,-1]}" "#shellkeep $__shellkeep_nonce traps"
    # A subshell has no traps.
    builtin trap
}

__shellkeep_section() {
    builtin print -r -- "#shellkeep $__shellkeep_nonce $1"
}

# Writes the whole state, in a subshell, so that nothing has to be restored.
__shellkeep_answer() {
    builtin local __shellkeep_each __shellkeep_type
    builtin local -a __shellkeep_stubs
    __shellkeep_section modules
    builtin zmodload -L
    builtin zmodload zsh/parameter zsh/zleparameter
    __shellkeep_section options
    for __shellkeep_each in ${(ok)__shellkeep_options}; do
        builtin print -r -- $__shellkeep_each $__shellkeep_options[$__shellkeep_each]
    done
    __shellkeep_section aliases
    builtin alias -L
    builtin alias -sL
    __shellkeep_section styles
    builtin zstyle -L
    __shellkeep_section umask
    builtin print -rn -- 'umask '
    builtin umask
    __shellkeep_section limits
    for __shellkeep_each in c d f l n s t u v; do
        builtin print -rn -- "$__shellkeep_each "
        builtin ulimit -S "-$__shellkeep_each"
        builtin print -rn -- "$__shellkeep_each "
        builtin ulimit -H "-$__shellkeep_each"
    done
    __shellkeep_section directories
    builtin print -r -- "dirstack=(${(@qq)dirstack})"
    builtin hash -dL
    __shellkeep_section disabled
    builtin disable
    __shellkeep_section bindings
    # Only those that the user has made.
    for __shellkeep_each in ${keymaps:#(.*|main|command|emacs|isearch|listscroll|menuselect|vicmd|viins|viopp|visual)}; do
        builtin bindkey -lL "$__shellkeep_each"
    done
    for __shellkeep_each in ${${keymaps:#main}:#.*}; do
        builtin bindkey -L -M "$__shellkeep_each"
    done
    builtin bindkey -lL main
    builtin zle -lL
    if [[ -z $__shellkeep_lists ]]; then
        __shellkeep_section pushed
        __shellkeep_pushed
    fi
    __shellkeep_section scheduled
    if builtin zmodload -e zsh/sched; then __shellkeep_scheduled; fi
    __shellkeep_variables
    __shellkeep_section history
    builtin typeset -g +r HISTFILE
    HISTFILE=
    if [[ ${parameters[SAVEHIST]} != *readonly* ]]; then SAVEHIST=${HISTSIZE:-0}; fi
    builtin setopt extended_history no_hist_save_no_dups no_hist_expire_dups_first
    builtin fc -W "$__shellkeep_dir/history$__shellkeep_lists"
    # A shell that exits has written these to its history file.
    if [[ $__shellkeep_lists != .exit ]]; then builtin fc -AI "$__shellkeep_dir/unsaved$__shellkeep_lists"; fi
    builtin unfunction -m '__shellkeep_*' TRAPURG
    builtin print -r -- "#shellkeep $__shellkeep_nonce names"
    builtin print -rl -- ${(ok)functions}
    builtin print -r -- "#shellkeep $__shellkeep_nonce autoloads"
    __shellkeep_stubs=(${(k)functions[(R)builtin autoload -X*]})
    builtin typeset -f -- $__shellkeep_stubs
    builtin print -r -- "#shellkeep $__shellkeep_nonce functions"
    builtin unfunction -- $__shellkeep_stubs
    builtin typeset -f
    builtin print -r -- "#shellkeep $__shellkeep_nonce end"
}

# The lines on the buffer stack, the last one first. An empty stack looks like an empty line, so several empty lines
# count as its end.
__shellkeep_pushed() {
    builtin local __shellkeep_each
    builtin local -a __shellkeep_lines
    builtin local -i __shellkeep_empty=0
    while ((__shellkeep_empty < 8)); do
        IFS= builtin read -rzd '' __shellkeep_each
        __shellkeep_lines+=("$__shellkeep_each")
        if [[ -n $__shellkeep_each ]]; then __shellkeep_empty=0; else __shellkeep_empty+=1; fi
    done
    __shellkeep_lines=("${(@)__shellkeep_lines[1,-9]}")
    (($#__shellkeep_lines)) && builtin print -rl -- "${(@qq)__shellkeep_lines}"
}

# Scheduled commands as `time:flags:command`. One whose time has passed runs when the shell is revived.
__shellkeep_scheduled() {
    builtin zmodload -F zsh/sched +p:zsh_scheduled_events
    for __shellkeep_each in "${(@)zsh_scheduled_events}"; do
        __shellkeep_type=${__shellkeep_each#*:}
        builtin print -r -- "sched ${__shellkeep_type%%:*} ${__shellkeep_each%%:*} ${(qq)__shellkeep_type#*:}"
    done
}

# Variables: special ones as assignments, because they cannot be declared again; all others as zsh declares them.
__shellkeep_variables() {
    PS1=${${PS1//$__shellkeep_a/}//$__shellkeep_b/}
    PS2=${${PS2//$__shellkeep_k/}//$__shellkeep_b/}
    precmd_functions=(${precmd_functions:#__shellkeep_precmd})
    preexec_functions=(${preexec_functions:#__shellkeep_preexec})
    zshexit_functions=(${zshexit_functions:#__shellkeep_leave})
    (($#precmd_functions)) || builtin unset precmd_functions
    (($#preexec_functions)) || builtin unset preexec_functions
    (($#zshexit_functions)) || builtin unset zshexit_functions
    builtin local -a __shellkeep_plain __shellkeep_hidden __shellkeep_mine __shellkeep_lines __shellkeep_floats
    # The variables of the terminal and the session that differ from what was given; with a dash those that are gone.
    for __shellkeep_each in DISPLAY STY TERM TERM_PROGRAM TERM_PROGRAM_VERSION WAYLAND_DISPLAY XAUTHORITY SSH_AGENT_PID SSH_ASKPASS SSH_AUTH_SOCK SSH_CLIENT SSH_CONNECTION SSH_TTY TMUX TMUX_PANE ${(k)parameters[(I)(SSH_|TMUX)*]}; do
        if ((!$+parameters[$__shellkeep_each])); then
            if [[ $__shellkeep_given == *$'\n'"$__shellkeep_each="* ]]; then __shellkeep_mine+=("-$__shellkeep_each"); fi
        elif [[ $__shellkeep_given != *$'\n'"$__shellkeep_each=${(P)__shellkeep_each}"$'\n'* ]]; then
            __shellkeep_mine+=("$__shellkeep_each")
        fi
    done
    __shellkeep_section own
    builtin print -rl -- $__shellkeep_mine
    __shellkeep_section special
    for __shellkeep_each __shellkeep_type in ${(kv)parameters}; do
        case $__shellkeep_type in
            *local* | undefined*) ;;
            *special*)
                __shellkeep_lines=()
                case $__shellkeep_each in
                    path | fpath | manpath | cdpath | fignore | mailpath | module_path | psvar | watch)
                        __shellkeep_lines=("$__shellkeep_each=(${(j: :)${(@qq)${(@P)__shellkeep_each}}})") ;;
                    PS[1-4] | RPS[12] | RPROMPT | RPROMPT2 | SPROMPT | WORDCHARS | LANG | LC_* | LANGUAGE | NULLCMD | READNULLCMD | POSTEDIT | HISTCHARS | IFS | KEYTIMEOUT | TERMINFO* | FCEDIT | DIRSTACKSIZE | FUNCNEST | HISTSIZE | SAVEHIST | TMPPREFIX | TIMEFMT | ZLS_COLORS | HOME | MAILCHECK | KEYBOARD_HACK | ENV | NAMED_DIRS)
                        __shellkeep_lines=("$__shellkeep_each=${(qq)${(P)__shellkeep_each}}") ;;
                    TERM) if ((${__shellkeep_mine[(Ie)TERM]})); then __shellkeep_lines=("TERM=${(qq)TERM}"); fi ;;
                    SECONDS)
                        if [[ $__shellkeep_type == float* ]]; then __shellkeep_lines=('typeset -gF SECONDS'); fi
                        __shellkeep_lines+=("SECONDS=$SECONDS") ;;
                esac
                if [[ $__shellkeep_type == *unique* ]]; then __shellkeep_lines+=("typeset -U $__shellkeep_each"); fi
                case $__shellkeep_each in
                    SHLVL | TERM | COLUMNS | LINES | _ | [a-z]*) ;;
                    *) if [[ $__shellkeep_type == *export* ]]; then __shellkeep_lines+=("export $__shellkeep_each"); fi ;;
                esac
                # A start-up file that is always read may have made it read-only, which cannot be undone. Prompts need
                # our marks.
                if [[ $__shellkeep_type == *readonly* && $__shellkeep_each != PS[12] ]] && (($#__shellkeep_lines)); then
                    __shellkeep_lines=("{ ${(j:; :)__shellkeep_lines}; typeset -gr $__shellkeep_each } always { TRY_BLOCK_ERROR=0 }")
                fi
                (($#__shellkeep_lines)) && builtin print -rl -- $__shellkeep_lines
                ;;
            float*)
                __shellkeep_plain+=("$__shellkeep_each")
                if [[ $__shellkeep_type == *hideval* ]]; then __shellkeep_hidden+=("$__shellkeep_each"); fi
                __shellkeep_float "$__shellkeep_each" "${(P)__shellkeep_each}"
                ;;
            # `typeset -p` does not show the values of these exactly.
            *hideval*)
                __shellkeep_plain+=("$__shellkeep_each")
                __shellkeep_hidden+=("$__shellkeep_each")
                ;;
            *) __shellkeep_plain+=("$__shellkeep_each") ;;
        esac
    done
    __shellkeep_section variables
    (($#__shellkeep_hidden)) && builtin typeset -g +H -- $__shellkeep_hidden
    builtin typeset -p -- ${(o)__shellkeep_plain}
    __shellkeep_section hidden
    builtin print -rl -- $__shellkeep_hidden
    __shellkeep_section floats
    builtin print -rl -- $__shellkeep_floats
}

# Records the number of digits of a number, and its exact value: `typeset -p` shows a rounded one.
__shellkeep_float() {
    case $2 in
        *e*) builtin local __shellkeep_digits=${${2%e*}//[^0-9]/} ;;
        *.*) builtin local __shellkeep_digits=${2#*.} ;;
        # Infinite.
        *) builtin return ;;
    esac
    __shellkeep_floats+=("${#__shellkeep_digits} $1=$(($1))")
}

# Restores the half-typed line, and reads what the prompt did not need.
__shellkeep_put() {
    if [[ -n $__shellkeep_half ]]; then
        BUFFER=$__shellkeep_half CURSOR=$__shellkeep_point
        __shellkeep_half=
    fi
    if [[ -n $__shellkeep_later ]] && ! __shellkeep_load; then
        builtin zle -M 'shellkeep: some functions and completions did not return'
    fi
    if [[ -n $__shellkeep_map ]]; then
        [[ $KEYMAP == "$__shellkeep_map" ]] || builtin zle -K "$__shellkeep_map"
        __shellkeep_map=
    fi
    builtin return 0
}

__shellkeep_load() {
    builtin emulate -L zsh -o no_aliases -o no_err_exit -o no_err_return -o no_xtrace
    builtin local __shellkeep_file=$__shellkeep_later
    # It is empty once everything was read.
    builtin source "$__shellkeep_file" >/dev/null 2>&1
    __shellkeep_hook_exit
    [[ -z $__shellkeep_later ]] || { __shellkeep_later=; builtin return 1 }
}

builtin zle -N __shellkeep_tell
builtin zle -N __shellkeep_put
for __shellkeep_each in emacs viins vicmd; do
    builtin bindkey -M "$__shellkeep_each" $'\e[7701;2~' __shellkeep_put
done
builtin unset __shellkeep_each
