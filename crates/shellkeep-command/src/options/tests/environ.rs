use super::super::*;

#[test]
fn variables_name_options_in_capitals() {
    let environment = [
        ("HOME", "/"),
        ("SHELLKEEP", "socket,1,0"),
        ("SHELLKEEP_PANE", "%1"),
        ("SHELLKEEP_LOG", "debug"),
        ("SHELLKEEP_", ""),
        ("SHELLKEEP_ESCAPE_TIME", "5"),
        ("SHELLKEEP_UPDATE_ENVIRONMENT", "A B"),
        ("SHELLKEEP_MOUSE", "maybe"),
        ("SHELLKEEP_MOUSSE", "on"),
        ("SHELLKEEP_AFTER_NEW_WINDOW", "kill-server"),
        ("SHELLKEEP_MOUS", "on"),
    ];
    let found: Vec<_> = assignments(environment)
        .map(|one| match one {
            Ok(one) => format!("{}={}", one.option.name, one.text),
            Err(error) => error.to_string(),
        })
        .collect();
    assert_eq!(
        found,
        [
            "escape-time=5",
            "update-environment=A B",
            "SHELLKEEP_MOUSE: bad value: maybe",
            "SHELLKEEP_MOUSSE: invalid option: mousse",
            "SHELLKEEP_AFTER_NEW_WINDOW: invalid option: after-new-window",
            "SHELLKEEP_MOUS: invalid option: mous",
        ]
    );
}

#[test]
fn refused_variable_has_a_hint() {
    let hint = |variable, text| {
        let error = assignments([(variable, text)]).next().unwrap().unwrap_err();
        error.hint()
    };
    assert_eq!(
        hint("SHELLKEEP_MOUSE", "x").as_deref(),
        Some("type on or off")
    );
    assert_eq!(
        hint("SHELLKEEP_MOUSSE", "x").as_deref(),
        Some("did you mean mouse?")
    );
}
