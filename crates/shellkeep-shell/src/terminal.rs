//! The terminal settings that a shell gives to the programs that it starts, as changed by `stty` in a user's file.

use nix::libc::_POSIX_VDISABLE;
use nix::sys::termios::SpecialCharacterIndices as Key;
use nix::sys::termios::{InputFlags, LocalFlags, Termios};

use crate::shell::Shell;

/// The characters of a new terminal for the keys that line editors use themselves.
const NEW: [(Key, u8); 6] = [
    (Key::VQUIT, 0x1c),
    (Key::VSUSP, 0x1a),
    (Key::VLNEXT, 0x16),
    (Key::VDISCARD, 0x0f),
    (Key::VSTART, 0x11),
    (Key::VSTOP, 0x13),
];

/// The keys that a shell's line editor uses itself. At the prompt, their settings for programs cannot be read. Fish
/// uses the whole terminal, and the settings for programs are not visible at all.
const fn taken(shell: Shell) -> Option<&'static [Key]> {
    match shell {
        Shell::Bash => Some(&[Key::VLNEXT, Key::VDISCARD]),
        Shell::Zsh => Some(&[Key::VQUIT, Key::VSUSP, Key::VLNEXT, Key::VDISCARD]),
        Shell::Fish => None,
    }
}

/// The settings that programs would get, computed from those of a shell at its prompt: what its line editor has changed
/// is as in a new terminal, everything else as it is. `None` if that is unknown.
pub(crate) fn for_programs(shell: Shell, mut settings: Termios) -> Option<Termios> {
    let mut put_back = taken(shell)?.to_vec();
    if settings.local_flags.contains(LocalFlags::ICANON) {
        return Some(settings);
    }
    settings.input_flags |= InputFlags::ICRNL;
    settings.input_flags -= InputFlags::INLCR;
    settings.local_flags |= LocalFlags::ICANON | LocalFlags::ECHO;
    let keys = &mut settings.control_chars;
    let is_off = |keys: &[u8], key: Key| keys[key as usize] == _POSIX_VDISABLE;
    // NO_FLOW_CONTROL applies to the line editor only.
    if shell == Shell::Zsh && is_off(keys, Key::VSTART) && is_off(keys, Key::VSTOP) {
        put_back.extend([Key::VSTART, Key::VSTOP]);
        settings.input_flags |= InputFlags::IXON;
    }
    for (key, value) in NEW {
        if put_back.contains(&key) && is_off(keys, key) {
            keys[key as usize] = value;
        }
    }
    Some(settings)
}

/// The words of flags for input, output and local modes, then the control characters, in hexadecimal and separated by
/// colons.
pub(crate) fn encode(settings: &Termios) -> Vec<u8> {
    let flags = format!(
        "{:x}:{:x}:{:x}",
        settings.input_flags.bits(),
        settings.output_flags.bits(),
        settings.local_flags.bits()
    );
    let keys = settings.control_chars.iter();
    let keys: String = keys.map(|key| format!(":{key:x}")).collect();
    (flags + &keys).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::sys::termios::tcgetattr;

    fn new() -> Termios {
        let pty = nix::pty::openpty(None, None).unwrap();
        tcgetattr(pty.slave).unwrap()
    }

    /// The settings as a line editor changes them.
    fn at_a_prompt(shell: Shell, mut settings: Termios) -> Termios {
        settings.input_flags -= InputFlags::ICRNL;
        settings.local_flags -= LocalFlags::ICANON | LocalFlags::ECHO;
        for key in taken(shell).unwrap() {
            settings.control_chars[*key as usize] = _POSIX_VDISABLE;
        }
        settings
    }

    #[test]
    fn settings_of_line_editors_are_reset_and_others_kept() {
        for shell in [Shell::Bash, Shell::Zsh] {
            let mut user = new();
            user.input_flags -= InputFlags::IXON;
            user.control_chars[Key::VWERASE as usize] = _POSIX_VDISABLE;
            user.control_chars[Key::VERASE as usize] = 8;
            let prompt = at_a_prompt(shell, user.clone());
            assert_eq!(
                for_programs(shell, prompt).as_ref(),
                Some(&user),
                "{shell:?}"
            );
            assert_eq!(for_programs(shell, user.clone()).as_ref(), Some(&user));
        }
    }

    #[test]
    fn bash_leaves_keys_alone_that_zsh_takes() {
        let mut user = new();
        user.control_chars[Key::VSUSP as usize] = _POSIX_VDISABLE;
        let prompt = at_a_prompt(Shell::Bash, user.clone());
        assert_eq!(for_programs(Shell::Bash, prompt), Some(user));
    }

    #[test]
    fn encode_writes_flags_and_keys() {
        let mut settings = new();
        settings.input_flags = InputFlags::ICRNL;
        settings.control_chars.fill(0x1c);
        let text = String::from_utf8(encode(&settings)).unwrap();
        let mut words = text.split(':');
        let input = format!("{:x}", InputFlags::ICRNL.bits());
        assert_eq!(words.next(), Some(input.as_str()));
        assert_eq!(words.nth(2), Some("1c"));
    }
}
