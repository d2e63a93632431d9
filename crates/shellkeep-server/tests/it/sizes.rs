//! What a program hears of its terminal's size.

use shellkeep_core::Size;
use shellkeep_proto::FromClient;
use shellkeep_testkit::virtual_rig::{Rig, VirtualClient};

/// Sizes one after the other, with no time between them.
fn hurry(client: &VirtualClient, sizes: &[(u16, u16)]) {
    for &(rows, cols) in sizes {
        client.say(&FromClient::Resize(Size::new(rows, cols)));
    }
}

/// What the program in the first pane was told since it began.
fn told(rig: &Rig) -> Vec<(u16, u16)> {
    let sizes = rig.pty(0).was_told().into_iter();
    sizes.map(|size| (size.rows(), size.cols())).collect()
}

#[test]
fn program_hurried_through_sizes_hears_of_the_first_and_the_last() {
    let rig = Rig::new();
    let ann = rig.attach((24, 80), &["new", "-s", "work"]);
    assert_eq!(told(&rig), []);
    hurry(&ann, &[(10, 20), (1, 2), (40, 120), (2, 1), (30, 100)]);
    assert_eq!(told(&rig), [(10, 20), (30, 100)]);
    ann.resizes(20, 60);
    assert_eq!(told(&rig)[2..], [(20, 60)], "and of one at once later");
}

#[test]
fn program_back_at_the_size_it_knows_hears_of_another_first() {
    let rig = Rig::new();
    let ann = rig.attach((24, 80), &["new", "-s", "work"]);
    hurry(&ann, &[(10, 20), (5, 5), (10, 20)]);
    assert_eq!(told(&rig), [(10, 20), (9, 20), (10, 20)]);
    hurry(&ann, &[(1, 20), (5, 5), (1, 20)]);
    assert_eq!(told(&rig)[3..], [(1, 20), (2, 20), (1, 20)]);
}

#[test]
fn program_that_gets_input_hears_of_its_size_before() {
    let rig = Rig::new();
    let ann = rig.attach((24, 80), &["new", "-s", "work"]);
    hurry(&ann, &[(10, 20), (30, 100)]);
    ann.say(&FromClient::Input(b"x".to_vec()));
    hurry(&ann, &[(5, 5), (10, 20)]);
    assert_eq!(told(&rig), [(10, 20), (30, 100), (10, 20)]);
    assert_eq!(rig.pty(0).was_typed(), "x");
}

#[test]
fn cursor_is_told_behind_the_last_column_while_a_wrap_is_due_as_in_tmux() {
    let rig = Rig::new();
    let ann = rig.attach((4, 10), &["new", "-s", "work"]);
    let at = || {
        let told = rig.run(&[
            "display",
            "-p",
            "-t",
            "work",
            "#{cursor_x},#{cursor_y}[#{cursor_character}]",
        ]);
        told.stdout.trim_end().to_owned()
    };
    rig.pty(0).says("0123456789");
    assert_eq!(at(), "10,0[ ]");
    ann.resizes(4, 20);
    assert_eq!(at(), "10,0[ ]");
    ann.resizes(4, 5);
    assert_eq!(at(), "5,0[ ]");
}
