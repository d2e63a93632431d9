# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_shellkeep_global_optspecs
    string join \n L= S= f= V help
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
complete -c shellkeep -n "__fish_shellkeep_needs_command" -s V -d 'Print the version'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "attach-session" -d 'Show a session in this terminal'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "attach" -d 'Show a session in this terminal'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "capture-pane" -d 'Print what a pane shows'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "capturep" -d 'Print what a pane shows'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "detach-client" -d 'Give a client\'s terminal back; the session goes on'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "detach" -d 'Give a client\'s terminal back; the session goes on'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "has-session" -d 'Succeed if there is such a session, fail if not'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "has" -d 'Succeed if there is such a session, fail if not'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "kill-server" -d 'End every session, every program and the server'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "kill-session" -d 'End a session and the programs in it'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "list-commands" -d 'List the commands and their arguments'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "lscm" -d 'List the commands and their arguments'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "list-sessions" -d 'List the sessions'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "ls" -d 'List the sessions'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "new-session" -d 'Open a session with a program in it'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "new" -d 'Open a session with a program in it'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "refresh-client" -d 'Paint a client\'s terminal anew'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "refresh" -d 'Paint a client\'s terminal anew'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "rename-session" -d 'Give a session another name'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "rename" -d 'Give a session another name'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "restart-server" -d 'Replace the server by the program this command is run from; every program goes on'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "send-keys" -d 'Type into a pane'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "send" -d 'Type into a pane'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "send-prefix" -d 'Type the prefix key into a pane'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "set-option" -d 'Set an option'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "set" -d 'Set an option'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "show-options" -d 'Show options and their values'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "show" -d 'Show options and their values'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "source-file" -d 'Run the commands in a file'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "source" -d 'Run the commands in a file'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "start-server" -d 'Start the server if there is none'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "start" -d 'Start the server if there is none'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "suspend-client" -d 'Stop a client as C-z stops a program; `fg` brings it back'
complete -c shellkeep -n "__fish_shellkeep_needs_command" -f -a "suspendc" -d 'Stop a client as C-z stops a program; `fg` brings it back'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand attach-session" -s t -d 'The session; the one used last if none is named' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand attach-session" -s d -d 'Detach all other clients of the session'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand attach-session" -s r -d 'Only look: keys other than those that detach do nothing'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand attach-session" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand attach" -s t -d 'The session; the one used last if none is named' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand attach" -s d -d 'Detach all other clients of the session'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand attach" -s r -d 'Only look: keys other than those that detach do nothing'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand attach" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capture-pane" -s t -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capture-pane" -s S -d 'First line: 0 is the top of the screen, -1 the line above it, - the oldest there is' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capture-pane" -s E -d 'Last line: as for -S; - is the bottom of the screen' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capture-pane" -s p -d 'Print it to standard output'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capture-pane" -s J -d 'Join wrapped lines and keep trailing spaces'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capture-pane" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capturep" -s t -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capturep" -s S -d 'First line: 0 is the top of the screen, -1 the line above it, - the oldest there is' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capturep" -s E -d 'Last line: as for -S; - is the bottom of the screen' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capturep" -s p -d 'Print it to standard output'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capturep" -s J -d 'Join wrapped lines and keep trailing spaces'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand capturep" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand detach-client" -s t -d 'The client, by its terminal; the one that asks if none is named' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand detach-client" -s s -d 'Every client of this session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand detach-client" -s a -d 'Every client but this one'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand detach-client" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand detach" -s t -d 'The client, by its terminal; the one that asks if none is named' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand detach" -s s -d 'Every client of this session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand detach" -s a -d 'Every client but this one'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand detach" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand has-session" -s t -d 'The session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand has-session" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand has" -s t -d 'The session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand has" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand kill-server" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand kill-session" -s t -d 'The session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand kill-session" -s a -d 'Every session but this one'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand kill-session" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-commands" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand lscm" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand list-sessions" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand ls" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-session" -s s -d 'Name of the session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-session" -s x -d 'Columns of a session that nobody looks at' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-session" -s y -d 'Rows of a session that nobody looks at' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-session" -s c -d 'Directory to start in' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-session" -s e -d 'Set a variable in the session\'s environment' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-session" -s d -d 'Do not show it'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-session" -s A -d 'Attach to the session if one of this name exists'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new-session" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new" -s s -d 'Name of the session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new" -s x -d 'Columns of a session that nobody looks at' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new" -s y -d 'Rows of a session that nobody looks at' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new" -s c -d 'Directory to start in' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new" -s e -d 'Set a variable in the session\'s environment' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new" -s d -d 'Do not show it'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new" -s A -d 'Attach to the session if one of this name exists'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand new" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand refresh-client" -s t -d 'The client, by its terminal' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand refresh-client" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand refresh" -s t -d 'The client, by its terminal' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand refresh" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand rename-session" -s t -d 'The session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand rename-session" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand rename" -s t -d 'The session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand rename" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand restart-server" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send-keys" -s t -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send-keys" -s N -d 'Do it so many times' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send-keys" -s l -d 'Type every word as text, also one that names a key'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send-keys" -s H -d 'Each word is a byte in hexadecimal'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send-keys" -s R -d 'Reset the pane\'s terminal first'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send-keys" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send" -s t -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send" -s N -d 'Do it so many times' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send" -s l -d 'Type every word as text, also one that names a key'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send" -s H -d 'Each word is a byte in hexadecimal'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send" -s R -d 'Reset the pane\'s terminal first'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send-prefix" -s t -d 'The pane' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand send-prefix" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-option" -s t -d 'The session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-option" -s g -d 'For every session that has not set it itself'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-option" -s s -d 'A server option'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-option" -s u -d 'Take it back to what it was before'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-option" -s q -d 'Say nothing about an unknown option'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set-option" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set" -s t -d 'The session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set" -s g -d 'For every session that has not set it itself'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set" -s s -d 'A server option'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set" -s u -d 'Take it back to what it was before'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set" -s q -d 'Say nothing about an unknown option'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand set" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-options" -s t -d 'The session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-options" -s g -d 'Those for every session'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-options" -s s -d 'Those of the server'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-options" -s v -d 'Only the value'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-options" -s q -d 'Say nothing about an unknown option'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-options" -s A -d 'Also those that were not set'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show-options" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show" -s t -d 'The session' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show" -s g -d 'Those for every session'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show" -s s -d 'Those of the server'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show" -s v -d 'Only the value'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show" -s q -d 'Say nothing about an unknown option'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show" -s A -d 'Also those that were not set'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand show" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand source-file" -s q -d 'Say nothing about a file that is not there'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand source-file" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand source" -s q -d 'Say nothing about a file that is not there'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand source" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand start-server" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand start" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand suspend-client" -s t -d 'The client, by its terminal' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand suspend-client" -l help -d 'Print help'
complete -c shellkeep -n "__fish_shellkeep_using_subcommand suspendc" -s t -d 'The client, by its terminal' -r
complete -c shellkeep -n "__fish_shellkeep_using_subcommand suspendc" -l help -d 'Print help'
