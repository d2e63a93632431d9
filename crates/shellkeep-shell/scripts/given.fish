# What the pane gives to its shell.
set -g __shellkeep_dir $SHELLKEEP_SHELL_DIR
set -e SHELLKEEP_SHELL_DIR
# The directory in which `tmux` is this server, to be put into PATH.
set -g __shellkeep_shim $SHELLKEEP_SHIM
set -e SHELLKEEP_SHIM
# What the terminal and the session gave. A variable that differs at the time of a request was set by the user. A new
# shell gets this list from the server, because the user's files have run already.
set -g __shellkeep_outside DISPLAY STY TERM TERM_PROGRAM TERM_PROGRAM_VERSION WAYLAND_DISPLAY XAUTHORITY SSH_AGENT_PID SSH_ASKPASS SSH_AUTH_SOCK SSH_CLIENT SSH_CONNECTION SSH_TTY TMUX TMUX_PANE
if set -q SHELLKEEP_GIVEN
    set -g __shellkeep_given (builtin string split \n -- $SHELLKEEP_GIVEN)
    set -e SHELLKEEP_GIVEN
else
    # A word with an unset variable expands to nothing.
    set -g __shellkeep_given DISPLAY=$DISPLAY STY=$STY TERM=$TERM TERM_PROGRAM=$TERM_PROGRAM TERM_PROGRAM_VERSION=$TERM_PROGRAM_VERSION WAYLAND_DISPLAY=$WAYLAND_DISPLAY XAUTHORITY=$XAUTHORITY SSH_AGENT_PID=$SSH_AGENT_PID SSH_ASKPASS=$SSH_ASKPASS SSH_AUTH_SOCK=$SSH_AUTH_SOCK SSH_CLIENT=$SSH_CLIENT SSH_CONNECTION=$SSH_CONNECTION SSH_TTY=$SSH_TTY TMUX=$TMUX TMUX_PANE=$TMUX_PANE
end
# The user's configuration directory. A revived shell may have been started with another one.
set -g __shellkeep_config $__fish_config_dir
