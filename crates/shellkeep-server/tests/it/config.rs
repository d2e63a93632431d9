use shellkeep_testkit::virtual_rig::Rig;

#[test]
fn config_with_faults_is_read_to_the_end_and_complained_of_once() {
    let rig = Rig::with_config(
        "set -g prefix C-a\nfrobnicate\nset -s 'x\n# fine\nset -s escape-time 5\n",
    );
    let first = rig.run(&["new", "-d"]);
    assert_eq!(first.status, Some(0), "a bad line is not fatal");
    assert_eq!(
        first.stderr,
        "test.conf:2: unknown command: frobnicate\ntest.conf:3: a single quote is not closed\n"
    );
    assert_eq!(rig.run(&["ls"]).stderr, "");
    assert_eq!(rig.run(&["show", "-gv", "prefix"]).stdout, "C-a\n");
    assert_eq!(rig.run(&["show", "-sv", "escape-time"]).stdout, "5\n");
}

#[test]
fn source_file_that_is_missing_is_an_error_unless_quiet() {
    let rig = Rig::new();
    rig.run(&["new", "-d"]);
    assert_eq!(rig.run(&["source", "/nowhere/x.conf"]).status, Some(1));
    assert_eq!(
        rig.run(&["source", "-q", "/nowhere/x.conf"]).status,
        Some(0)
    );
}
