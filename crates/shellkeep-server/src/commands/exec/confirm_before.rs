//! `confirm-before`: asks the user before a command runs.

use shellkeep_command::cmd::confirm_before::Args;

use crate::commands::queue::Caller;
use crate::commands::reply::Outcome;
use crate::commands::targets;
use crate::model::{PromptQuestion, Purpose};
use crate::modes::key_grab::AnswerWait;
use crate::modes::prompt_line::{PromptType, Taking};
use crate::modes::{key_grab, prompt};
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let client = targets::client(&server.model, caller, args.target.as_deref())?;
    let label = match &args.prompt {
        Some(prompt) => format!("{prompt} "),
        None => {
            let command =
                crate::commands::exec::command_prompt::first_command(server, &args.command);
            format!("Confirm '{command}'? (y/n) ")
        }
    };
    let question = PromptQuestion {
        label,
        input: String::new(),
    };
    let answer_wait = match args.background {
        true => AnswerWait::Continues,
        false => AnswerWait::Waits,
    };
    let (asker, reply) = key_grab::asker(&server.model, caller, client, answer_wait);
    let purpose = Purpose::Confirm(args.command.clone());
    prompt::open_prompt(
        &mut server.model,
        client,
        &question,
        Taking::Character,
        PromptType::Command,
        purpose,
        asker,
    );
    Ok(reply)
}
