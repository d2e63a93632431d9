//! What later versions of a dump added. Version 2: further colours, the stack of SGR, 8-bit controls, the shell's phase.

use super::{FIRST_DYNAMIC, put_bool, put_rgb, read_rgb};
use crate::emulator::screen::{Screen, ShellPhase};
use crate::emulator::sgr_stack::{MAX_SGR, SavedSgr};
use crate::grid::look::Look;
use crate::wire::{Malformed, Reader, put_number, put_wide};

pub(super) fn put(out: &mut Vec<u8>, screen: &Screen) {
    let palette = &screen.palette;
    for color in palette.dynamic[FIRST_DYNAMIC..]
        .iter()
        .chain(&palette.special)
    {
        put_rgb(out, *color);
    }
    let stack = &screen.sgr_stack;
    put_number(out, stack.saved.len() as u64);
    for saved in &stack.saved {
        put_wide(out, Look::new(&saved.style, 0, false).0);
        put_number(out, u64::from(saved.mask));
    }
    put_number(out, u64::from(stack.lost));
    put_bool(out, screen.modes.eight_bit_controls);
    out.extend([screen.conformance, screen.shell as u8]);
}

/// What version 4 added: where the shell's prompt is.
pub(super) fn put_prompt(out: &mut Vec<u8>, screen: &Screen) {
    let prompt = &screen.prompt;
    for number in [prompt.col, prompt.row, prompt.line] {
        put_number(out, u64::from(number));
    }
}

pub(super) fn read_prompt(reader: &mut Reader<'_>, screen: &mut Screen) -> Result<(), Malformed> {
    let prompt = &mut screen.prompt;
    for number in [&mut prompt.col, &mut prompt.row, &mut prompt.line] {
        *number = reader.small()?;
    }
    Ok(())
}

pub(super) fn read(reader: &mut Reader<'_>, screen: &mut Screen) -> Result<(), Malformed> {
    let palette = &mut screen.palette;
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
        screen.sgr_stack.saved.push(SavedSgr { style, mask });
    }
    screen.sgr_stack.lost = reader.small()?;
    screen.modes.eight_bit_controls = reader.flag()?;
    screen.conformance = reader.byte()?;
    screen.shell = match reader.byte()? {
        0 => ShellPhase::Unknown,
        1 => ShellPhase::Ended,
        2 => ShellPhase::Prompt,
        3 => ShellPhase::Redraw,
        4 => ShellPhase::Reading,
        5 => ShellPhase::Reread,
        _ => return Err(Malformed),
    };
    if (61..=65).contains(&screen.conformance) {
        Ok(())
    } else {
        Err(Malformed)
    }
}
