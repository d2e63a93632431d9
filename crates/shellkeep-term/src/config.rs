//! The settings of an engine, chosen by the owner of the pane.

/// Where sealed pages of history live.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// In memory; the oldest are compressed.
    #[default]
    Memory,
    /// With a [`crate::PageStore`], once they have been taken with [`crate::Emulator::take_sealed`].
    Store,
}

/// Settings of an engine. `Default` is right for a pane without a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    pub keep: Keep,
    /// The most rows of history, counted at the width of the screen. Above it the oldest go, about a tenth of the limit
    /// at once, even if a store has not taken them yet. 0 keeps none, `usize::MAX` all.
    pub history_limit: usize,
    /// Bytes of sealed pages that may stay uncompressed in memory.
    pub uncompressed_budget: usize,
    /// The longest OSC or DCS that is executed. Longer ones are ignored.
    pub string_limit: usize,
    /// The answer to ENQ.
    pub answerback: String,
    /// The name and version that XTVERSION reports.
    pub name: String,
    /// Whether a program may read titles back (XTWINOPS 20 and 21). Off by default: a file that is printed could set a
    /// title and have the terminal type it as input.
    pub report_title: bool,
    /// Whether a program may read the screen through checksums (DECRQCRA). Meant for tests.
    pub report_checksum: bool,
    /// Height and width of a cell in pixels, if known.
    pub cell_pixels: Option<(u16, u16)>,
    /// The foreground, background and cursor colours to report to a program that has not set them; `None` leaves the
    /// query unanswered.
    pub default_colors: Option<DefaultColors>,
}

/// The colours of the outer terminal, as far as they are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DefaultColors {
    pub foreground: (u8, u8, u8),
    pub background: (u8, u8, u8),
    pub cursor: (u8, u8, u8),
}

impl Default for Config {
    fn default() -> Self {
        Self {
            keep: Keep::Memory,
            history_limit: 10_000,
            uncompressed_budget: 1280 << 10,
            string_limit: 1 << 20,
            answerback: String::new(),
            name: concat!("shellkeep ", env!("CARGO_PKG_VERSION")).to_owned(),
            report_title: false,
            report_checksum: false,
            cell_pixels: None,
            default_colors: None,
        }
    }
}
