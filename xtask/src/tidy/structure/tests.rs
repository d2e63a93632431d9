use super::*;

fn crate_of(files: &[(&str, &str)]) -> Crate {
    let sources: Vec<Source> = files
        .iter()
        .map(|(path, text)| Source {
            path: format!("crates/x/src/{path}"),
            text: (*text).to_owned(),
        })
        .collect();
    parse(&sources).unwrap().remove("x").unwrap()
}

fn circles(files: &[(&str, &str)]) -> Vec<Vec<String>> {
    cycles::cycles(&crate_of(files))
}

#[test]
fn modules_that_name_each_other_are_a_circle() {
    let found = circles(&[
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a.rs", "use crate::b::B; pub struct A(B);"),
        (
            "b.rs",
            "pub struct B; fn f() { log!(\"{}\", super::c::C); }",
        ),
        ("c.rs", "use crate::a; pub struct C; fn f(_: a::A) {}"),
    ]);
    assert_eq!(found, [["a", "b", "c"]]);
}

#[test]
fn re_exports_lead_to_the_module_that_defines() {
    // Through the re-export, `child` depends on `sibling` and not on its parent.
    let found = circles(&[
        ("lib.rs", "mod parent;"),
        (
            "parent.rs",
            "mod child; mod sibling; pub use child::Child; pub use sibling::Sibling;",
        ),
        (
            "parent/child.rs",
            "use super::Sibling; pub struct Child(Sibling);",
        ),
        ("parent/sibling.rs", "pub struct Sibling;"),
    ]);
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn parent_that_uses_what_it_re_exports_depends_on_it() {
    let found = circles(&[
        ("lib.rs", "mod parent;"),
        (
            "parent.rs",
            "mod child; pub use child::Child; pub struct Parent(Child);",
        ),
        (
            "parent/child.rs",
            "use super::Parent; pub struct Child; impl Parent {}",
        ),
    ]);
    assert_eq!(found, [["parent", "parent::child"]]);
}

#[test]
fn tests_make_no_circle() {
    let found = circles(&[
        ("lib.rs", "mod a; mod b;"),
        (
            "a.rs",
            "pub struct A; #[cfg(test)] mod tests { use crate::b::B; fn f(_: B) {} }",
        ),
        ("b.rs", "pub struct B(crate::a::A);"),
    ]);
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn methods_count_for_the_type_that_they_are_on() {
    let krate = crate_of(&[
        ("lib.rs", "mod a; mod b;"),
        (
            "a.rs",
            "pub struct State { x: u8, y: u8 } impl State { fn f() {} }",
        ),
        (
            "b.rs",
            "use crate::a::State as Other; struct State; impl State { fn g() {} } impl crate::a::State { fn h() {} fn i() {} }",
        ),
    ]);
    let shapes = types::shapes(&krate);
    let found: Vec<_> = shapes
        .iter()
        .map(|it| (&it.place[..], it.fields, it.methods))
        .collect();
    assert_eq!(
        found,
        [("crates/x/src/a.rs", 2, 3), ("crates/x/src/b.rs", 0, 1)]
    );
}

#[test]
fn what_is_too_large_is_a_fault() {
    let fields: String = (0..80).map(|it| format!("f{it}: u8, ")).collect();
    let source = |path: &str, text: String| Source {
        path: path.to_owned(),
        text,
    };
    let sources = [
        source(
            "crates/x/src/lib.rs",
            format!("struct Large {{ {fields} }}"),
        ),
        source(
            "crates/shellkeep-server/src/lib.rs",
            format!("struct Server {{ {fields} }}"),
        ),
    ];
    let mut findings = Findings::default();
    check(&sources, &mut findings).unwrap();
    assert_eq!(findings.faults.len(), 2, "{:?}", findings.faults);
    assert!(findings.faults[0].contains("80 fields of at most"));
}
