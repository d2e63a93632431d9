use proptest::prelude::*;

use super::*;

/// Styles that tmux 3.3a accepts.
const ACCEPTED: &[&str] = &[
    "default",
    "none",
    "fg=red",
    "fg=COLOUR5",
    "fg=90",
    "fg=default",
    "fg=terminal",
    "fg=#FFAAbb",
    "fg=DarkSlateBlue",
    "bold",
    "BOLD",
    "nobold",
    "nobright",
    "noitalics",
    "nocurly-underscore",
    "strikethrough",
    "overline",
    "noacs",
    "bold,nobold",
    "bold,none",
    "nonone",
    "nodefault",
    "align=absolute-centre",
    "Align=Left",
    "NOALIGN",
    "list=right-marker",
    "LIST=ON",
    "nolist",
    "RANGE=LEFT",
    "range=window|3",
    "norange",
    "fG=red",
    "fill=default",
    "push-default",
    "pop-default",
    "ignore",
    "noignore",
    "bold|dim",
    "bold||dim",
    "nobold|dim",
    "  bold  dim ",
    "bold\ndim",
    "fg=red,,bold,",
    ",",
    " ",
    "\n",
    "",
    "default default",
];

const REFUSED: &[&str] = &[
    "fg=color300",
    "fg=bright",
    "fg=98",
    "fg=8",
    "fg=none",
    "fg=#fff",
    "fg=",
    "=red",
    "fg",
    "faint",
    "italic",
    "underline",
    "strike",
    "inverse",
    "noattr",
    "align=center",
    "align=",
    "list=off",
    "list=",
    "range=window",
    "range=window|x",
    "range=window|",
    "range=window|-1",
    "range=window|+3",
    "range=left|3",
    "range=left|",
    "range=pane|%1",
    "range=",
    "fill=foo",
    "fill=none",
    "a|b",
    "fg=red|bold",
    "bold;dim",
    "bold\tdim",
    "bold+dim",
    "fg=red=blue",
    "bold|",
    "|bold",
    "bold|none",
    "default|bold",
    "nonobold",
    "no",
    "attr",
    "default=1",
    "width=3",
];

fn read(text: &str) -> StyleText {
    text.parse().unwrap()
}

#[test]
fn style_texts_are_taken_and_refused_as_tmux_does() {
    for text in ACCEPTED {
        let style = read(text);
        assert_eq!(read(&style.to_string()), style, "{text:?}");
    }
    for text in REFUSED {
        let error = text.parse::<StyleText>().unwrap_err();
        assert_eq!(error.to_string(), format!("invalid style: {text}"));
    }
    assert!("b".repeat(300).parse::<StyleText>().is_err());
}

#[test]
fn style_over_base_changes_only_named_parts() {
    let base = Style {
        fg: Color::Palette(3),
        attrs: Attrs::BOLD | Attrs::DIM,
        underline: Underline::Curly,
        ..Style::default()
    };
    let style = read("bg=brightblue,us=#010203,nobold,italics,nounderscore").change;
    assert_eq!(
        style.over(base),
        Style {
            fg: Color::Palette(3),
            bg: Color::Palette(12),
            underline_color: Color::Rgb(1, 2, 3),
            underline: Underline::Curly,
            attrs: Attrs::DIM | Attrs::ITALIC,
        }
    );
    let plain = read("none").change.over(base);
    assert_eq!(
        (plain.attrs, plain.underline),
        (Attrs::empty(), Underline::None)
    );
    assert_eq!(read("").change.over(base), base);
}

#[test]
fn style_default_goes_back_to_base_and_later_words_count() {
    let current = Style {
        fg: Color::Palette(1),
        bg: Color::Palette(2),
        attrs: Attrs::REVERSE,
        ..Style::default()
    };
    let base = Style {
        fg: Color::Palette(5),
        attrs: Attrs::BOLD,
        ..Style::default()
    };
    let apply = |text: &str| read(text).change.apply(current, base);
    assert_eq!(apply("bg=red,dim,default"), base);
    assert_eq!(apply("default,dim").attrs, Attrs::BOLD | Attrs::DIM);
    assert_eq!(apply("fg=default").fg, Color::Palette(5));
    assert_eq!(apply("fg=terminal").fg, Color::Default);
    assert_eq!(apply("none,default").attrs, Attrs::BOLD);
    assert_eq!(apply("default,none").attrs, Attrs::empty());
    assert_eq!(apply("bold").attrs, Attrs::REVERSE | Attrs::BOLD);
}

#[test]
fn style_instructions_are_read_and_printed_in_tmux_order() {
    let text = "bold,fg=red,fill=blue,push-default,align=right,range=window|77,list=focus,noacs";
    let style = read(text);
    assert_eq!(style.align, Some(Align::Right));
    assert_eq!(style.range, Some(Range::Window(77)));
    assert_eq!(
        style.to_string(),
        "list=focus,range=window|77,align=right,push-default,fill=blue,fg=red,noacs,bright"
    );
}

proptest! {
    #[test]
    fn any_words_read_print_and_read_the_same(
        words in proptest::collection::vec(
            proptest::sample::select(ACCEPTED.to_vec()),
            0..8,
        )
    ) {
        let style = read(&words.join(","));
        prop_assert_eq!(read(&style.to_string()), style);
    }

    #[test]
    fn any_text_is_read_or_refused(text in ".{0,60}") {
        if let Ok(style) = text.parse::<StyleText>() {
            prop_assert_eq!(read(&style.to_string()), style);
        }
    }
}
