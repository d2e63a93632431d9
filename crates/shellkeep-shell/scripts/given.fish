# What a shell is given by the pane that it is in.
set -g __shellkeep_dir $SHELLKEEP_SHELL_DIR
set -e SHELLKEEP_SHELL_DIR
# The directory in which `tmux` is this server, if that is to be in PATH.
set -g __shellkeep_shim $SHELLKEEP_SHIM
set -e SHELLKEEP_SHIM
# What the terminal and the session gave: what is something else when a question comes is the user's own. A new shell was told what that
# was, since the user's files have run.
set -g __shellkeep_outside DISPLAY STY TERM TERM_PROGRAM TERM_PROGRAM_VERSION WAYLAND_DISPLAY XAUTHORITY SSH_AGENT_PID SSH_ASKPASS SSH_AUTH_SOCK SSH_CLIENT SSH_CONNECTION SSH_TTY TMUX TMUX_PANE
if set -q SHELLKEEP_GIVEN
    set -g __shellkeep_given (builtin string split \n -- $SHELLKEEP_GIVEN)
    set -e SHELLKEEP_GIVEN
else
    # A word with a variable that is not there is no word.
    set -g __shellkeep_given DISPLAY=$DISPLAY STY=$STY TERM=$TERM TERM_PROGRAM=$TERM_PROGRAM TERM_PROGRAM_VERSION=$TERM_PROGRAM_VERSION WAYLAND_DISPLAY=$WAYLAND_DISPLAY XAUTHORITY=$XAUTHORITY SSH_AGENT_PID=$SSH_AGENT_PID SSH_ASKPASS=$SSH_ASKPASS SSH_AUTH_SOCK=$SSH_AUTH_SOCK SSH_CLIENT=$SSH_CLIENT SSH_CONNECTION=$SSH_CONNECTION SSH_TTY=$SSH_TTY TMUX=$TMUX TMUX_PANE=$TMUX_PANE
end
# What is the user's; one that comes back may be shown another.
set -g __shellkeep_config $__fish_config_dir
