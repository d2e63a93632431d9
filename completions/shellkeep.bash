_shellkeep() {
    local i cur prev opts cmd
    COMPREPLY=()
    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
        cur="$2"
    else
        cur="${COMP_WORDS[COMP_CWORD]}"
    fi
    prev="$3"
    cmd=""
    opts=""

    for i in "${COMP_WORDS[@]:0:COMP_CWORD}"
    do
        case "${cmd},${i}" in
            ",$1")
                cmd="shellkeep"
                ;;
            shellkeep,attach)
                cmd="shellkeep__subcmd__attach__subcmd__session"
                ;;
            shellkeep,attach-session)
                cmd="shellkeep__subcmd__attach__subcmd__session"
                ;;
            shellkeep,capture-pane)
                cmd="shellkeep__subcmd__capture__subcmd__pane"
                ;;
            shellkeep,capturep)
                cmd="shellkeep__subcmd__capture__subcmd__pane"
                ;;
            shellkeep,detach)
                cmd="shellkeep__subcmd__detach__subcmd__client"
                ;;
            shellkeep,detach-client)
                cmd="shellkeep__subcmd__detach__subcmd__client"
                ;;
            shellkeep,has)
                cmd="shellkeep__subcmd__has__subcmd__session"
                ;;
            shellkeep,has-session)
                cmd="shellkeep__subcmd__has__subcmd__session"
                ;;
            shellkeep,kill-server)
                cmd="shellkeep__subcmd__kill__subcmd__server"
                ;;
            shellkeep,kill-session)
                cmd="shellkeep__subcmd__kill__subcmd__session"
                ;;
            shellkeep,list-commands)
                cmd="shellkeep__subcmd__list__subcmd__commands"
                ;;
            shellkeep,list-sessions)
                cmd="shellkeep__subcmd__list__subcmd__sessions"
                ;;
            shellkeep,ls)
                cmd="shellkeep__subcmd__list__subcmd__sessions"
                ;;
            shellkeep,lscm)
                cmd="shellkeep__subcmd__list__subcmd__commands"
                ;;
            shellkeep,new)
                cmd="shellkeep__subcmd__new__subcmd__session"
                ;;
            shellkeep,new-session)
                cmd="shellkeep__subcmd__new__subcmd__session"
                ;;
            shellkeep,refresh)
                cmd="shellkeep__subcmd__refresh__subcmd__client"
                ;;
            shellkeep,refresh-client)
                cmd="shellkeep__subcmd__refresh__subcmd__client"
                ;;
            shellkeep,rename)
                cmd="shellkeep__subcmd__rename__subcmd__session"
                ;;
            shellkeep,rename-session)
                cmd="shellkeep__subcmd__rename__subcmd__session"
                ;;
            shellkeep,restart-server)
                cmd="shellkeep__subcmd__restart__subcmd__server"
                ;;
            shellkeep,send)
                cmd="shellkeep__subcmd__send__subcmd__keys"
                ;;
            shellkeep,send-keys)
                cmd="shellkeep__subcmd__send__subcmd__keys"
                ;;
            shellkeep,send-prefix)
                cmd="shellkeep__subcmd__send__subcmd__prefix"
                ;;
            shellkeep,set)
                cmd="shellkeep__subcmd__set__subcmd__option"
                ;;
            shellkeep,set-option)
                cmd="shellkeep__subcmd__set__subcmd__option"
                ;;
            shellkeep,show)
                cmd="shellkeep__subcmd__show__subcmd__options"
                ;;
            shellkeep,show-options)
                cmd="shellkeep__subcmd__show__subcmd__options"
                ;;
            shellkeep,source)
                cmd="shellkeep__subcmd__source__subcmd__file"
                ;;
            shellkeep,source-file)
                cmd="shellkeep__subcmd__source__subcmd__file"
                ;;
            shellkeep,start)
                cmd="shellkeep__subcmd__start__subcmd__server"
                ;;
            shellkeep,start-server)
                cmd="shellkeep__subcmd__start__subcmd__server"
                ;;
            shellkeep,suspend-client)
                cmd="shellkeep__subcmd__suspend__subcmd__client"
                ;;
            shellkeep,suspendc)
                cmd="shellkeep__subcmd__suspend__subcmd__client"
                ;;
            *)
                ;;
        esac
    done

    case "${cmd}" in
        shellkeep)
            opts="-L -S -f -V --help attach-session attach capture-pane capturep detach-client detach has-session has kill-server kill-session list-commands lscm list-sessions ls new-session new refresh-client refresh rename-session rename restart-server send-keys send send-prefix set-option set show-options show source-file source start-server start suspend-client suspendc"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 1 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -L)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -S)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        shellkeep__subcmd__attach__subcmd__session)
            opts="-t -d -r --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -t)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        shellkeep__subcmd__capture__subcmd__pane)
            opts="-p -t -J -S -E --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -t)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -S)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -E)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        shellkeep__subcmd__detach__subcmd__client)
            opts="-t -s -a --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -t)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -s)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        shellkeep__subcmd__has__subcmd__session)
            opts="-t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -t)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        shellkeep__subcmd__kill__subcmd__server)
            opts="--help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        shellkeep__subcmd__kill__subcmd__session)
            opts="-t -a --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -t)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        shellkeep__subcmd__list__subcmd__commands)
            opts="--help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        shellkeep__subcmd__list__subcmd__sessions)
            opts="--help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        shellkeep__subcmd__new__subcmd__session)
            opts="-d -A -s -x -y -c -e --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -s)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -x)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -y)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -c)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -e)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        shellkeep__subcmd__refresh__subcmd__client)
            opts="-t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -t)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        shellkeep__subcmd__rename__subcmd__session)
            opts="-t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -t)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        shellkeep__subcmd__restart__subcmd__server)
            opts="--help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        shellkeep__subcmd__send__subcmd__keys)
            opts="-t -l -H -N -R --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -t)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -N)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        shellkeep__subcmd__send__subcmd__prefix)
            opts="-t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -t)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        shellkeep__subcmd__set__subcmd__option)
            opts="-g -s -u -q -t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -t)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        shellkeep__subcmd__show__subcmd__options)
            opts="-g -s -v -q -A -t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -t)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        shellkeep__subcmd__source__subcmd__file)
            opts="-q --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        shellkeep__subcmd__start__subcmd__server)
            opts="--help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        shellkeep__subcmd__suspend__subcmd__client)
            opts="-t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -t)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
    esac
}

if [[ "${BASH_VERSINFO[0]}" -eq 4 && "${BASH_VERSINFO[1]}" -ge 4 || "${BASH_VERSINFO[0]}" -gt 4 ]]; then
    complete -F _shellkeep -o nosort -o bashdefault -o default shellkeep
else
    complete -F _shellkeep -o bashdefault -o default shellkeep
fi
