//! `command-prompt`: asks the user for a command, or for arguments to put into one.

use std::collections::VecDeque;

use shellkeep_command::Script;
use shellkeep_command::cmd::command_prompt::Args;

use crate::commands::config::ConfigHost;
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::formats;
use crate::model::{PromptQuestion, Purpose};
use crate::modes::key_grab::AnswerWait;
use crate::modes::prompt_line::{PromptType, Taking};
use crate::modes::{key_grab, prompt};
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let client = targets::client(&server.model, caller, args.target.as_deref())?;
    // The client has a prompt open already.
    if key_grab::has_prompt(&server.model, client) {
        return Ok(Reply::default());
    }
    let kind = match &args.prompt_type {
        Some(name) => PromptType::find(name).map_err(|_| format!("unknown type: {name}"))?,
        None => PromptType::Command,
    };
    let taking = match args {
        Args { one_key: true, .. } => Taking::Character,
        Args { numeric: true, .. } => Taking::Number,
        Args {
            incremental: true, ..
        } => Taking::Changes,
        Args { key_name: true, .. } => Taking::KeyName,
        _ => Taking::Line,
    };
    let template = match &args.template {
        Some(template) if args.expand && !template.is_block() => {
            let found =
                targets::find(&server.model, caller, None, shellkeep_command::Target::Pane).ok();
            let scope = formats::scope(&server.model).client(Some(client));
            let scope = found.map_or(scope.clone(), |found| scope.found(found));
            Script::from(scope.expand(template))
        }
        Some(template) => template.clone(),
        None => Script::from("%1"),
    };
    let mut questions = questions(server, args);
    let Some(first) = questions.pop_front() else {
        return Ok(Reply::default());
    };
    let answer_wait = match args.background || args.incremental {
        true => AnswerWait::Continues,
        false => AnswerWait::Waits,
    };
    let (asker, reply) = key_grab::asker(&server.model, caller, client, answer_wait);
    let purpose = Purpose::Template {
        template,
        questions,
        answers: Vec::new(),
    };
    prompt::open_prompt(
        &mut server.model,
        client,
        &first,
        taking,
        kind,
        purpose,
        asker,
    );
    Ok(reply)
}

/// The questions in order, each with its initial answer.
fn questions(server: &mut Server, args: &Args) -> VecDeque<PromptQuestion> {
    let labels = match (&args.prompts, &args.template) {
        (Some(prompts), _) => prompts
            .split(',')
            .map(|label| format!("{label} "))
            .collect(),
        (None, Some(template)) => vec![format!("({}) ", first_command(server, template))],
        (None, None) => vec![":".to_owned()],
    };
    let mut inputs = args.inputs.iter().flat_map(|inputs| inputs.split(','));
    let questions = labels.into_iter().map(|label| PromptQuestion {
        label,
        input: inputs.next().unwrap_or_default().to_owned(),
    });
    questions.collect()
}

/// The name of the first command of a template.
pub(crate) fn first_command(server: &mut Server, template: &Script) -> String {
    let list = template
        .commands(&mut ConfigHost(&mut server.model))
        .unwrap_or_default();
    let words = list
        .commands()
        .next()
        .map(shellkeep_command::parse::Parsed::words);
    let first = words.and_then(|words| words.into_iter().next());
    first.unwrap_or_else(|| {
        template
            .split([' ', ','])
            .next()
            .unwrap_or_default()
            .to_owned()
    })
}
