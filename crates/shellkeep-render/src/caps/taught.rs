//! Capabilities set by the user: `terminal-features`, and `terminal-overrides` as far as they concern the same
//! features.

use super::{Caps, Colors, Features};

/// tmux's names of features, and ours.
const FEATURES: &[(&str, Features)] = &[
    ("bpaste", Features::PASTE),
    ("clipboard", Features::CLIPBOARD),
    ("cstyle", Features::CURSOR_SHAPE),
    ("extkeys", Features::EXTENDED_KEYS),
    ("focus", Features::FOCUS),
    ("hyperlinks", Features::LINKS),
    ("margins", Features::MARGINS),
    ("mouse", Features::MOUSE),
    ("overline", Features::OVERLINE),
    ("strikethrough", Features::STRIKE),
    ("sync", Features::SYNC),
    ("title", Features::TITLE),
    (
        "usstyle",
        Features::STYLED_UNDERLINE.union(Features::UNDERLINE_COLOR),
    ),
];

/// The capabilities with which configurations set these features.
const CAPABILITIES: &[(&str, Features)] = &[
    ("Cmg", Features::MARGINS),
    ("Enbp", Features::PASTE),
    ("Eneks", Features::EXTENDED_KEYS),
    ("Enfcs", Features::FOCUS),
    ("Hls", Features::LINKS),
    ("Ms", Features::CLIPBOARD),
    ("Se", Features::CURSOR_SHAPE),
    ("Setulc", Features::UNDERLINE_COLOR),
    ("Smol", Features::OVERLINE),
    ("Smulx", Features::STYLED_UNDERLINE),
    ("Ss", Features::CURSOR_SHAPE),
    ("Sync", Features::SYNC),
    ("acsc", Features::LINE_DRAWING),
    ("bce", Features::BCE),
    ("sitm", Features::ITALIC),
    ("smacs", Features::LINE_DRAWING),
    ("smxx", Features::STRIKE),
    ("tsl", Features::TITLE),
];

fn find(table: &[(&str, Features)], name: &str) -> Option<Features> {
    let mut rows = table.iter();
    rows.find(|row| row.0 == name).map(|row| row.1)
}

impl Caps {
    /// Adds a feature by its name. Unknown names are ignored.
    pub fn teach_feature(&mut self, name: &str) {
        match name {
            "RGB" => self.colors = Colors::True,
            "256" => self.colors = self.colors.max(Colors::Palette256),
            _ => self.features |= find(FEATURES, name).unwrap_or_default(),
        }
    }

    /// Adds a terminfo capability: `Tc`, `smxx=\E[9m`, `colors=256`, or `Ss@` for one that is absent. Capabilities that
    /// do not concern what we send are ignored.
    pub fn teach_capability(&mut self, capability: &str) {
        let (name, value) = capability.split_once('=').unwrap_or((capability, ""));
        let (name, has) = match name.strip_suffix('@') {
            Some(name) => (name, false),
            None => (name, true),
        };
        match name {
            "Tc" | "RGB" if has => self.colors = Colors::True,
            "Tc" | "RGB" => self.colors = self.colors.min(Colors::Palette256),
            "colors" => self.colors = value.parse().map_or(self.colors, Colors::from_count),
            _ => self
                .features
                .set(find(CAPABILITIES, name).unwrap_or_default(), has),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Environment;
    use super::*;

    fn xterm() -> Caps {
        Caps::detect(&Environment {
            term: "xterm-256color",
            ..Environment::default()
        })
    }

    #[test]
    fn features_are_added_and_unknown_names_passed_over() {
        let mut caps = xterm();
        assert!(!caps.has(Features::STRIKE | Features::LINKS));
        for name in ["RGB", "strikethrough", "hyperlinks", "rectfill"] {
            caps.teach_feature(name);
        }
        assert_eq!(caps.colors, Colors::True);
        assert!(caps.has(Features::STRIKE | Features::LINKS));
        caps.teach_feature("256");
        assert_eq!(caps.colors, Colors::True, "it has more already");
    }

    #[test]
    fn capabilities_are_added_taken_away_and_counted() {
        let mut caps = xterm();
        caps.teach_capability("Tc");
        assert_eq!(caps.colors, Colors::True);
        caps.teach_capability("Tc@");
        assert_eq!(caps.colors, Colors::Palette256);
        caps.teach_capability("colors=8");
        assert_eq!(caps.colors, Colors::Ansi8);
        caps.teach_capability("colors=many");
        assert_eq!(caps.colors, Colors::Ansi8);
        let before = caps;
        caps.teach_capability("smkx=\\E[?1h");
        assert_eq!(caps, before);
        caps.teach_capability("smxx=\\E[9m");
        caps.teach_capability("Ss@");
        assert!(caps.has(Features::STRIKE) && !caps.has(Features::CURSOR_SHAPE));
    }
}
