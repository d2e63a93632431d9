//! The stacks of kitty keyboard flags.

/// The most flags on a stack. When there are more, the oldest are dropped.
const MAX_DEPTH: usize = 16;

/// The flags that the protocol knows.
const ALL_FLAGS: u16 = 31;

/// The stacks of the main and the alternate screen, innermost last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct KittyStacks {
    pub(crate) stacks: [Vec<u8>; 2],
}

impl KittyStacks {
    /// The flags in effect on a screen.
    pub(crate) fn top(&self, side: usize) -> u8 {
        self.stacks[side].last().copied().unwrap_or(0)
    }

    pub(crate) fn push(&mut self, side: usize, flags: u16) {
        let stack = &mut self.stacks[side];
        if stack.len() == MAX_DEPTH {
            stack.remove(0);
        }
        stack.push((flags & ALL_FLAGS) as u8);
    }

    pub(crate) fn pop(&mut self, side: usize, count: u16) {
        let stack = &mut self.stacks[side];
        stack.truncate(stack.len().saturating_sub(usize::from(count)));
    }

    /// Changes the flags in effect: sets them (1), adds some (2) or removes some (3).
    pub(crate) fn change(&mut self, side: usize, flags: u16, how: u16) {
        let (now, flags) = (self.top(side), (flags & ALL_FLAGS) as u8);
        let flags = match how {
            1 => flags,
            2 => now | flags,
            3 => now & !flags,
            _ => return,
        };
        match self.stacks[side].last_mut() {
            Some(top) => *top = flags,
            None => self.stacks[side].push(flags),
        }
    }
}
