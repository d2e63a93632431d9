//! Many panes fall asleep at once: more than shells are asked at a time.

use crate::hibernate::{begin, rig_with, wait_for_command, wait_for_text};

/// More than are asked at a time.
const COUNT: usize = 20;

#[test]
fn many_panes_put_to_sleep_at_once_all_sleep_and_come_back_as_they_were() {
    let Some(rig) = rig_with("bash") else {
        return;
    };
    begin(&rig, "work");
    let window = ["new-window", "-d", "-t", "work:", ";"];
    rig.ok(&window.repeat(COUNT - 1));
    let name = |number: usize| format!("work:{number}");
    for number in 0..COUNT {
        let typed = format!("n=me{number}; seq {}", 30 + number);
        rig.ok(&["send-keys", "-t", &name(number), &typed, "Enter"]);
    }
    let everything = |number: usize| {
        let text = rig.ok(&["capture-pane", "-p", "-S", "-", "-t", &name(number)]);
        text.trim_end().to_owned()
    };
    let mut before = Vec::new();
    for number in 0..COUNT {
        wait_for_text(&rig, &name(number), &format!("\n{}\n$", 30 + number));
        before.push(everything(number));
    }
    // One of them cannot, and does not hold up the others.
    rig.enter("work:18", "cat");
    wait_for_command(&rig, "work:18", "cat");
    let told = rig.ok(&["hibernate", "-a"]);
    let asleep = told.lines().filter(|line| line.contains(": asleep after "));
    assert_eq!(asleep.count(), COUNT - 1, "{told}");
    assert!(
        told.contains("work:18.0: stays as it is: runs: cat"),
        "{told}"
    );
    rig.ok(&["restore", "-a"]);
    for number in (0..COUNT).filter(|number| *number != 18) {
        // The prompt is drawn once more when all of the state is loaded.
        rig.wait_until("all that it showed", || {
            everything(number) == before[number]
        });
    }
    for number in [0, 7, COUNT - 1] {
        let typed = "clear; echo it is $n";
        rig.ok(&["send-keys", "-t", &name(number), typed, "Enter"]);
        wait_for_text(&rig, &name(number), &format!("it is me{number}\n"));
    }
}
