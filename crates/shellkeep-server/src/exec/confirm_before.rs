//! Asks before a command is run.

use shellkeep_command::cmd::confirm_before::Args;

use super::Outcome;
use crate::event_loop::{Patience, Purpose, Question, Server, front};
use crate::prompt::{PromptType, Taking};
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let client = super::client(server, caller, args.target.as_deref())?;
    let label = match &args.prompt {
        Some(prompt) => format!("{prompt} "),
        None => {
            let command = super::command_prompt::first_command(server, &args.command);
            format!("Confirm '{command}'? (y/n) ")
        }
    };
    let question = Question {
        label,
        input: String::new(),
    };
    let patience = match args.background {
        true => Patience::GoesOn,
        false => Patience::Waits,
    };
    let (asker, reply) = front::asker(&server.state, caller, client, patience);
    let purpose = Purpose::Confirm(args.command.clone());
    server.open_prompt(
        client,
        &question,
        Taking::Character,
        PromptType::Command,
        purpose,
        asker,
    );
    Ok(reply)
}
