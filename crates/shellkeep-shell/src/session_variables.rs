//! Variables that belong to the terminal or the session, such as `DISPLAY`. A revived shell takes them from its new
//! environment. They are part of its state only if the shell has set them itself. The scripts have this list as well.

pub(crate) const OUTSIDE: &[&str] = &[
    "DISPLAY",
    "SSH_AGENT_PID",
    "SSH_ASKPASS",
    "SSH_AUTH_SOCK",
    "SSH_CLIENT",
    "SSH_CONNECTION",
    "SSH_TTY",
    "STY",
    "TERM",
    "TERM_PROGRAM",
    "TERM_PROGRAM_VERSION",
    "TMUX",
    "TMUX_PANE",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
];
const OUTSIDE_BEGINNINGS: &[&str] = &["SSH_", "TMUX"];

pub(crate) fn is_outside(name: &str) -> bool {
    let begins = |begin: &&str| name.starts_with(begin);
    OUTSIDE.contains(&name) || OUTSIDE_BEGINNINGS.iter().any(begins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_have_the_same_list_of_session_variables() {
        let answers = [
            include_str!("../scripts/answer.bash"),
            include_str!("../scripts/integration.zsh"),
            include_str!("../scripts/given.fish"),
        ];
        let given = [
            include_str!("../scripts/given.bash"),
            include_str!("../scripts/integration.zsh"),
        ];
        for name in OUTSIDE {
            let listed = format!(" {name} ");
            let listed = |text: &&str| text.replace('\n', " ").contains(&listed);
            assert!(answers.iter().all(listed), "{name}");
            let kept = format!("${{{name}+{name}=${name}$__shellkeep_break}}");
            assert!(given.iter().all(|text| text.contains(&kept)), "{name}");
            let kept = format!(" {name}=${name}");
            assert!(answers[2].contains(&kept), "{name}");
        }
    }
}
