//! Any text as a format, and as the value of an option that formats refer to: the evaluation ends soon and within its
//! limits.
#![no_main]

use std::borrow::Cow;

use libfuzzer_sys::fuzz_target;
use shellkeep_command::format::{
    LocalTime, Loop, Named, Position, Source, expand, expand_time,
};

struct Values<'v> {
    option: &'v str,
}

impl Source for Values<'_> {
    fn value(&self, name: &str) -> Option<Cow<'_, str>> {
        match name {
            "@a" => Some(Cow::Borrowed(self.option)),
            "session_name" => Some(Cow::Borrowed("日 a#[b]##c")),
            "t" => Some(Cow::Borrowed("1445765102")),
            _ => None,
        }
    }

    fn now(&self) -> i64 {
        1_800_000_000
    }

    fn local_time(&self, seconds: i64) -> LocalTime {
        LocalTime::new(seconds, 3_600, "CET")
    }

    fn job(&self, command: &str) -> String {
        command.to_owned()
    }

    fn for_each(&self, _: Loop, visit: &mut dyn FnMut(&dyn Source, Position)) {
        visit(self, Position::Other);
        visit(self, Position::Current);
    }

    fn search_pane(&self, fits: &dyn Fn(&str) -> bool) -> usize {
        usize::from(fits("some line"))
    }

    fn has_name(&self, _: Named, name: &str) -> bool {
        name == "x"
    }
}

fuzz_target!(|texts: (&str, &str)| {
    let source = Values { option: texts.1 };
    assert!(expand(texts.0, &source).len() <= 1 << 20);
    assert!(expand_time(texts.0, &source).len() <= 1 << 20);
});
