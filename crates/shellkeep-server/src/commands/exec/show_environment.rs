//! `show-environment`: lists the variables for new programs.

use serde_json::{Value as Json, json};
use shellkeep_command::Target;
use shellkeep_command::cmd::show_environment::Args;

use crate::commands::exec::set_environment::no_session;
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::server::Server;

pub(crate) fn run(server: &Server, caller: &Caller, args: &Args) -> Outcome {
    let target = args.target.as_deref();
    let found = targets::find(&server.model, caller, target, Target::Session).ok();
    if target.is_some() && found.is_none() {
        return Err(no_session(target));
    }
    let environ = if args.global {
        &server.model.environ
    } else {
        let session = found.and_then(|found| server.model.sessions.get(&found.session));
        &session.ok_or_else(|| no_session(target))?.environ
    };
    let wanted = args.name.as_deref().map(str::as_bytes);
    if let (Some(wanted), Some(name)) = (wanted, &args.name)
        && !environ.pairs().any(|(known, _)| known == wanted)
    {
        return Err(format!("unknown variable: {name}"));
    }
    let listed = environ.pairs().filter(|(name, _)| {
        wanted.is_none_or(|wanted| wanted == *name) && environ.is_hidden(name) == args.hidden
    });
    if args.json {
        let all: Vec<Json> = listed
            .map(|(name, value)| {
                let value = value.map(String::from_utf8_lossy);
                let name = String::from_utf8_lossy(name);
                json!({ "name": name, "value": value, "hidden": args.hidden })
            })
            .collect();
        return Ok(crate::commands::exec::listing::json(&Json::from(all)));
    }
    let mut out = Vec::new();
    for (name, value) in listed {
        if args.shell {
            shell_line(name, value, &mut out);
        } else {
            plain_line(name, value, &mut out);
        }
    }
    Ok(Reply {
        stdout: out,
        ..Reply::default()
    })
}

fn plain_line(name: &[u8], value: Option<&[u8]>, out: &mut Vec<u8>) {
    match value {
        Some(value) => out.extend([name, b"=", value, b"\n"].concat()),
        None => out.extend([b"-", name, b"\n"].concat()),
    }
}

/// The variable as a shell command.
fn shell_line(name: &[u8], value: Option<&[u8]>, out: &mut Vec<u8>) {
    let Some(value) = value else {
        return out.extend([b"unset ", name, b";\n"].concat());
    };
    let mut quoted = Vec::with_capacity(value.len());
    for byte in value {
        if matches!(byte, b'$' | b'`' | b'"' | b'\\') {
            quoted.push(b'\\');
        }
        quoted.push(*byte);
    }
    out.extend([name, b"=\"", &quoted, b"\"; export ", name, b";\n"].concat());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Environ;

    #[test]
    fn line_for_a_shell_keeps_every_byte() {
        let mut environ = Environ::default();
        environ.set("Q", "a\"b$c`d\\e");
        environ.remove("GONE");
        let mut out = Vec::new();
        for (name, value) in environ.pairs() {
            shell_line(name, value, &mut out);
        }
        let text = String::from_utf8_lossy(&out);
        assert_eq!(text, "unset GONE;\nQ=\"a\\\"b\\$c\\`d\\\\e\"; export Q;\n");
    }
}
