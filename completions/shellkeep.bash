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
            shellkeep,archive)
                cmd="shellkeep__subcmd__archive"
                ;;
            shellkeep,attach)
                cmd="shellkeep__subcmd__attach__subcmd__session"
                ;;
            shellkeep,attach-session)
                cmd="shellkeep__subcmd__attach__subcmd__session"
                ;;
            shellkeep,bind)
                cmd="shellkeep__subcmd__bind__subcmd__key"
                ;;
            shellkeep,bind-key)
                cmd="shellkeep__subcmd__bind__subcmd__key"
                ;;
            shellkeep,break-pane)
                cmd="shellkeep__subcmd__break__subcmd__pane"
                ;;
            shellkeep,breakp)
                cmd="shellkeep__subcmd__break__subcmd__pane"
                ;;
            shellkeep,capture-pane)
                cmd="shellkeep__subcmd__capture__subcmd__pane"
                ;;
            shellkeep,capturep)
                cmd="shellkeep__subcmd__capture__subcmd__pane"
                ;;
            shellkeep,choose-buffer)
                cmd="shellkeep__subcmd__choose__subcmd__buffer"
                ;;
            shellkeep,choose-client)
                cmd="shellkeep__subcmd__choose__subcmd__client"
                ;;
            shellkeep,choose-tree)
                cmd="shellkeep__subcmd__choose__subcmd__tree"
                ;;
            shellkeep,clear-history)
                cmd="shellkeep__subcmd__clear__subcmd__history"
                ;;
            shellkeep,clear-prompt-history)
                cmd="shellkeep__subcmd__clear__subcmd__prompt__subcmd__history"
                ;;
            shellkeep,clearhist)
                cmd="shellkeep__subcmd__clear__subcmd__history"
                ;;
            shellkeep,clearphist)
                cmd="shellkeep__subcmd__clear__subcmd__prompt__subcmd__history"
                ;;
            shellkeep,clock-mode)
                cmd="shellkeep__subcmd__clock__subcmd__mode"
                ;;
            shellkeep,command-prompt)
                cmd="shellkeep__subcmd__command__subcmd__prompt"
                ;;
            shellkeep,confirm)
                cmd="shellkeep__subcmd__confirm__subcmd__before"
                ;;
            shellkeep,confirm-before)
                cmd="shellkeep__subcmd__confirm__subcmd__before"
                ;;
            shellkeep,copy-mode)
                cmd="shellkeep__subcmd__copy__subcmd__mode"
                ;;
            shellkeep,customize-mode)
                cmd="shellkeep__subcmd__customize__subcmd__mode"
                ;;
            shellkeep,delete-buffer)
                cmd="shellkeep__subcmd__delete__subcmd__buffer"
                ;;
            shellkeep,deleteb)
                cmd="shellkeep__subcmd__delete__subcmd__buffer"
                ;;
            shellkeep,detach)
                cmd="shellkeep__subcmd__detach__subcmd__client"
                ;;
            shellkeep,detach-client)
                cmd="shellkeep__subcmd__detach__subcmd__client"
                ;;
            shellkeep,display)
                cmd="shellkeep__subcmd__display__subcmd__message"
                ;;
            shellkeep,display-menu)
                cmd="shellkeep__subcmd__display__subcmd__menu"
                ;;
            shellkeep,display-message)
                cmd="shellkeep__subcmd__display__subcmd__message"
                ;;
            shellkeep,display-panes)
                cmd="shellkeep__subcmd__display__subcmd__panes"
                ;;
            shellkeep,display-popup)
                cmd="shellkeep__subcmd__display__subcmd__popup"
                ;;
            shellkeep,displayp)
                cmd="shellkeep__subcmd__display__subcmd__panes"
                ;;
            shellkeep,doctor)
                cmd="shellkeep__subcmd__doctor"
                ;;
            shellkeep,find-window)
                cmd="shellkeep__subcmd__find__subcmd__window"
                ;;
            shellkeep,findw)
                cmd="shellkeep__subcmd__find__subcmd__window"
                ;;
            shellkeep,forget)
                cmd="shellkeep__subcmd__forget"
                ;;
            shellkeep,has)
                cmd="shellkeep__subcmd__has__subcmd__session"
                ;;
            shellkeep,has-session)
                cmd="shellkeep__subcmd__has__subcmd__session"
                ;;
            shellkeep,hibernate)
                cmd="shellkeep__subcmd__hibernate"
                ;;
            shellkeep,history)
                cmd="shellkeep__subcmd__history"
                ;;
            shellkeep,if)
                cmd="shellkeep__subcmd__if__subcmd__shell"
                ;;
            shellkeep,if-shell)
                cmd="shellkeep__subcmd__if__subcmd__shell"
                ;;
            shellkeep,join-pane)
                cmd="shellkeep__subcmd__join__subcmd__pane"
                ;;
            shellkeep,joinp)
                cmd="shellkeep__subcmd__join__subcmd__pane"
                ;;
            shellkeep,kill-pane)
                cmd="shellkeep__subcmd__kill__subcmd__pane"
                ;;
            shellkeep,kill-server)
                cmd="shellkeep__subcmd__kill__subcmd__server"
                ;;
            shellkeep,kill-session)
                cmd="shellkeep__subcmd__kill__subcmd__session"
                ;;
            shellkeep,kill-window)
                cmd="shellkeep__subcmd__kill__subcmd__window"
                ;;
            shellkeep,killp)
                cmd="shellkeep__subcmd__kill__subcmd__pane"
                ;;
            shellkeep,killw)
                cmd="shellkeep__subcmd__kill__subcmd__window"
                ;;
            shellkeep,last)
                cmd="shellkeep__subcmd__last__subcmd__window"
                ;;
            shellkeep,last-pane)
                cmd="shellkeep__subcmd__last__subcmd__pane"
                ;;
            shellkeep,last-window)
                cmd="shellkeep__subcmd__last__subcmd__window"
                ;;
            shellkeep,lastp)
                cmd="shellkeep__subcmd__last__subcmd__pane"
                ;;
            shellkeep,link-window)
                cmd="shellkeep__subcmd__link__subcmd__window"
                ;;
            shellkeep,linkw)
                cmd="shellkeep__subcmd__link__subcmd__window"
                ;;
            shellkeep,list-buffers)
                cmd="shellkeep__subcmd__list__subcmd__buffers"
                ;;
            shellkeep,list-clients)
                cmd="shellkeep__subcmd__list__subcmd__clients"
                ;;
            shellkeep,list-commands)
                cmd="shellkeep__subcmd__list__subcmd__commands"
                ;;
            shellkeep,list-keys)
                cmd="shellkeep__subcmd__list__subcmd__keys"
                ;;
            shellkeep,list-panes)
                cmd="shellkeep__subcmd__list__subcmd__panes"
                ;;
            shellkeep,list-sessions)
                cmd="shellkeep__subcmd__list__subcmd__sessions"
                ;;
            shellkeep,list-windows)
                cmd="shellkeep__subcmd__list__subcmd__windows"
                ;;
            shellkeep,load-buffer)
                cmd="shellkeep__subcmd__load__subcmd__buffer"
                ;;
            shellkeep,loadb)
                cmd="shellkeep__subcmd__load__subcmd__buffer"
                ;;
            shellkeep,lock)
                cmd="shellkeep__subcmd__lock__subcmd__server"
                ;;
            shellkeep,lock-client)
                cmd="shellkeep__subcmd__lock__subcmd__client"
                ;;
            shellkeep,lock-server)
                cmd="shellkeep__subcmd__lock__subcmd__server"
                ;;
            shellkeep,lock-session)
                cmd="shellkeep__subcmd__lock__subcmd__session"
                ;;
            shellkeep,lockc)
                cmd="shellkeep__subcmd__lock__subcmd__client"
                ;;
            shellkeep,locks)
                cmd="shellkeep__subcmd__lock__subcmd__session"
                ;;
            shellkeep,ls)
                cmd="shellkeep__subcmd__list__subcmd__sessions"
                ;;
            shellkeep,lsb)
                cmd="shellkeep__subcmd__list__subcmd__buffers"
                ;;
            shellkeep,lsc)
                cmd="shellkeep__subcmd__list__subcmd__clients"
                ;;
            shellkeep,lscm)
                cmd="shellkeep__subcmd__list__subcmd__commands"
                ;;
            shellkeep,lsk)
                cmd="shellkeep__subcmd__list__subcmd__keys"
                ;;
            shellkeep,lsp)
                cmd="shellkeep__subcmd__list__subcmd__panes"
                ;;
            shellkeep,lsw)
                cmd="shellkeep__subcmd__list__subcmd__windows"
                ;;
            shellkeep,menu)
                cmd="shellkeep__subcmd__display__subcmd__menu"
                ;;
            shellkeep,move-pane)
                cmd="shellkeep__subcmd__move__subcmd__pane"
                ;;
            shellkeep,move-window)
                cmd="shellkeep__subcmd__move__subcmd__window"
                ;;
            shellkeep,movep)
                cmd="shellkeep__subcmd__move__subcmd__pane"
                ;;
            shellkeep,movew)
                cmd="shellkeep__subcmd__move__subcmd__window"
                ;;
            shellkeep,new)
                cmd="shellkeep__subcmd__new__subcmd__session"
                ;;
            shellkeep,new-session)
                cmd="shellkeep__subcmd__new__subcmd__session"
                ;;
            shellkeep,new-window)
                cmd="shellkeep__subcmd__new__subcmd__window"
                ;;
            shellkeep,neww)
                cmd="shellkeep__subcmd__new__subcmd__window"
                ;;
            shellkeep,next)
                cmd="shellkeep__subcmd__next__subcmd__window"
                ;;
            shellkeep,next-layout)
                cmd="shellkeep__subcmd__next__subcmd__layout"
                ;;
            shellkeep,next-window)
                cmd="shellkeep__subcmd__next__subcmd__window"
                ;;
            shellkeep,nextl)
                cmd="shellkeep__subcmd__next__subcmd__layout"
                ;;
            shellkeep,output)
                cmd="shellkeep__subcmd__output"
                ;;
            shellkeep,paste-buffer)
                cmd="shellkeep__subcmd__paste__subcmd__buffer"
                ;;
            shellkeep,pasteb)
                cmd="shellkeep__subcmd__paste__subcmd__buffer"
                ;;
            shellkeep,pin)
                cmd="shellkeep__subcmd__pin"
                ;;
            shellkeep,pipe-pane)
                cmd="shellkeep__subcmd__pipe__subcmd__pane"
                ;;
            shellkeep,pipep)
                cmd="shellkeep__subcmd__pipe__subcmd__pane"
                ;;
            shellkeep,popup)
                cmd="shellkeep__subcmd__display__subcmd__popup"
                ;;
            shellkeep,prev)
                cmd="shellkeep__subcmd__previous__subcmd__window"
                ;;
            shellkeep,previous-layout)
                cmd="shellkeep__subcmd__previous__subcmd__layout"
                ;;
            shellkeep,previous-window)
                cmd="shellkeep__subcmd__previous__subcmd__window"
                ;;
            shellkeep,prevl)
                cmd="shellkeep__subcmd__previous__subcmd__layout"
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
            shellkeep,rename-window)
                cmd="shellkeep__subcmd__rename__subcmd__window"
                ;;
            shellkeep,renamew)
                cmd="shellkeep__subcmd__rename__subcmd__window"
                ;;
            shellkeep,reopen)
                cmd="shellkeep__subcmd__reopen"
                ;;
            shellkeep,resize-pane)
                cmd="shellkeep__subcmd__resize__subcmd__pane"
                ;;
            shellkeep,resize-window)
                cmd="shellkeep__subcmd__resize__subcmd__window"
                ;;
            shellkeep,resizep)
                cmd="shellkeep__subcmd__resize__subcmd__pane"
                ;;
            shellkeep,resizew)
                cmd="shellkeep__subcmd__resize__subcmd__window"
                ;;
            shellkeep,respawn-pane)
                cmd="shellkeep__subcmd__respawn__subcmd__pane"
                ;;
            shellkeep,respawn-window)
                cmd="shellkeep__subcmd__respawn__subcmd__window"
                ;;
            shellkeep,respawnp)
                cmd="shellkeep__subcmd__respawn__subcmd__pane"
                ;;
            shellkeep,respawnw)
                cmd="shellkeep__subcmd__respawn__subcmd__window"
                ;;
            shellkeep,restart-server)
                cmd="shellkeep__subcmd__restart__subcmd__server"
                ;;
            shellkeep,restore)
                cmd="shellkeep__subcmd__restore"
                ;;
            shellkeep,rotate-window)
                cmd="shellkeep__subcmd__rotate__subcmd__window"
                ;;
            shellkeep,rotatew)
                cmd="shellkeep__subcmd__rotate__subcmd__window"
                ;;
            shellkeep,run)
                cmd="shellkeep__subcmd__run__subcmd__shell"
                ;;
            shellkeep,run-shell)
                cmd="shellkeep__subcmd__run__subcmd__shell"
                ;;
            shellkeep,save-buffer)
                cmd="shellkeep__subcmd__save__subcmd__buffer"
                ;;
            shellkeep,saveb)
                cmd="shellkeep__subcmd__save__subcmd__buffer"
                ;;
            shellkeep,search)
                cmd="shellkeep__subcmd__search"
                ;;
            shellkeep,select-layout)
                cmd="shellkeep__subcmd__select__subcmd__layout"
                ;;
            shellkeep,select-pane)
                cmd="shellkeep__subcmd__select__subcmd__pane"
                ;;
            shellkeep,select-window)
                cmd="shellkeep__subcmd__select__subcmd__window"
                ;;
            shellkeep,selectl)
                cmd="shellkeep__subcmd__select__subcmd__layout"
                ;;
            shellkeep,selectp)
                cmd="shellkeep__subcmd__select__subcmd__pane"
                ;;
            shellkeep,selectw)
                cmd="shellkeep__subcmd__select__subcmd__window"
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
            shellkeep,server-access)
                cmd="shellkeep__subcmd__server__subcmd__access"
                ;;
            shellkeep,set)
                cmd="shellkeep__subcmd__set__subcmd__option"
                ;;
            shellkeep,set-buffer)
                cmd="shellkeep__subcmd__set__subcmd__buffer"
                ;;
            shellkeep,set-environment)
                cmd="shellkeep__subcmd__set__subcmd__environment"
                ;;
            shellkeep,set-hook)
                cmd="shellkeep__subcmd__set__subcmd__hook"
                ;;
            shellkeep,set-option)
                cmd="shellkeep__subcmd__set__subcmd__option"
                ;;
            shellkeep,set-window-option)
                cmd="shellkeep__subcmd__set__subcmd__window__subcmd__option"
                ;;
            shellkeep,setb)
                cmd="shellkeep__subcmd__set__subcmd__buffer"
                ;;
            shellkeep,setenv)
                cmd="shellkeep__subcmd__set__subcmd__environment"
                ;;
            shellkeep,setw)
                cmd="shellkeep__subcmd__set__subcmd__window__subcmd__option"
                ;;
            shellkeep,show)
                cmd="shellkeep__subcmd__show__subcmd__options"
                ;;
            shellkeep,show-buffer)
                cmd="shellkeep__subcmd__show__subcmd__buffer"
                ;;
            shellkeep,show-environment)
                cmd="shellkeep__subcmd__show__subcmd__environment"
                ;;
            shellkeep,show-hooks)
                cmd="shellkeep__subcmd__show__subcmd__hooks"
                ;;
            shellkeep,show-messages)
                cmd="shellkeep__subcmd__show__subcmd__messages"
                ;;
            shellkeep,show-options)
                cmd="shellkeep__subcmd__show__subcmd__options"
                ;;
            shellkeep,show-prompt-history)
                cmd="shellkeep__subcmd__show__subcmd__prompt__subcmd__history"
                ;;
            shellkeep,show-window-options)
                cmd="shellkeep__subcmd__show__subcmd__window__subcmd__options"
                ;;
            shellkeep,showb)
                cmd="shellkeep__subcmd__show__subcmd__buffer"
                ;;
            shellkeep,showenv)
                cmd="shellkeep__subcmd__show__subcmd__environment"
                ;;
            shellkeep,showmsgs)
                cmd="shellkeep__subcmd__show__subcmd__messages"
                ;;
            shellkeep,showphist)
                cmd="shellkeep__subcmd__show__subcmd__prompt__subcmd__history"
                ;;
            shellkeep,showw)
                cmd="shellkeep__subcmd__show__subcmd__window__subcmd__options"
                ;;
            shellkeep,sleep)
                cmd="shellkeep__subcmd__hibernate"
                ;;
            shellkeep,source)
                cmd="shellkeep__subcmd__source__subcmd__file"
                ;;
            shellkeep,source-file)
                cmd="shellkeep__subcmd__source__subcmd__file"
                ;;
            shellkeep,split-window)
                cmd="shellkeep__subcmd__split__subcmd__window"
                ;;
            shellkeep,splitw)
                cmd="shellkeep__subcmd__split__subcmd__window"
                ;;
            shellkeep,start)
                cmd="shellkeep__subcmd__start__subcmd__server"
                ;;
            shellkeep,start-server)
                cmd="shellkeep__subcmd__start__subcmd__server"
                ;;
            shellkeep,stats)
                cmd="shellkeep__subcmd__stats"
                ;;
            shellkeep,suspend-client)
                cmd="shellkeep__subcmd__suspend__subcmd__client"
                ;;
            shellkeep,suspendc)
                cmd="shellkeep__subcmd__suspend__subcmd__client"
                ;;
            shellkeep,swap-pane)
                cmd="shellkeep__subcmd__swap__subcmd__pane"
                ;;
            shellkeep,swap-window)
                cmd="shellkeep__subcmd__swap__subcmd__window"
                ;;
            shellkeep,swapp)
                cmd="shellkeep__subcmd__swap__subcmd__pane"
                ;;
            shellkeep,swapw)
                cmd="shellkeep__subcmd__swap__subcmd__window"
                ;;
            shellkeep,switch-client)
                cmd="shellkeep__subcmd__switch__subcmd__client"
                ;;
            shellkeep,switchc)
                cmd="shellkeep__subcmd__switch__subcmd__client"
                ;;
            shellkeep,tag)
                cmd="shellkeep__subcmd__tag"
                ;;
            shellkeep,tmux-shim)
                cmd="shellkeep__subcmd__tmux__subcmd__shim"
                ;;
            shellkeep,unbind)
                cmd="shellkeep__subcmd__unbind__subcmd__key"
                ;;
            shellkeep,unbind-key)
                cmd="shellkeep__subcmd__unbind__subcmd__key"
                ;;
            shellkeep,unlink-window)
                cmd="shellkeep__subcmd__unlink__subcmd__window"
                ;;
            shellkeep,unlinkw)
                cmd="shellkeep__subcmd__unlink__subcmd__window"
                ;;
            shellkeep,wait)
                cmd="shellkeep__subcmd__wait__subcmd__for"
                ;;
            shellkeep,wait-for)
                cmd="shellkeep__subcmd__wait__subcmd__for"
                ;;
            shellkeep,wake)
                cmd="shellkeep__subcmd__restore"
                ;;
            *)
                ;;
        esac
    done

    case "${cmd}" in
        shellkeep)
            opts="-L -S -f -C -D -v -2 -T -u -N -l -V -h --version --help archive attach-session attach bind-key bind break-pane breakp capture-pane capturep choose-buffer choose-client choose-tree clear-history clearhist clear-prompt-history clearphist clock-mode command-prompt confirm-before confirm copy-mode customize-mode delete-buffer deleteb detach-client detach display-menu menu display-message display display-panes displayp display-popup popup doctor find-window findw forget has-session has hibernate sleep history if-shell if join-pane joinp kill-pane killp kill-server kill-session kill-window killw last-pane lastp last-window last link-window linkw list-buffers lsb list-clients lsc list-commands lscm list-keys lsk list-panes lsp list-sessions ls list-windows lsw load-buffer loadb lock-client lockc lock-server lock lock-session locks move-pane movep move-window movew new-session new new-window neww next-layout nextl next-window next output paste-buffer pasteb pin pipe-pane pipep previous-layout prevl previous-window prev refresh-client refresh rename-session rename rename-window renamew reopen resize-pane resizep resize-window resizew respawn-pane respawnp respawn-window respawnw restart-server restore wake rotate-window rotatew run-shell run save-buffer saveb search select-layout selectl select-pane selectp select-window selectw send-keys send send-prefix server-access set-buffer setb set-environment setenv set-hook set-option set set-window-option setw show-buffer showb show-environment showenv show-hooks show-messages showmsgs show-options show show-prompt-history showphist show-window-options showw source-file source split-window splitw start-server start stats suspend-client suspendc swap-pane swapp swap-window swapw switch-client switchc tag tmux-shim unbind-key unbind unlink-window unlinkw wait-for wait"
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
                -T)
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
        shellkeep__subcmd__archive)
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
        shellkeep__subcmd__attach__subcmd__session)
            opts="-d -E -r -x -c -f -t --native --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -c)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
        shellkeep__subcmd__bind__subcmd__key)
            opts="-n -r -T -N --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -T)
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
        shellkeep__subcmd__break__subcmd__pane)
            opts="-a -b -d -P -F -n -s -t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -F)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -n)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -s)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
            opts="-a -C -e -J -N -p -P -q -b -E -S -t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -b)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -E)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -S)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
        shellkeep__subcmd__choose__subcmd__buffer)
            opts="-N -r -Z -F -f -K -O -t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -F)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -K)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -O)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
        shellkeep__subcmd__choose__subcmd__client)
            opts="-N -r -Z -F -f -K -O -t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -F)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -K)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -O)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
        shellkeep__subcmd__choose__subcmd__tree)
            opts="-G -N -r -s -w -Z -F -f -K -O -t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -F)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -K)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -O)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
        shellkeep__subcmd__clear__subcmd__history)
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
        shellkeep__subcmd__clear__subcmd__prompt__subcmd__history)
            opts="-T --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -T)
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
        shellkeep__subcmd__clock__subcmd__mode)
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
        shellkeep__subcmd__command__subcmd__prompt)
            opts="-1 -b -F -k -i -N -I -p -t -T --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -I)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -p)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -t)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -T)
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
        shellkeep__subcmd__confirm__subcmd__before)
            opts="-b -p -t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -p)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
        shellkeep__subcmd__copy__subcmd__mode)
            opts="-e -H -M -u -q -s -t --line --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --line)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -s)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
        shellkeep__subcmd__customize__subcmd__mode)
            opts="-N -Z -F -f -t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -F)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
        shellkeep__subcmd__delete__subcmd__buffer)
            opts="-b --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -b)
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
            opts="-a -P -E -s -t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -E)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -s)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
        shellkeep__subcmd__display__subcmd__menu)
            opts="-O -c -t -T -x -y --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -c)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -t)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -T)
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
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        shellkeep__subcmd__display__subcmd__message)
            opts="-a -I -N -p -v -c -d -F -t --json --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -c)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -d)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -F)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
        shellkeep__subcmd__display__subcmd__panes)
            opts="-b -N -d -t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -d)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
        shellkeep__subcmd__display__subcmd__popup)
            opts="-B -C -E -b -c -d -e -h -s -S -t -T -w -x -y --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -b)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -c)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -d)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -e)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -h)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -s)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -S)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -t)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -T)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -w)
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
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        shellkeep__subcmd__doctor)
            opts="-y --json --rebuild --unit --help"
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
        shellkeep__subcmd__find__subcmd__window)
            opts="-C -i -N -r -T -Z -t --help"
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
        shellkeep__subcmd__forget)
            opts="-y -t --help"
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
        shellkeep__subcmd__hibernate)
            opts="-a -t --force --idle --tag --dry-run --json --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --idle)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --tag)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
        shellkeep__subcmd__history)
            opts="-a -F -n -t --by --cwd --exit --json --longer-than --since --tag --until --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -F)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -n)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -t)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --by)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --cwd)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --exit)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --longer-than)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --since)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --tag)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --until)
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
        shellkeep__subcmd__if__subcmd__shell)
            opts="-b -F -t --help"
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
        shellkeep__subcmd__join__subcmd__pane)
            opts="-b -d -f -h -v -l -p -s -t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -l)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -p)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -s)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
        shellkeep__subcmd__kill__subcmd__pane)
            opts="-a -t --help"
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
            opts="--keep --force --help"
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
            opts="-a -C -t --help"
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
        shellkeep__subcmd__kill__subcmd__window)
            opts="-a -t --help"
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
        shellkeep__subcmd__last__subcmd__pane)
            opts="-d -e -Z -t --help"
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
        shellkeep__subcmd__last__subcmd__window)
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
        shellkeep__subcmd__link__subcmd__window)
            opts="-a -b -d -k -s -t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -s)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
        shellkeep__subcmd__list__subcmd__buffers)
            opts="-F -f --json --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -F)
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
        shellkeep__subcmd__list__subcmd__clients)
            opts="-F -t --json --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -F)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
            opts="-F --json --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -F)
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
        shellkeep__subcmd__list__subcmd__keys)
            opts="-1 -a -N -P -T --json --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -P)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -T)
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
        shellkeep__subcmd__list__subcmd__panes)
            opts="-a -s -F -f -t --json --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -F)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
        shellkeep__subcmd__list__subcmd__sessions)
            opts="-a -F -f --json --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -F)
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
        shellkeep__subcmd__list__subcmd__windows)
            opts="-a -F -f -t --json --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -F)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
        shellkeep__subcmd__load__subcmd__buffer)
            opts="-w -b -t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -b)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
        shellkeep__subcmd__lock__subcmd__client)
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
        shellkeep__subcmd__lock__subcmd__server)
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
        shellkeep__subcmd__lock__subcmd__session)
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
        shellkeep__subcmd__move__subcmd__pane)
            opts="-b -d -f -h -v -l -p -s -t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -l)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -p)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -s)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
        shellkeep__subcmd__move__subcmd__window)
            opts="-a -b -d -k -r -s -t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -s)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
        shellkeep__subcmd__new__subcmd__session)
            opts="-A -d -D -E -P -X -c -e -F -f -n -s -t -x -y --private --created-by --tag --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -c)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -e)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -F)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -n)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -s)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -t)
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
                --created-by)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --tag)
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
        shellkeep__subcmd__new__subcmd__window)
            opts="-a -b -d -k -P -S -c -e -F -n -t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -c)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -e)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -F)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -n)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
        shellkeep__subcmd__next__subcmd__layout)
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
        shellkeep__subcmd__next__subcmd__window)
            opts="-a -t --help"
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
        shellkeep__subcmd__output)
            opts="-e -t --json --help"
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
        shellkeep__subcmd__paste__subcmd__buffer)
            opts="-d -p -r -s -b -t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -s)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -b)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
        shellkeep__subcmd__pin)
            opts="-u -t --help"
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
        shellkeep__subcmd__pipe__subcmd__pane)
            opts="-I -O -o -t --help"
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
        shellkeep__subcmd__previous__subcmd__layout)
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
        shellkeep__subcmd__previous__subcmd__window)
            opts="-a -t --help"
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
        shellkeep__subcmd__refresh__subcmd__client)
            opts="-c -D -l -L -R -S -U -A -B -C -f -F -t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -l)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -A)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -B)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -C)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -F)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
        shellkeep__subcmd__rename__subcmd__window)
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
        shellkeep__subcmd__reopen)
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
        shellkeep__subcmd__resize__subcmd__pane)
            opts="-D -L -M -R -T -U -Z -x -y -t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -x)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -y)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
        shellkeep__subcmd__resize__subcmd__window)
            opts="-a -A -D -L -R -U -x -y -t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -x)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -y)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
        shellkeep__subcmd__respawn__subcmd__pane)
            opts="-k -c -e -t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -c)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -e)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
        shellkeep__subcmd__respawn__subcmd__window)
            opts="-k -c -e -t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -c)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -e)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
        shellkeep__subcmd__restore)
            opts="-a -t --tag --dry-run --json --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --tag)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
        shellkeep__subcmd__rotate__subcmd__window)
            opts="-D -U -Z -t --help"
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
        shellkeep__subcmd__run__subcmd__shell)
            opts="-b -C -d -t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -d)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
        shellkeep__subcmd__save__subcmd__buffer)
            opts="-a -b --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -b)
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
        shellkeep__subcmd__search)
            opts="-A -B -C -c -E -e -F -g -i -l -n -s -t --limit --cwd --json --since --state --tag --until --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -A)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -B)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -C)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -F)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -g)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --limit)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -n)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -t)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --cwd)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --since)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --state)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --tag)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --until)
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
        shellkeep__subcmd__select__subcmd__layout)
            opts="-E -n -o -p -t --help"
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
        shellkeep__subcmd__select__subcmd__pane)
            opts="-D -d -e -L -l -M -m -R -U -Z -g -P -T -t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -P)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -T)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
        shellkeep__subcmd__select__subcmd__window)
            opts="-l -n -p -T -t --help"
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
        shellkeep__subcmd__send__subcmd__keys)
            opts="-F -H -l -M -R -X -N -t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -N)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
        shellkeep__subcmd__send__subcmd__prefix)
            opts="-2 -t --help"
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
        shellkeep__subcmd__server__subcmd__access)
            opts="-a -d -l -r -w -t --json --help"
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
        shellkeep__subcmd__set__subcmd__buffer)
            opts="-a -w -b -n -t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -b)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -n)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
        shellkeep__subcmd__set__subcmd__environment)
            opts="-F -h -g -r -u -t --help"
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
        shellkeep__subcmd__set__subcmd__hook)
            opts="-a -g -p -R -u -w -t --help"
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
            opts="-a -F -g -o -p -q -s -u -U -w -t --help"
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
        shellkeep__subcmd__set__subcmd__window__subcmd__option)
            opts="-a -F -g -o -q -u -t --help"
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
        shellkeep__subcmd__show__subcmd__buffer)
            opts="-b --json --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -b)
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
        shellkeep__subcmd__show__subcmd__environment)
            opts="-h -g -s -t --json --help"
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
        shellkeep__subcmd__show__subcmd__hooks)
            opts="-g -p -w -t --json --help"
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
        shellkeep__subcmd__show__subcmd__messages)
            opts="-J -T -t --json --help"
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
            opts="-A -g -H -p -q -s -v -w -t --json --help"
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
        shellkeep__subcmd__show__subcmd__prompt__subcmd__history)
            opts="-T --json --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -T)
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
        shellkeep__subcmd__show__subcmd__window__subcmd__options)
            opts="-g -v -t --json --help"
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
            opts="-F -n -q -v --help"
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
        shellkeep__subcmd__split__subcmd__window)
            opts="-b -d -f -h -I -P -v -Z -c -e -F -l -p -t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -c)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -e)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -F)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -l)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -p)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
        shellkeep__subcmd__stats)
            opts="--json --help"
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
        shellkeep__subcmd__swap__subcmd__pane)
            opts="-d -D -U -Z -s -t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -s)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
        shellkeep__subcmd__swap__subcmd__window)
            opts="-d -s -t --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -s)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
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
        shellkeep__subcmd__switch__subcmd__client)
            opts="-E -F -l -n -p -r -Z -c -t -T --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -c)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -t)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -T)
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
        shellkeep__subcmd__tag)
            opts="-d -t --help"
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
        shellkeep__subcmd__tmux__subcmd__shim)
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
        shellkeep__subcmd__unbind__subcmd__key)
            opts="-a -n -q -T --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -T)
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
        shellkeep__subcmd__unlink__subcmd__window)
            opts="-k -t --help"
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
        shellkeep__subcmd__wait__subcmd__for)
            opts="-L -S -U --help"
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
    esac
}

if [[ "${BASH_VERSINFO[0]}" -eq 4 && "${BASH_VERSINFO[1]}" -ge 4 || "${BASH_VERSINFO[0]}" -gt 4 ]]; then
    complete -F _shellkeep -o nosort -o bashdefault -o default shellkeep
else
    complete -F _shellkeep -o bashdefault -o default shellkeep
fi
