//! The configuration: a text of commands. A bad line spoils only itself.

use shellkeep_command::lex::lex;

use crate::event_loop::Server;

/// Runs a configuration's commands; returns what was wrong, each with file and line.
pub(crate) fn load(server: &mut Server, file: &str, text: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    for line in lex(text) {
        let mut complain =
            |error: String| complaints.push(format!("{file}:{}: {error}", line.number));
        match line.commands {
            Err(error) => complain(error.to_string()),
            Ok(commands) => {
                for argv in commands {
                    if let Err(error) = server.run_unattended(&argv) {
                        complain(error);
                    }
                }
            }
        }
    }
    complaints
}
