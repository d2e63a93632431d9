//! Nothing to do: the server that runs this has been started.

use shellkeep_command::cmd::start_server::Args;

use super::{Outcome, Reply};

pub(super) fn run(Args {}: &Args) -> Outcome {
    Ok(Reply::default())
}
