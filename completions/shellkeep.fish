# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_shellkeep_global_optspecs
    string join \n L= S= f= C D v 2 T= u N l V/version h/help
end

function __fish_shellkeep_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_shellkeep_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_shellkeep_using_subcommand
    set -l cmd (__fish_shellkeep_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c shellkeep -n "__fish_shellkeep_needs_command" -s L -d 'Name of the server\'s socket' -r
complete -c shellkeep -n "__fish_shellkeep_needs_command" -s S -d 'Path of the server\'s socket' -r
complete -c shellkeep -n "__fish_shellkeep_needs_command" -s f -d 'Configuration file' -r
complete -c shellkeep -n "__fish_shellkeep_needs_command" -s T -d 'The terminal\'s features: 256 or RGB, separated by commas' -r
complete -c shellkeep -n "__fish_shellkeep_needs_command" -s C -d 'Use control mode; twice for a terminal that supports it'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -s D -d 'Run the server in the foreground until it is ended'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -s v -d 'Make a server that is started log more'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -s 2 -d 'Assume that the terminal has 256 colours'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -s u -d 'Assume that the terminal shows UTF-8, whatever the locale is'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -s N -d 'Start no server, even if the command would'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -s l -d 'As a login shell; of no effect, as in tmux'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -s V -l version -d 'Print the version'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -s h -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "archive" -d 'End a session and keep it as a record'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "attach-session" -d 'Show a session in this terminal'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "attach" -d 'Show a session in this terminal'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "bind-key" -d 'Bind a key to a command'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "bind" -d 'Bind a key to a command'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "break-pane" -d 'Move a pane out into a window of its own'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "breakp" -d 'Move a pane out into a window of its own'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "capture-pane" -d 'Print or store what a pane shows'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "capturep" -d 'Print or store what a pane shows'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "choose-buffer" -d 'Choose a paste buffer from a list'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "choose-client" -d 'Choose a client from a list'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "choose-tree" -d 'Choose a session, window or pane from a tree'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "clear-history" -d 'Forget what has scrolled off a pane'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "clearhist" -d 'Forget what has scrolled off a pane'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "clear-prompt-history" -d 'Forget what was typed at prompts'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "clearphist" -d 'Forget what was typed at prompts'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "clock-mode" -d 'Show a clock in a pane'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "command-prompt" -d 'Ask for a command, or for what to put in one'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "confirm-before" -d 'Ask before a command is run'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "confirm" -d 'Ask before a command is run'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "copy-mode" -d 'Look at and copy from a pane\'s history'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "customize-mode" -d 'Browse and change the options'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "delete-buffer" -d 'Delete a paste buffer'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "deleteb" -d 'Delete a paste buffer'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "detach-client" -d 'Give a client\'s terminal back; the session goes on'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "detach" -d 'Give a client\'s terminal back; the session goes on'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "display-menu" -d 'Show a menu'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "menu" -d 'Show a menu'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "display-message" -d 'Show or print a message'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "display" -d 'Show or print a message'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "display-panes" -d 'Show the panes\' numbers'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "displayp" -d 'Show the panes\' numbers'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "display-popup" -d 'Run a program in a box over the panes'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "popup" -d 'Run a program in a box over the panes'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "doctor" -d 'Report what is wrong, and how to fix it'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "find-window" -d 'Choose among the windows that match a pattern'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "findw" -d 'Choose among the windows that match a pattern'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "forget" -d 'Delete a session for good, with everything that is kept of it'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "has-session" -d 'Succeed if there is such a session, fail if not'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "has" -d 'Succeed if there is such a session, fail if not'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "hibernate" -d 'Put sessions, windows or panes to sleep'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "sleep" -d 'Put sessions, windows or panes to sleep'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "history" -d 'List the commands that were run'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "if-shell" -d 'Run a command if a shell command succeeds'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "if" -d 'Run a command if a shell command succeeds'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "join-pane" -d 'Move a pane into another window'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "joinp" -d 'Move a pane into another window'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "kill-pane" -d 'End a pane and the program in it'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "killp" -d 'End a pane and the program in it'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "kill-server" -d 'End every session, every program and the server'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "kill-session" -d 'End a session and the programs in it'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "kill-window" -d 'End a window and the programs in it'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "killw" -d 'End a window and the programs in it'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "last-pane" -d 'Go to the pane that was active before'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "lastp" -d 'Go to the pane that was active before'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "last-window" -d 'Go to the window that was current before'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "last" -d 'Go to the window that was current before'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "link-window" -d 'Show a window in another session as well'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "linkw" -d 'Show a window in another session as well'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "list-buffers" -d 'List the paste buffers'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "lsb" -d 'List the paste buffers'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "list-clients" -d 'List the clients'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "lsc" -d 'List the clients'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "list-commands" -d 'List the commands and their arguments'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "lscm" -d 'List the commands and their arguments'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "list-keys" -d 'List the key bindings'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "lsk" -d 'List the key bindings'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "list-panes" -d 'List the panes'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "lsp" -d 'List the panes'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "list-sessions" -d 'List the sessions'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "ls" -d 'List the sessions'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "list-windows" -d 'List the windows'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "lsw" -d 'List the windows'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "load-buffer" -d 'Load a file into a paste buffer'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "loadb" -d 'Load a file into a paste buffer'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "lock-client" -d 'Lock a client'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "lockc" -d 'Lock a client'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "lock-server" -d 'Lock every client'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "lock" -d 'Lock every client'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "lock-session" -d 'Lock the clients of a session'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "locks" -d 'Lock the clients of a session'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "move-pane" -d 'Move a pane into another window'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "movep" -d 'Move a pane into another window'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "move-window" -d 'Move a window elsewhere'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "movew" -d 'Move a window elsewhere'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "new-session" -d 'Create a session with a program in it'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "new" -d 'Create a session with a program in it'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "new-window" -d 'Open a window with a program in it'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "neww" -d 'Open a window with a program in it'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "next-layout" -d 'Arrange the panes in the next way'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "nextl" -d 'Arrange the panes in the next way'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "next-window" -d 'Go to the next window'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "next" -d 'Go to the next window'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "output" -d 'Print what a command has printed'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "paste-buffer" -d 'Paste a buffer into a pane'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "pasteb" -d 'Paste a buffer into a pane'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "pin" -d 'Keep a session from being hibernated or archived automatically'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "pipe-pane" -d 'Pipe what a pane\'s program writes to a command'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "pipep" -d 'Pipe what a pane\'s program writes to a command'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "previous-layout" -d 'Arrange the panes in the previous way'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "prevl" -d 'Arrange the panes in the previous way'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "previous-window" -d 'Go to the previous window'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "prev" -d 'Go to the previous window'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "refresh-client" -d 'Redraw a client\'s terminal, or change what it shows'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "refresh" -d 'Redraw a client\'s terminal, or change what it shows'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "rename-session" -d 'Rename a session'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "rename" -d 'Rename a session'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "rename-window" -d 'Rename a window'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "renamew" -d 'Rename a window'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "reopen" -d 'Bring an archived session back'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "resize-pane" -d 'Change the size of a pane'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "resizep" -d 'Change the size of a pane'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "resize-window" -d 'Change the size of a window'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "resizew" -d 'Change the size of a window'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "respawn-pane" -d 'Run a program again in a pane'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "respawnp" -d 'Run a program again in a pane'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "respawn-window" -d 'Run a program again in a window'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "respawnw" -d 'Run a program again in a window'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "restart-server" -d 'Replace the server by the program of this command; all programs in panes go on'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "restore" -d 'Wake sleeping sessions, windows or panes'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "wake" -d 'Wake sleeping sessions, windows or panes'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "rotate-window" -d 'Move every pane of a window to the next position'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "rotatew" -d 'Move every pane of a window to the next position'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "run-shell" -d 'Run a shell command, or a shellkeep command, without a window'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "run" -d 'Run a shell command, or a shellkeep command, without a window'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "save-buffer" -d 'Save a paste buffer to a file'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "saveb" -d 'Save a paste buffer to a file'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "search" -d 'Find lines in everything that was ever printed'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "select-layout" -d 'Arrange the panes of a window'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "selectl" -d 'Arrange the panes of a window'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "select-pane" -d 'Make a pane the active one'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "selectp" -d 'Make a pane the active one'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "select-window" -d 'Make a window the current one'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "selectw" -d 'Make a window the current one'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "send-keys" -d 'Type into a pane'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "send" -d 'Type into a pane'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "send-prefix" -d 'Type the prefix key into a pane'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "server-access" -d 'Set which other users may use the server'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "set-buffer" -d 'Set the contents or the name of a paste buffer'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "setb" -d 'Set the contents or the name of a paste buffer'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "set-environment" -d 'Set a variable in the environment of new programs'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "setenv" -d 'Set a variable in the environment of new programs'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "set-hook" -d 'Set commands to run when something happens'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "set-option" -d 'Set an option'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "set" -d 'Set an option'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "set-window-option" -d 'Set a window option'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "setw" -d 'Set a window option'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "show-buffer" -d 'Print a paste buffer'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "showb" -d 'Print a paste buffer'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "show-environment" -d 'Show the environment of new programs'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "showenv" -d 'Show the environment of new programs'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "show-hooks" -d 'Show the hooks and their commands'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "show-messages" -d 'Show recent messages'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "showmsgs" -d 'Show recent messages'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "show-options" -d 'Show options and their values'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "show" -d 'Show options and their values'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "show-prompt-history" -d 'Show what was typed at prompts'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "showphist" -d 'Show what was typed at prompts'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "show-window-options" -d 'Show window options and their values'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "showw" -d 'Show window options and their values'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "source-file" -d 'Run the commands in a file'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "source" -d 'Run the commands in a file'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "split-window" -d 'Split a pane in two'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "splitw" -d 'Split a pane in two'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "start-server" -d 'Start the server if there is none'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "start" -d 'Start the server if there is none'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "stats" -d 'Show what keeping costs: sessions, memory, disk, time'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "suspend-client" -d 'Stop a client as C-z stops a program; `fg` brings it back'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "suspendc" -d 'Stop a client as C-z stops a program; `fg` brings it back'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "swap-pane" -d 'Exchange two panes'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "swapp" -d 'Exchange two panes'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "swap-window" -d 'Exchange two windows'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "swapw" -d 'Exchange two windows'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "switch-client" -d 'Show another session in a client'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "switchc" -d 'Show another session in a client'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "tag" -d 'Add tags to a session, or remove them'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "tmux-shim" -d 'Make a directory with a tmux in it that is this program'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "unbind-key" -d 'Remove a key binding'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "unbind" -d 'Remove a key binding'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "unlink-window" -d 'Remove a window from one of the sessions that show it'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "unlinkw" -d 'Remove a window from one of the sessions that show it'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "wait-for" -d 'Wait for a signal, or send one'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "wait" -d 'Wait for a signal, or send one'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand archive" -s t -d 'The session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand archive" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand attach-session" -s c -d 'Directory new windows start in from now on' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand attach-session" -s f -d 'Flags of the client, with commas between them' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand attach-session" -s t -d 'The session; the one used last if none is named' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand attach-session" -s d -d 'Detach all other clients of the session'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand attach-session" -s E -d 'Leave the session\'s environment as it is'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand attach-session" -s r -d 'Only look: keys other than those that detach do nothing'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand attach-session" -l native -d 'Leave scrolling to the terminal: history, then output as it comes, for a session of one pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand attach-session" -s x -d 'With -d, also hang up the other clients\' parents'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand attach-session" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand attach" -s c -d 'Directory new windows start in from now on' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand attach" -s f -d 'Flags of the client, with commas between them' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand attach" -s t -d 'The session; the one used last if none is named' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand attach" -s d -d 'Detach all other clients of the session'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand attach" -s E -d 'Leave the session\'s environment as it is'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand attach" -s r -d 'Only look: keys other than those that detach do nothing'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand attach" -l native -d 'Leave scrolling to the terminal: history, then output as it comes, for a session of one pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand attach" -s x -d 'With -d, also hang up the other clients\' parents'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand attach" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand bind-key" -s T -d 'The key table' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand bind-key" -s N -d 'A note, for list-keys -N' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand bind-key" -s n -d 'In the root table: no prefix is needed'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand bind-key" -s r -d 'The key may be repeated without the prefix'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand bind-key" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand bind" -s T -d 'The key table' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand bind" -s N -d 'A note, for list-keys -N' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand bind" -s n -d 'In the root table: no prefix is needed'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand bind" -s r -d 'The key may be repeated without the prefix'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand bind" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand break-pane" -s F -d 'What -P prints' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand break-pane" -s n -d 'Name of the window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand break-pane" -s s -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand break-pane" -s t -d 'Where the window goes' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand break-pane" -s a -d 'Put it behind the target'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand break-pane" -s b -d 'Put it in front of the target'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand break-pane" -s d -d 'Do not make it the current window'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand break-pane" -s P -d 'Print where it is'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand break-pane" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand breakp" -s F -d 'What -P prints' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand breakp" -s n -d 'Name of the window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand breakp" -s s -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand breakp" -s t -d 'Where the window goes' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand breakp" -s a -d 'Put it behind the target'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand breakp" -s b -d 'Put it in front of the target'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand breakp" -s d -d 'Do not make it the current window'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand breakp" -s P -d 'Print where it is'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand breakp" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capture-pane" -s b -d 'The paste buffer to store it in' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capture-pane" -s E -d 'Last line: as for -S; - is the bottom of the screen' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capture-pane" -s S -d 'First line: 0 is the top of the screen, -1 the line above it, - the oldest there is' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capture-pane" -s t -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capture-pane" -s a -d 'Of the alternate screen'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capture-pane" -s C -d 'Write what does not print as octal numbers'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capture-pane" -s e -d 'With escape sequences for colours and attributes'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capture-pane" -s J -d 'Join wrapped lines and keep trailing spaces'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capture-pane" -s N -d 'Keep trailing spaces'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capture-pane" -s p -d 'Print it to standard output'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capture-pane" -s P -d 'Only what has arrived of an unfinished escape sequence'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capture-pane" -s q -d 'No error if there is no alternate screen'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capture-pane" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capturep" -s b -d 'The paste buffer to store it in' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capturep" -s E -d 'Last line: as for -S; - is the bottom of the screen' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capturep" -s S -d 'First line: 0 is the top of the screen, -1 the line above it, - the oldest there is' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capturep" -s t -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capturep" -s a -d 'Of the alternate screen'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capturep" -s C -d 'Write what does not print as octal numbers'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capturep" -s e -d 'With escape sequences for colours and attributes'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capturep" -s J -d 'Join wrapped lines and keep trailing spaces'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capturep" -s N -d 'Keep trailing spaces'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capturep" -s p -d 'Print it to standard output'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capturep" -s P -d 'Only what has arrived of an unfinished escape sequence'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capturep" -s q -d 'No error if there is no alternate screen'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capturep" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand choose-buffer" -s F -d 'How to print each line' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand choose-buffer" -s f -d 'Only what this format is true for' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand choose-buffer" -s K -d 'Which key chooses each line' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand choose-buffer" -s O -d 'What to sort by' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand choose-buffer" -s t -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand choose-buffer" -s N -d 'Start without the preview'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand choose-buffer" -s r -d 'Sort the other way round'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand choose-buffer" -s Z -d 'Zoom the pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand choose-buffer" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand choose-client" -s F -d 'How to print each line' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand choose-client" -s f -d 'Only what this format is true for' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand choose-client" -s K -d 'Which key chooses each line' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand choose-client" -s O -d 'What to sort by' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand choose-client" -s t -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand choose-client" -s N -d 'Start without the preview'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand choose-client" -s r -d 'Sort the other way round'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand choose-client" -s Z -d 'Zoom the pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand choose-client" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand choose-tree" -s F -d 'How to print each line' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand choose-tree" -s f -d 'Only what this format is true for' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand choose-tree" -s K -d 'Which key chooses each line' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand choose-tree" -s O -d 'What to sort by' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand choose-tree" -s t -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand choose-tree" -s G -d 'Show every session of a group'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand choose-tree" -s N -d 'Start without the preview'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand choose-tree" -s r -d 'Sort the other way round'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand choose-tree" -s s -d 'Start with the windows folded away'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand choose-tree" -s w -d 'Start with the panes folded away'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand choose-tree" -s Z -d 'Zoom the pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand choose-tree" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand clear-history" -s t -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand clear-history" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand clearhist" -s t -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand clearhist" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand clear-prompt-history" -s T -d 'Only at prompts of this type' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand clear-prompt-history" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand clearphist" -s T -d 'Only at prompts of this type' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand clearphist" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand clock-mode" -s t -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand clock-mode" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand command-prompt" -s I -d 'The initial text, with commas between the prompts' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand command-prompt" -s p -d 'The prompts, with commas between them' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand command-prompt" -s t -d 'The client' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand command-prompt" -s T -d 'Which history and completion to use' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand command-prompt" -s 1 -d 'Take a single key, without Enter'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand command-prompt" -s b -d 'Do not wait for the answer'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand command-prompt" -s F -d 'Expand formats in the template'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand command-prompt" -s k -d 'Take a single key and use its name'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand command-prompt" -s i -d 'Run the command at every change'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand command-prompt" -s N -d 'Take a number and end at anything else'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand command-prompt" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand confirm-before" -s p -d 'The question' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand confirm-before" -s t -d 'The client' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand confirm-before" -s b -d 'Do not wait for the answer'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand confirm-before" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand confirm" -s p -d 'The question' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand confirm" -s t -d 'The client' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand confirm" -s b -d 'Do not wait for the answer'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand confirm" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand copy-mode" -l line -d 'With the cursor on this line, counted from the beginning of the pane\'s life, as search does' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand copy-mode" -s s -d 'The pane whose history is shown' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand copy-mode" -s t -d 'The pane it is shown in' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand copy-mode" -s e -d 'Leave when the bottom is reached by scrolling'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand copy-mode" -s H -d 'Do not show the position'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand copy-mode" -s M -d 'Begin to drag a selection with the mouse'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand copy-mode" -s u -d 'Scroll one page up'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand copy-mode" -s q -d 'Leave this and any other mode'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand copy-mode" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand customize-mode" -s F -d 'How to print each line' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand customize-mode" -s f -d 'Only what this format is true for' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand customize-mode" -s t -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand customize-mode" -s N -d 'Start without the preview'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand customize-mode" -s Z -d 'Zoom the pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand customize-mode" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand delete-buffer" -s b -d 'The buffer; the newest if none is named' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand delete-buffer" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand deleteb" -s b -d 'The buffer; the newest if none is named' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand deleteb" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand detach-client" -s E -d 'Run this in the client\'s place' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand detach-client" -s s -d 'Every client of this session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand detach-client" -s t -d 'The client, by its terminal; the current one if none is named' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand detach-client" -s a -d 'Every client but this one'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand detach-client" -s P -d 'Also hang up the client\'s parent'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand detach-client" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand detach" -s E -d 'Run this in the client\'s place' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand detach" -s s -d 'Every client of this session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand detach" -s t -d 'The client, by its terminal; the current one if none is named' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand detach" -s a -d 'Every client but this one'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand detach" -s P -d 'Also hang up the client\'s parent'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand detach" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-menu" -s c -d 'The client' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-menu" -s t -d 'The pane its formats and commands are about' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-menu" -s T -d 'Its title' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-menu" -s x -d 'Where, from the left' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-menu" -s y -d 'Where, from the top' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-menu" -s O -d 'Keep it open when the mouse button is released'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-menu" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand menu" -s c -d 'The client' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand menu" -s t -d 'The pane its formats and commands are about' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand menu" -s T -d 'Its title' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand menu" -s x -d 'Where, from the left' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand menu" -s y -d 'Where, from the top' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand menu" -s O -d 'Keep it open when the mouse button is released'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand menu" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-message" -s c -d 'The client' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-message" -s d -d 'How long to show it' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-message" -s F -d 'The message, as a format' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-message" -s t -d 'The pane it is about' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-message" -s a -d 'List the variables of formats and their values'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-message" -s I -d 'Send what is typed to an empty pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-message" -s N -d 'Keep it on a key press; only time takes it away'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-message" -s p -d 'Print it to standard output'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-message" -s v -d 'Print how the format is evaluated'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-message" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-message" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display" -s c -d 'The client' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display" -s d -d 'How long to show it' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display" -s F -d 'The message, as a format' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display" -s t -d 'The pane it is about' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display" -s a -d 'List the variables of formats and their values'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display" -s I -d 'Send what is typed to an empty pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display" -s N -d 'Keep it on a key press; only time takes it away'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display" -s p -d 'Print it to standard output'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display" -s v -d 'Print how the format is evaluated'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-panes" -s d -d 'How long to show them' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-panes" -s t -d 'The client' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-panes" -s b -d 'Do not wait for the choice'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-panes" -s N -d 'Keep them on a key press; only time takes them away'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-panes" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand displayp" -s d -d 'How long to show them' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand displayp" -s t -d 'The client' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand displayp" -s b -d 'Do not wait for the choice'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand displayp" -s N -d 'Keep them on a key press; only time takes them away'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand displayp" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-popup" -s b -d 'What to draw the border with' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-popup" -s c -d 'The client' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-popup" -s d -d 'Directory to start in' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-popup" -s e -d 'Set a variable in the program\'s environment' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-popup" -s h -d 'Its height, in rows or per cent' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-popup" -s s -d 'Its style' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-popup" -s S -d 'Its border\'s style' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-popup" -s t -d 'The pane its formats are about' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-popup" -s T -d 'Its title' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-popup" -s w -d 'Its width, in columns or per cent' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-popup" -s x -d 'Where, from the left' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-popup" -s y -d 'Where, from the top' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-popup" -s B -d 'Without a border'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-popup" -s C -d 'Close the one that is open'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-popup" -s E -d 'Close it when the program ends; twice: only if it succeeds'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand display-popup" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand popup" -s b -d 'What to draw the border with' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand popup" -s c -d 'The client' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand popup" -s d -d 'Directory to start in' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand popup" -s e -d 'Set a variable in the program\'s environment' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand popup" -s h -d 'Its height, in rows or per cent' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand popup" -s s -d 'Its style' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand popup" -s S -d 'Its border\'s style' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand popup" -s t -d 'The pane its formats are about' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand popup" -s T -d 'Its title' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand popup" -s w -d 'Its width, in columns or per cent' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand popup" -s x -d 'Where, from the left' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand popup" -s y -d 'Where, from the top' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand popup" -s B -d 'Without a border'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand popup" -s C -d 'Close the one that is open'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand popup" -s E -d 'Close it when the program ends; twice: only if it succeeds'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand popup" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand doctor" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand doctor" -l rebuild -d 'Make the catalogue again from the files, before anything else'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand doctor" -l unit -d 'Print a systemd user unit for the server, and nothing else'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand doctor" -s y -d 'With --rebuild, do not ask before a later version\'s catalogue is moved aside'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand doctor" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand find-window" -s t -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand find-window" -s C -d 'Look in what the panes show'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand find-window" -s i -d 'Ignore case'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand find-window" -s N -d 'Look in the windows\' names'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand find-window" -s r -d 'The pattern is a regular expression'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand find-window" -s T -d 'Look in the panes\' titles'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand find-window" -s Z -d 'Zoom the pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand find-window" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand findw" -s t -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand findw" -s C -d 'Look in what the panes show'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand findw" -s i -d 'Ignore case'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand findw" -s N -d 'Look in the windows\' names'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand findw" -s r -d 'The pattern is a regular expression'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand findw" -s T -d 'Look in the panes\' titles'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand findw" -s Z -d 'Zoom the pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand findw" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand forget" -s t -d 'The session, or the id of an archived one as list-sessions -a prints it' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand forget" -s y -d 'Do not ask'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand forget" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand has-session" -s t -d 'The session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand has-session" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand has" -s t -d 'The session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand has" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand hibernate" -l idle -d 'Only what has been idle for so long, e.g. 10m' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand hibernate" -l tag -d 'Only sessions with this tag' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand hibernate" -s t -d 'The session, window or pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand hibernate" -s a -d 'All sessions'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand hibernate" -l force -d 'End programs that run, if that is what it takes'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand hibernate" -l dry-run -d 'Only print what would happen'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand hibernate" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand hibernate" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand sleep" -l idle -d 'Only what has been idle for so long, e.g. 10m' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand sleep" -l tag -d 'Only sessions with this tag' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand sleep" -s t -d 'The session, window or pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand sleep" -s a -d 'All sessions'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand sleep" -l force -d 'End programs that run, if that is what it takes'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand sleep" -l dry-run -d 'Only print what would happen'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand sleep" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand sleep" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand history" -s F -d 'How to print each command' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand history" -s n -d 'No more than these, the newest; 0 for all (1000)' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand history" -s t -d 'Only in this session, window or pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand history" -l by -d 'Only in sessions made by a user, or by an agent' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand history" -l cwd -d 'Only what began in this directory or below it' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand history" -l exit -d 'Only what ended like this: ok, failed or a status' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand history" -l longer-than -d 'Only what took longer than this, e.g. 10s' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand history" -l since -d 'Only what began then or later: 14:05, yesterday, -2h, 2026-11-18' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand history" -l tag -d 'Only in sessions with this tag' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand history" -l until -d 'Only what began before then' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand history" -s a -d 'Commands of archived sessions, too'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand history" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand history" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand if-shell" -s t -d 'The pane its formats are about' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand if-shell" -s b -d 'Do not wait for the shell command'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand if-shell" -s F -d 'It is a format, true unless empty or 0'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand if-shell" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand if" -s t -d 'The pane its formats are about' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand if" -s b -d 'Do not wait for the shell command'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand if" -s F -d 'It is a format, true unless empty or 0'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand if" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand join-pane" -s l -d 'Its size, in cells or per cent' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand join-pane" -s p -d 'Its size, in per cent' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand join-pane" -s s -d 'The pane; the marked pane if there is one' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand join-pane" -s t -d 'The pane it is put beside' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand join-pane" -s b -d 'Put it to the left or above'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand join-pane" -s d -d 'Do not make it the active pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand join-pane" -s f -d 'Across the whole window'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand join-pane" -s h -d 'Side by side'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand join-pane" -s v -d 'One above the other'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand join-pane" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand joinp" -s l -d 'Its size, in cells or per cent' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand joinp" -s p -d 'Its size, in per cent' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand joinp" -s s -d 'The pane; the marked pane if there is one' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand joinp" -s t -d 'The pane it is put beside' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand joinp" -s b -d 'Put it to the left or above'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand joinp" -s d -d 'Do not make it the active pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand joinp" -s f -d 'Across the whole window'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand joinp" -s h -d 'Side by side'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand joinp" -s v -d 'One above the other'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand joinp" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand kill-pane" -s t -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand kill-pane" -s a -d 'Every pane of the window but this one'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand kill-pane" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand killp" -s t -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand killp" -s a -d 'Every pane of the window but this one'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand killp" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand kill-server" -l keep -d 'Keep the sessions: save everything first, so that the next server has them again'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand kill-server" -l force -d 'End it even if something cannot be saved, as on a full disk, and will be lost'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand kill-server" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand kill-session" -s t -d 'The session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand kill-session" -s a -d 'Every session but this one'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand kill-session" -s C -d 'Only clear the alerts of its windows'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand kill-session" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand kill-window" -s t -d 'The window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand kill-window" -s a -d 'Every window of the session but this one'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand kill-window" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand killw" -s t -d 'The window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand killw" -s a -d 'Every window of the session but this one'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand killw" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand last-pane" -s t -d 'The window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand last-pane" -s d -d 'Disable input to the pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand last-pane" -s e -d 'Enable input to the pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand last-pane" -s Z -d 'Keep the window zoomed'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand last-pane" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lastp" -s t -d 'The window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lastp" -s d -d 'Disable input to the pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lastp" -s e -d 'Enable input to the pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lastp" -s Z -d 'Keep the window zoomed'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lastp" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand last-window" -s t -d 'The session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand last-window" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand last" -s t -d 'The session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand last" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand link-window" -s s -d 'The window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand link-window" -s t -d 'Where it goes' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand link-window" -s a -d 'Put it behind the target'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand link-window" -s b -d 'Put it in front of the target'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand link-window" -s d -d 'Do not make it the current window'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand link-window" -s k -d 'End a window that is at this index'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand link-window" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand linkw" -s s -d 'The window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand linkw" -s t -d 'Where it goes' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand linkw" -s a -d 'Put it behind the target'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand linkw" -s b -d 'Put it in front of the target'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand linkw" -s d -d 'Do not make it the current window'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand linkw" -s k -d 'End a window that is at this index'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand linkw" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-buffers" -s F -d 'How to print each' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-buffers" -s f -d 'Only those this format is true for' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-buffers" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-buffers" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lsb" -s F -d 'How to print each' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lsb" -s f -d 'Only those this format is true for' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lsb" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lsb" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-clients" -s F -d 'How to print each' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-clients" -s t -d 'Only those of this session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-clients" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-clients" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lsc" -s F -d 'How to print each' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lsc" -s t -d 'Only those of this session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lsc" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lsc" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-commands" -s F -d 'How to print each' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-commands" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-commands" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lscm" -s F -d 'How to print each' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lscm" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lscm" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-keys" -s P -d 'With -N, what to write before each key' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-keys" -s T -d 'Only this key table' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-keys" -s 1 -d 'Only the first'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-keys" -s a -d 'With -N, also keys without a note'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-keys" -s N -d 'Only keys and notes'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-keys" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-keys" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lsk" -s P -d 'With -N, what to write before each key' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lsk" -s T -d 'Only this key table' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lsk" -s 1 -d 'Only the first'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lsk" -s a -d 'With -N, also keys without a note'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lsk" -s N -d 'Only keys and notes'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lsk" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lsk" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-panes" -s F -d 'How to print each' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-panes" -s f -d 'Only those this format is true for' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-panes" -s t -d 'The window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-panes" -s a -d 'Of every session'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-panes" -s s -d 'Of the whole session; -t names it'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-panes" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-panes" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lsp" -s F -d 'How to print each' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lsp" -s f -d 'Only those this format is true for' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lsp" -s t -d 'The window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lsp" -s a -d 'Of every session'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lsp" -s s -d 'Of the whole session; -t names it'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lsp" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lsp" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-sessions" -s F -d 'How to print each' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-sessions" -s f -d 'Only those this format is true for' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-sessions" -s a -d 'Also those in the archive'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-sessions" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-sessions" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand ls" -s F -d 'How to print each' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand ls" -s f -d 'Only those this format is true for' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand ls" -s a -d 'Also those in the archive'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand ls" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand ls" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-windows" -s F -d 'How to print each' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-windows" -s f -d 'Only those this format is true for' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-windows" -s t -d 'The session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-windows" -s a -d 'Of every session'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-windows" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-windows" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lsw" -s F -d 'How to print each' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lsw" -s f -d 'Only those this format is true for' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lsw" -s t -d 'The session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lsw" -s a -d 'Of every session'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lsw" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lsw" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand load-buffer" -s b -d 'Name of the buffer' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand load-buffer" -s t -d 'The client for -w' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand load-buffer" -s w -d 'Also send it to the terminal\'s clipboard'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand load-buffer" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand loadb" -s b -d 'Name of the buffer' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand loadb" -s t -d 'The client for -w' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand loadb" -s w -d 'Also send it to the terminal\'s clipboard'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand loadb" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lock-client" -s t -d 'The client' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lock-client" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lockc" -s t -d 'The client' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lockc" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lock-server" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lock" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lock-session" -s t -d 'The session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lock-session" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand locks" -s t -d 'The session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand locks" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand move-pane" -s l -d 'Its size, in cells or per cent' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand move-pane" -s p -d 'Its size, in per cent' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand move-pane" -s s -d 'The pane; the marked pane if there is one' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand move-pane" -s t -d 'The pane it is put beside' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand move-pane" -s b -d 'Put it to the left or above'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand move-pane" -s d -d 'Do not make it the active pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand move-pane" -s f -d 'Across the whole window'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand move-pane" -s h -d 'Side by side'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand move-pane" -s v -d 'One above the other'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand move-pane" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand movep" -s l -d 'Its size, in cells or per cent' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand movep" -s p -d 'Its size, in per cent' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand movep" -s s -d 'The pane; the marked pane if there is one' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand movep" -s t -d 'The pane it is put beside' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand movep" -s b -d 'Put it to the left or above'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand movep" -s d -d 'Do not make it the active pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand movep" -s f -d 'Across the whole window'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand movep" -s h -d 'Side by side'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand movep" -s v -d 'One above the other'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand movep" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand move-window" -s s -d 'The window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand move-window" -s t -d 'Where it goes' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand move-window" -s a -d 'Put it behind the target'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand move-window" -s b -d 'Put it in front of the target'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand move-window" -s d -d 'Do not make it the current window'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand move-window" -s k -d 'End a window that is at this index'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand move-window" -s r -d 'Renumber the session\'s windows without gaps'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand move-window" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand movew" -s s -d 'The window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand movew" -s t -d 'Where it goes' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand movew" -s a -d 'Put it behind the target'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand movew" -s b -d 'Put it in front of the target'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand movew" -s d -d 'Do not make it the current window'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand movew" -s k -d 'End a window that is at this index'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand movew" -s r -d 'Renumber the session\'s windows without gaps'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand movew" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-session" -s c -d 'Directory to start in' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-session" -s e -d 'Set a variable in the session\'s environment' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-session" -s F -d 'What -P prints' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-session" -s f -d 'Flags of the client, with commas between them' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-session" -s n -d 'Name of the first window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-session" -s s -d 'Name of the session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-session" -s t -d 'Share the windows of this session, or of this group' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-session" -s x -d 'Columns of a session without clients; - for the terminal\'s' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-session" -s y -d 'Rows of a session without clients; - for the terminal\'s' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-session" -l created-by -d 'What creates the session: user, or the name of a program' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-session" -l tag -d 'Put a tag on the session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-session" -s A -d 'Attach to the session if one of this name exists'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-session" -s d -d 'Do not show it'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-session" -s D -d 'With -A, detach all other clients of the session'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-session" -s E -d 'Leave the session\'s environment as it is'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-session" -s P -d 'Print where it is'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-session" -s X -d 'With -A, also hang up the other clients\' parents'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-session" -l private -d 'Never write anything of the session to disk'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-session" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new" -s c -d 'Directory to start in' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new" -s e -d 'Set a variable in the session\'s environment' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new" -s F -d 'What -P prints' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new" -s f -d 'Flags of the client, with commas between them' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new" -s n -d 'Name of the first window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new" -s s -d 'Name of the session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new" -s t -d 'Share the windows of this session, or of this group' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new" -s x -d 'Columns of a session without clients; - for the terminal\'s' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new" -s y -d 'Rows of a session without clients; - for the terminal\'s' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new" -l created-by -d 'What creates the session: user, or the name of a program' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new" -l tag -d 'Put a tag on the session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new" -s A -d 'Attach to the session if one of this name exists'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new" -s d -d 'Do not show it'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new" -s D -d 'With -A, detach all other clients of the session'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new" -s E -d 'Leave the session\'s environment as it is'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new" -s P -d 'Print where it is'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new" -s X -d 'With -A, also hang up the other clients\' parents'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new" -l private -d 'Never write anything of the session to disk'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-window" -s c -d 'Directory to start in' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-window" -s e -d 'Set a variable in the program\'s environment' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-window" -s F -d 'What -P prints' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-window" -s n -d 'Name of the window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-window" -s t -d 'Where it goes' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-window" -s a -d 'Put it behind the target'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-window" -s b -d 'Put it in front of the target'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-window" -s d -d 'Do not make it the current window'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-window" -s k -d 'End a window that is at this index'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-window" -s P -d 'Print where it is'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-window" -s S -d 'Go to the window of this name if there is one'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-window" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand neww" -s c -d 'Directory to start in' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand neww" -s e -d 'Set a variable in the program\'s environment' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand neww" -s F -d 'What -P prints' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand neww" -s n -d 'Name of the window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand neww" -s t -d 'Where it goes' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand neww" -s a -d 'Put it behind the target'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand neww" -s b -d 'Put it in front of the target'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand neww" -s d -d 'Do not make it the current window'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand neww" -s k -d 'End a window that is at this index'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand neww" -s P -d 'Print where it is'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand neww" -s S -d 'Go to the window of this name if there is one'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand neww" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand next-layout" -s t -d 'The window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand next-layout" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand nextl" -s t -d 'The window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand nextl" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand next-window" -s t -d 'The session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand next-window" -s a -d 'To the next one with an alert'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand next-window" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand next" -s t -d 'The session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand next" -s a -d 'To the next one with an alert'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand next" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand output" -s t -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand output" -s e -d 'With the colours it was printed in'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand output" -l json -d 'Print it as JSON: the fields of history, and output'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand output" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand paste-buffer" -s s -d 'What to write for a line feed' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand paste-buffer" -s b -d 'The buffer; the newest if none is named' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand paste-buffer" -s t -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand paste-buffer" -s d -d 'Delete the buffer afterwards'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand paste-buffer" -s p -d 'Mark it as a paste for programs that have requested this'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand paste-buffer" -s r -d 'Leave line feeds as they are'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand paste-buffer" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand pasteb" -s s -d 'What to write for a line feed' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand pasteb" -s b -d 'The buffer; the newest if none is named' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand pasteb" -s t -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand pasteb" -s d -d 'Delete the buffer afterwards'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand pasteb" -s p -d 'Mark it as a paste for programs that have requested this'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand pasteb" -s r -d 'Leave line feeds as they are'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand pasteb" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand pin" -s t -d 'The session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand pin" -s u -d 'Undo this'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand pin" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand pipe-pane" -s t -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand pipe-pane" -s I -d 'What the command writes is typed into the pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand pipe-pane" -s O -d 'What the pane\'s program writes goes to the command'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand pipe-pane" -s o -d 'Only if there is no pipe yet'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand pipe-pane" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand pipep" -s t -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand pipep" -s I -d 'What the command writes is typed into the pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand pipep" -s O -d 'What the pane\'s program writes goes to the command'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand pipep" -s o -d 'Only if there is no pipe yet'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand pipep" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand previous-layout" -s t -d 'The window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand previous-layout" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand prevl" -s t -d 'The window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand prevl" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand previous-window" -s t -d 'The session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand previous-window" -s a -d 'To the previous one with an alert'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand previous-window" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand prev" -s t -d 'The session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand prev" -s a -d 'To the previous one with an alert'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand prev" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand refresh-client" -s l -d 'Query the terminal\'s clipboard, for a new buffer; with a pane (-l%0), for the program there' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand refresh-client" -s A -d 'In control mode, continue, pause or stop a pane\'s output' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand refresh-client" -s B -d 'In control mode, report changes of a format' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand refresh-client" -s C -d 'In control mode, the client\'s size' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand refresh-client" -s f -d 'Flags of the client, with commas between them' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand refresh-client" -s F -d 'The same, by its older name' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand refresh-client" -s t -d 'The client, by its terminal' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand refresh-client" -s c -d 'Show the part of the window around the cursor again'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand refresh-client" -s D -d 'Show a part further down'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand refresh-client" -s L -d 'Show a part further left'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand refresh-client" -s R -d 'Show a part further right'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand refresh-client" -s S -d 'Only redraw the status line'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand refresh-client" -s U -d 'Show a part further up'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand refresh-client" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand refresh" -s l -d 'Query the terminal\'s clipboard, for a new buffer; with a pane (-l%0), for the program there' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand refresh" -s A -d 'In control mode, continue, pause or stop a pane\'s output' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand refresh" -s B -d 'In control mode, report changes of a format' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand refresh" -s C -d 'In control mode, the client\'s size' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand refresh" -s f -d 'Flags of the client, with commas between them' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand refresh" -s F -d 'The same, by its older name' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand refresh" -s t -d 'The client, by its terminal' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand refresh" -s c -d 'Show the part of the window around the cursor again'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand refresh" -s D -d 'Show a part further down'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand refresh" -s L -d 'Show a part further left'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand refresh" -s R -d 'Show a part further right'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand refresh" -s S -d 'Only redraw the status line'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand refresh" -s U -d 'Show a part further up'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand refresh" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand rename-session" -s t -d 'The session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand rename-session" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand rename" -s t -d 'The session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand rename" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand rename-window" -s t -d 'The window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand rename-window" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand renamew" -s t -d 'The window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand renamew" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand reopen" -s t -d 'The session\'s name, or its id as list-sessions -a prints it' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand reopen" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resize-pane" -s x -d 'Its width, in columns or per cent' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resize-pane" -s y -d 'Its height, in rows or per cent' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resize-pane" -s t -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resize-pane" -s D -d 'Move the border down'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resize-pane" -s L -d 'Move the border to the left'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resize-pane" -s M -d 'Begin to drag a border with the mouse'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resize-pane" -s R -d 'Move the border to the right'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resize-pane" -s T -d 'Drop the rows below the cursor and bring back as many from above'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resize-pane" -s U -d 'Move the border up'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resize-pane" -s Z -d 'Let it fill the window, or take its place again'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resize-pane" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resizep" -s x -d 'Its width, in columns or per cent' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resizep" -s y -d 'Its height, in rows or per cent' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resizep" -s t -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resizep" -s D -d 'Move the border down'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resizep" -s L -d 'Move the border to the left'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resizep" -s M -d 'Begin to drag a border with the mouse'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resizep" -s R -d 'Move the border to the right'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resizep" -s T -d 'Drop the rows below the cursor and bring back as many from above'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resizep" -s U -d 'Move the border up'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resizep" -s Z -d 'Let it fill the window, or take its place again'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resizep" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resize-window" -s x -d 'Its columns' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resize-window" -s y -d 'Its rows' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resize-window" -s t -d 'The window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resize-window" -s a -d 'As the smallest client that shows it'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resize-window" -s A -d 'As the largest client that shows it'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resize-window" -s D -d 'Make it higher'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resize-window" -s L -d 'Make it narrower'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resize-window" -s R -d 'Make it wider'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resize-window" -s U -d 'Make it lower'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resize-window" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resizew" -s x -d 'Its columns' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resizew" -s y -d 'Its rows' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resizew" -s t -d 'The window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resizew" -s a -d 'As the smallest client that shows it'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resizew" -s A -d 'As the largest client that shows it'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resizew" -s D -d 'Make it higher'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resizew" -s L -d 'Make it narrower'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resizew" -s R -d 'Make it wider'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resizew" -s U -d 'Make it lower'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand resizew" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand respawn-pane" -s c -d 'Directory to start in' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand respawn-pane" -s e -d 'Set a variable in the program\'s environment' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand respawn-pane" -s t -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand respawn-pane" -s k -d 'End the program that runs there'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand respawn-pane" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand respawnp" -s c -d 'Directory to start in' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand respawnp" -s e -d 'Set a variable in the program\'s environment' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand respawnp" -s t -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand respawnp" -s k -d 'End the program that runs there'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand respawnp" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand respawn-window" -s c -d 'Directory to start in' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand respawn-window" -s e -d 'Set a variable in the program\'s environment' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand respawn-window" -s t -d 'The window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand respawn-window" -s k -d 'End the program that runs there'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand respawn-window" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand respawnw" -s c -d 'Directory to start in' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand respawnw" -s e -d 'Set a variable in the program\'s environment' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand respawnw" -s t -d 'The window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand respawnw" -s k -d 'End the program that runs there'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand respawnw" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand restart-server" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand restore" -l tag -d 'Only sessions with this tag' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand restore" -s t -d 'The session, window or pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand restore" -s a -d 'All sessions'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand restore" -l dry-run -d 'Only print what would happen'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand restore" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand restore" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand wake" -l tag -d 'Only sessions with this tag' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand wake" -s t -d 'The session, window or pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand wake" -s a -d 'All sessions'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand wake" -l dry-run -d 'Only print what would happen'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand wake" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand wake" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand rotate-window" -s t -d 'The window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand rotate-window" -s D -d 'Downwards'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand rotate-window" -s U -d 'Upwards'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand rotate-window" -s Z -d 'Keep the window zoomed'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand rotate-window" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand rotatew" -s t -d 'The window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand rotatew" -s D -d 'Downwards'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand rotatew" -s U -d 'Upwards'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand rotatew" -s Z -d 'Keep the window zoomed'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand rotatew" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand run-shell" -s d -d 'Wait for this long first' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand run-shell" -s t -d 'The pane its formats are about' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand run-shell" -s b -d 'Do not wait for it'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand run-shell" -s C -d 'It is a shellkeep command'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand run-shell" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand run" -s d -d 'Wait for this long first' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand run" -s t -d 'The pane its formats are about' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand run" -s b -d 'Do not wait for it'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand run" -s C -d 'It is a shellkeep command'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand run" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand save-buffer" -s b -d 'The buffer; the newest if none is named' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand save-buffer" -s a -d 'Append to the file'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand save-buffer" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand saveb" -s b -d 'The buffer; the newest if none is named' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand saveb" -s a -d 'Append to the file'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand saveb" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand search" -s A -d 'So many lines of context after each' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand search" -s B -d 'So many lines of context before each' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand search" -s C -d 'So many lines of context before and after each' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand search" -s F -d 'How to print each line' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand search" -s g -d 'Go to the line in copy mode: 1 is the newest' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand search" -s n -l limit -d 'No more lines than these, the newest; 0 for all' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand search" -s t -d 'Only in this session, window or pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand search" -l cwd -d 'Only in panes in this directory or below it' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand search" -l since -d 'Only lines that were printed at this time or later' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand search" -l state -d 'Only in sessions that are active, hibernated or archived' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand search" -l tag -d 'Only in sessions with this tag' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand search" -l until -d 'Only lines that were printed before this time' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand search" -s c -d 'Only how many lines were found in each pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand search" -s E -d 'The pattern is a regular expression'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand search" -s e -d 'In the colours in which they were printed'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand search" -s i -d 'Ignore case'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand search" -s l -d 'Only the panes in which something was found'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand search" -s s -d 'Case matters, even if the pattern has no capitals'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand search" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand search" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand select-layout" -s t -d 'A pane of the window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand select-layout" -s E -d 'Spread the pane and those beside it evenly'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand select-layout" -s n -d 'In the next way'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand select-layout" -s o -d 'As before the last change'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand select-layout" -s p -d 'In the previous way'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand select-layout" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand selectl" -s t -d 'A pane of the window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand selectl" -s E -d 'Spread the pane and those beside it evenly'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand selectl" -s n -d 'In the next way'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand selectl" -s o -d 'As before the last change'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand selectl" -s p -d 'In the previous way'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand selectl" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand select-pane" -s P -d 'Set its style' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand select-pane" -s T -d 'Set its title' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand select-pane" -s t -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand select-pane" -s D -d 'The one below'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand select-pane" -s d -d 'Disable input to the pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand select-pane" -s e -d 'Enable input to the pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand select-pane" -s L -d 'The one to the left'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand select-pane" -s l -d 'The one that was active before'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand select-pane" -s M -d 'Clear the marked pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand select-pane" -s m -d 'Mark the pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand select-pane" -s R -d 'The one to the right'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand select-pane" -s U -d 'The one above'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand select-pane" -s Z -d 'Keep the window zoomed'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand select-pane" -s g -d 'Show its style'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand select-pane" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand selectp" -s P -d 'Set its style' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand selectp" -s T -d 'Set its title' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand selectp" -s t -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand selectp" -s D -d 'The one below'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand selectp" -s d -d 'Disable input to the pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand selectp" -s e -d 'Enable input to the pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand selectp" -s L -d 'The one to the left'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand selectp" -s l -d 'The one that was active before'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand selectp" -s M -d 'Clear the marked pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand selectp" -s m -d 'Mark the pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand selectp" -s R -d 'The one to the right'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand selectp" -s U -d 'The one above'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand selectp" -s Z -d 'Keep the window zoomed'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand selectp" -s g -d 'Show its style'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand selectp" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand select-window" -s t -d 'The window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand select-window" -s l -d 'The one that was current before'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand select-window" -s n -d 'The next'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand select-window" -s p -d 'The previous'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand select-window" -s T -d 'The one before if it is current already'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand select-window" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand selectw" -s t -d 'The window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand selectw" -s l -d 'The one that was current before'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand selectw" -s n -d 'The next'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand selectw" -s p -d 'The previous'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand selectw" -s T -d 'The one before if it is current already'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand selectw" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send-keys" -s N -d 'Repeat it so many times' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send-keys" -s t -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send-keys" -s F -d 'Expand formats in the words of -X'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send-keys" -s H -d 'Each word is a byte in hexadecimal'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send-keys" -s l -d 'Type every word as text, also one that names a key'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send-keys" -s M -d 'Pass the mouse event on'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send-keys" -s R -d 'Reset the pane\'s terminal first'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send-keys" -s X -d 'The words are a command of copy mode'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send-keys" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send" -s N -d 'Repeat it so many times' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send" -s t -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send" -s F -d 'Expand formats in the words of -X'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send" -s H -d 'Each word is a byte in hexadecimal'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send" -s l -d 'Type every word as text, also one that names a key'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send" -s M -d 'Pass the mouse event on'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send" -s R -d 'Reset the pane\'s terminal first'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send" -s X -d 'The words are a command of copy mode'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send-prefix" -s t -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send-prefix" -s 2 -d 'The second prefix key'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send-prefix" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand server-access" -s t -d 'Not used' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand server-access" -s a -d 'Let this user in'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand server-access" -s d -d 'Keep this user out'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand server-access" -s l -d 'List the users'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand server-access" -s r -d 'Let this user only look'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand server-access" -s w -d 'Let this user type'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand server-access" -l json -d 'Print the list as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand server-access" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-buffer" -s b -d 'The buffer; a new one if none is named' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-buffer" -s n -d 'Its new name' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-buffer" -s t -d 'The client for -w' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-buffer" -s a -d 'Append to it'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-buffer" -s w -d 'Also send it to the terminal\'s clipboard'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-buffer" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand setb" -s b -d 'The buffer; a new one if none is named' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand setb" -s n -d 'Its new name' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand setb" -s t -d 'The client for -w' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand setb" -s a -d 'Append to it'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand setb" -s w -d 'Also send it to the terminal\'s clipboard'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand setb" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-environment" -s t -d 'The session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-environment" -s F -d 'Expand formats in the value'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-environment" -s h -d 'Only for formats and configurations: programs do not get it'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-environment" -s g -d 'For every session'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-environment" -s r -d 'Programs do not get it, even if the server has it'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-environment" -s u -d 'Forget it'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-environment" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand setenv" -s t -d 'The session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand setenv" -s F -d 'Expand formats in the value'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand setenv" -s h -d 'Only for formats and configurations: programs do not get it'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand setenv" -s g -d 'For every session'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand setenv" -s r -d 'Programs do not get it, even if the server has it'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand setenv" -s u -d 'Forget it'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand setenv" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-hook" -s t -d 'The session, window or pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-hook" -s a -d 'Append to what is there'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-hook" -s g -d 'For every session or window'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-hook" -s p -d 'For the pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-hook" -s R -d 'Run it now'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-hook" -s u -d 'Forget it'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-hook" -s w -d 'For the window'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-hook" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-option" -s t -d 'The session, window or pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-option" -s a -d 'Append to what is there'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-option" -s F -d 'Expand formats in the value'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-option" -s g -d 'For every session or window that has not set it itself'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-option" -s o -d 'Only if it is not set yet'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-option" -s p -d 'For the pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-option" -s q -d 'Say nothing about an unknown option'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-option" -s s -d 'A server option'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-option" -s u -d 'Take it back to what it was before'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-option" -s U -d 'As -u, and in every pane of the window'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-option" -s w -d 'For the window'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-option" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set" -s t -d 'The session, window or pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set" -s a -d 'Append to what is there'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set" -s F -d 'Expand formats in the value'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set" -s g -d 'For every session or window that has not set it itself'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set" -s o -d 'Only if it is not set yet'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set" -s p -d 'For the pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set" -s q -d 'Say nothing about an unknown option'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set" -s s -d 'A server option'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set" -s u -d 'Take it back to what it was before'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set" -s U -d 'As -u, and in every pane of the window'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set" -s w -d 'For the window'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-window-option" -s t -d 'The window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-window-option" -s a -d 'Append to what is there'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-window-option" -s F -d 'Expand formats in the value'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-window-option" -s g -d 'For every window that has not set it itself'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-window-option" -s o -d 'Only if it is not set yet'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-window-option" -s q -d 'Say nothing about an unknown option'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-window-option" -s u -d 'Take it back to what it was before'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-window-option" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand setw" -s t -d 'The window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand setw" -s a -d 'Append to what is there'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand setw" -s F -d 'Expand formats in the value'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand setw" -s g -d 'For every window that has not set it itself'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand setw" -s o -d 'Only if it is not set yet'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand setw" -s q -d 'Say nothing about an unknown option'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand setw" -s u -d 'Take it back to what it was before'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand setw" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-buffer" -s b -d 'The buffer; the newest if none is named' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-buffer" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-buffer" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand showb" -s b -d 'The buffer; the newest if none is named' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand showb" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand showb" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-environment" -s t -d 'The session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-environment" -s h -d 'Only the hidden variables'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-environment" -s g -d 'For every session'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-environment" -s s -d 'As commands for a shell'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-environment" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-environment" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand showenv" -s t -d 'The session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand showenv" -s h -d 'Only the hidden variables'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand showenv" -s g -d 'For every session'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand showenv" -s s -d 'As commands for a shell'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand showenv" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand showenv" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-hooks" -s t -d 'The session, window or pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-hooks" -s g -d 'For every session or window'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-hooks" -s p -d 'For the pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-hooks" -s w -d 'For the window'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-hooks" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-hooks" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-messages" -s t -d 'The client' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-messages" -s J -d 'Show running shell commands'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-messages" -s T -d 'Show the terminals and their features'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-messages" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-messages" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand showmsgs" -s t -d 'The client' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand showmsgs" -s J -d 'Show running shell commands'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand showmsgs" -s T -d 'Show the terminals and their features'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand showmsgs" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand showmsgs" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-options" -s t -d 'The session, window or pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-options" -s A -d 'Also those that were not set'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-options" -s g -d 'For every session or window'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-options" -s H -d 'Also the hooks'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-options" -s p -d 'For the pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-options" -s q -d 'Say nothing about an unknown option'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-options" -s s -d 'Those of the server'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-options" -s v -d 'Only the value'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-options" -s w -d 'For the window'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-options" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-options" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show" -s t -d 'The session, window or pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show" -s A -d 'Also those that were not set'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show" -s g -d 'For every session or window'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show" -s H -d 'Also the hooks'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show" -s p -d 'For the pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show" -s q -d 'Say nothing about an unknown option'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show" -s s -d 'Those of the server'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show" -s v -d 'Only the value'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show" -s w -d 'For the window'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-prompt-history" -s T -d 'Only at prompts of this type' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-prompt-history" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-prompt-history" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand showphist" -s T -d 'Only at prompts of this type' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand showphist" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand showphist" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-window-options" -s t -d 'The window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-window-options" -s g -d 'For every window'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-window-options" -s v -d 'Only the value'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-window-options" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-window-options" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand showw" -s t -d 'The window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand showw" -s g -d 'For every window'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand showw" -s v -d 'Only the value'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand showw" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand showw" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand source-file" -s F -d 'Expand formats in the names'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand source-file" -s n -d 'Read the commands but do not run them'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand source-file" -s q -d 'No error for a missing file'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand source-file" -s v -d 'Print the commands'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand source-file" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand source" -s F -d 'Expand formats in the names'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand source" -s n -d 'Read the commands but do not run them'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand source" -s q -d 'No error for a missing file'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand source" -s v -d 'Print the commands'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand source" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand split-window" -s c -d 'Directory to start in' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand split-window" -s e -d 'Set a variable in the program\'s environment' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand split-window" -s F -d 'What -P prints' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand split-window" -s l -d 'Size of the new one, in cells or per cent' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand split-window" -s p -d 'Size of the new one, in per cent' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand split-window" -s t -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand split-window" -s b -d 'Put the new one to the left or above'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand split-window" -s d -d 'Do not make it the active pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand split-window" -s f -d 'Across the whole window'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand split-window" -s h -d 'Side by side'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand split-window" -s I -d 'An empty pane that shows what is sent to it'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand split-window" -s P -d 'Print where it is'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand split-window" -s v -d 'One above the other'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand split-window" -s Z -d 'Zoom the window'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand split-window" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand splitw" -s c -d 'Directory to start in' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand splitw" -s e -d 'Set a variable in the program\'s environment' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand splitw" -s F -d 'What -P prints' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand splitw" -s l -d 'Size of the new one, in cells or per cent' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand splitw" -s p -d 'Size of the new one, in per cent' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand splitw" -s t -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand splitw" -s b -d 'Put the new one to the left or above'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand splitw" -s d -d 'Do not make it the active pane'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand splitw" -s f -d 'Across the whole window'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand splitw" -s h -d 'Side by side'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand splitw" -s I -d 'An empty pane that shows what is sent to it'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand splitw" -s P -d 'Print where it is'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand splitw" -s v -d 'One above the other'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand splitw" -s Z -d 'Zoom the window'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand splitw" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand start-server" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand start" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand stats" -l json -d 'Print it as JSON'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand stats" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand suspend-client" -s t -d 'The client, by its terminal' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand suspend-client" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand suspendc" -s t -d 'The client, by its terminal' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand suspendc" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand swap-pane" -s s -d 'The one; the marked pane if there is one' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand swap-pane" -s t -d 'The other' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand swap-pane" -s d -d 'Leave the same place active'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand swap-pane" -s D -d 'With the one below'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand swap-pane" -s U -d 'With the one above'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand swap-pane" -s Z -d 'Keep the window zoomed'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand swap-pane" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand swapp" -s s -d 'The one; the marked pane if there is one' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand swapp" -s t -d 'The other' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand swapp" -s d -d 'Leave the same place active'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand swapp" -s D -d 'With the one below'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand swapp" -s U -d 'With the one above'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand swapp" -s Z -d 'Keep the window zoomed'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand swapp" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand swap-window" -s s -d 'The one; that of the marked pane if there is one' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand swap-window" -s t -d 'The other' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand swap-window" -s d -d 'Leave the same place current'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand swap-window" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand swapw" -s s -d 'The one; that of the marked pane if there is one' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand swapw" -s t -d 'The other' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand swapw" -s d -d 'Leave the same place current'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand swapw" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand switch-client" -s c -d 'The client' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand switch-client" -s t -d 'The session, window or pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand switch-client" -s T -d 'The key table its next key is looked up in' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand switch-client" -s E -d 'Leave the session\'s environment as it is'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand switch-client" -s F -d 'No effect; accepted as in tmux'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand switch-client" -s l -d 'The one that was shown before'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand switch-client" -s n -d 'The next'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand switch-client" -s p -d 'The previous'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand switch-client" -s r -d 'Make the client read-only, or writable again'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand switch-client" -s Z -d 'Keep the window zoomed'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand switch-client" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand switchc" -s c -d 'The client' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand switchc" -s t -d 'The session, window or pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand switchc" -s T -d 'The key table its next key is looked up in' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand switchc" -s E -d 'Leave the session\'s environment as it is'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand switchc" -s F -d 'No effect; accepted as in tmux'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand switchc" -s l -d 'The one that was shown before'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand switchc" -s n -d 'The next'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand switchc" -s p -d 'The previous'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand switchc" -s r -d 'Make the client read-only, or writable again'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand switchc" -s Z -d 'Keep the window zoomed'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand switchc" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand tag" -s t -d 'The session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand tag" -s d -d 'Remove these tags; all of them if none is named'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand tag" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand tmux-shim" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand unbind-key" -s T -d 'The key table' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand unbind-key" -s a -d 'Every key of the table'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand unbind-key" -s n -d 'In the root table'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand unbind-key" -s q -d 'No error if there is none'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand unbind-key" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand unbind" -s T -d 'The key table' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand unbind" -s a -d 'Every key of the table'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand unbind" -s n -d 'In the root table'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand unbind" -s q -d 'No error if there is none'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand unbind" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand unlink-window" -s t -d 'The window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand unlink-window" -s k -d 'End it if no other session shows it'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand unlink-window" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand unlinkw" -s t -d 'The window' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand unlinkw" -s k -d 'End it if no other session shows it'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand unlinkw" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand wait-for" -s L -d 'Lock the channel, and wait until it can be locked'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand wait-for" -s S -d 'Wake all waiting commands'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand wait-for" -s U -d 'Unlock the channel'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand wait-for" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand wait" -s L -d 'Lock the channel, and wait until it can be locked'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand wait" -s S -d 'Wake all waiting commands'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand wait" -s U -d 'Unlock the channel'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand wait" -l help -d 'Print help'
