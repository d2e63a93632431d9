//! What later versions have added to a dump. Version 2: more colours, the stack of SGR, 8-bit controls, the shell's
//! phase.

use super::{FIRST_DYNAMIC, put_bool, put_rgb, read_rgb};
use crate::emulator::prompt::ShellPhase;
use crate::emulator::sgr_stack::{MAX_SGR, SavedSgr};
use crate::emulator::terminal::Terminal;
use crate::grid::look::Look;
use crate::wire::{ByteReader, Malformed, put_number, put_wide};

pub(super) fn put(out: &mut Vec<u8>, terminal: &Terminal) {
    let palette = &terminal.palette;
    for color in palette.dynamic[FIRST_DYNAMIC..]
        .iter()
        .chain(&palette.special)
    {
        put_rgb(out, *color);
    }
    let stack = &terminal.sgr_stack;
    put_number(out, stack.saved.len() as u64);
    for saved in &stack.saved {
        put_wide(out, Look::new(&saved.style, 0, false).0);
        put_number(out, u64::from(saved.mask));
    }
    put_number(out, u64::from(stack.lost));
    put_bool(out, terminal.modes.eight_bit_controls);
    out.extend([terminal.conformance, terminal.shell.phase as u8]);
}

/// Version 4: where the shell's prompt is.
pub(super) fn put_prompt(out: &mut Vec<u8>, terminal: &Terminal) {
    let prompt = &terminal.shell.position;
    for number in [prompt.col, prompt.row, prompt.line] {
        put_number(out, u64::from(number));
    }
}

pub(super) fn read_prompt(
    reader: &mut ByteReader<'_>,
    terminal: &mut Terminal,
) -> Result<(), Malformed> {
    let prompt = &mut terminal.shell.position;
    for number in [&mut prompt.col, &mut prompt.row, &mut prompt.line] {
        *number = reader.small()?;
    }
    Ok(())
}

pub(super) fn read(reader: &mut ByteReader<'_>, terminal: &mut Terminal) -> Result<(), Malformed> {
    let palette = &mut terminal.palette;
    for color in palette.dynamic[FIRST_DYNAMIC..]
        .iter_mut()
        .chain(&mut palette.special)
    {
        *color = read_rgb(reader)?;
    }
    let depth = reader.count()?;
    if depth > MAX_SGR {
        return Err(Malformed);
    }
    for _ in 0..depth {
        let style = Look(reader.wide()?).style();
        let mask = reader.small()?;
        terminal.sgr_stack.saved.push(SavedSgr { style, mask });
    }
    terminal.sgr_stack.lost = reader.small()?;
    terminal.modes.eight_bit_controls = reader.flag()?;
    terminal.conformance = reader.byte()?;
    terminal.shell.phase = match reader.byte()? {
        0 => ShellPhase::Unknown,
        1 => ShellPhase::Ended,
        2 => ShellPhase::Prompt,
        3 => ShellPhase::Redraw,
        4 => ShellPhase::Reading,
        5 => ShellPhase::Reread,
        _ => return Err(Malformed),
    };
    if (61..=65).contains(&terminal.conformance) {
        Ok(())
    } else {
        Err(Malformed)
    }
}
