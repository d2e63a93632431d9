//! Prints a systemd user unit, for users who want the server to start and stop with the machine.

use std::path::Path;

/// The unit, with instructions to install it.
pub(crate) fn text(program: &Path) -> String {
    // In quotes, systemd expands percent signs and dollars.
    let program = program.display().to_string();
    let program = program.replace('\\', "\\\\").replace('"', "\\\"");
    let program = program.replace('%', "%%").replace('$', "$$");
    format!(
        "\
# Save this as ~/.config/systemd/user/shellkeep.service, then type
#   systemctl --user daemon-reload
#   systemctl --user enable --now shellkeep
#   loginctl enable-linger
[Unit]
Description=shellkeep keeps terminal sessions
Documentation=man:shellkeep(1)

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=\"{program}\" start-server \\; set-option -s exit-empty off
ExecStop=\"{program}\" kill-server --keep
# A stop saves everything first; what runs in the sessions is not for systemd to end.
KillMode=process

[Install]
WantedBy=default.target
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_names_the_program_as_systemd_reads_it() {
        let text = text(Path::new("/opt/100%/shell \"keep\""));
        assert!(
            text.contains(
                "ExecStart=\"/opt/100%%/shell \\\"keep\\\"\" start-server \\; set-option"
            )
        );
    }
}
