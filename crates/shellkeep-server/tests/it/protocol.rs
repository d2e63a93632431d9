use std::time::Duration;

use shellkeep_proto::{Core, FrameDecoder, FromClient, FromServer, Hello, Verb, encode_frame};
use shellkeep_testkit::virtual_rig::Rig;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

#[test]
fn client_that_breaks_the_framing_hurts_only_itself() {
    let rig = Rig::new();
    let ann = rig.attach((24, 80), &["new"]);
    let bad = rig.attach((24, 80), &["attach"]);
    bad.send_raw(&[0xff; 64]);
    assert!(bad.is_closed());
    rig.pty(0).says("fine");
    assert_eq!(ann.text(), "fine");
}

#[test]
fn client_that_sends_a_malformed_message_is_closed() {
    let rig = Rig::new();
    let bad = rig.attach((24, 80), &["new"]);
    let mut frame = Vec::new();
    encode_frame(32, &[0xff; 20], &mut frame);
    bad.send_raw(&frame);
    assert!(bad.is_closed());
    assert_eq!(rig.run(&["ls"]).status, Some(0));
}

#[test]
fn unknown_message_is_skipped() {
    let rig = Rig::new();
    let ann = rig.attach((24, 80), &["new"]);
    let mut frame = Vec::new();
    encode_frame(99, b"from the future", &mut frame);
    encode_frame(65535, &[0; 1000], &mut frame);
    ann.send_raw(&frame);
    ann.keys("x");
    assert_eq!(rig.pty(0).was_typed(), "x");
}

#[test]
fn frozen_core_lists_attaches_detaches_and_kills() {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "w"]);
    let core = |verb, words: &[&str]| {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        FromClient::Core(Core { verb, words })
    };
    let ann = rig.attach((24, 80), &["attach"]);
    let old = rig.attach((24, 80), &["has"]);
    old.say(&core(Verb::List, &[]));
    assert!(
        old.finished().stdout.starts_with("w: 1 windows"),
        "{:?}",
        old.finished()
    );
    old.say(&core(Verb::Detach, &["w"]));
    assert!(old.finished().status == Some(0) && ann.farewell().is_some());
    old.say(&core(Verb::Attach, &["w", "xterm", ""]));
    assert!(old.session().is_some());
    old.say(&core(Verb::Kill, &["w"]));
    assert_eq!(old.farewell().as_deref(), Some("exited"));
}

#[test]
fn client_that_asks_without_reading_is_slowed_down_and_served() {
    let rig = Rig::new();
    rig.run(&["new", "-d"]);
    let greedy = rig.attach((24, 80), &["has"]);
    for _ in 0..500 {
        greedy.start(&["list-commands"]);
    }
    let listed = greedy.finished().stdout;
    assert_eq!(listed.matches("kill-server").count(), 500);
}

#[test]
fn connection_that_asks_for_nothing_is_closed_and_one_that_has_asked_stays() {
    let rig = Rig::new();
    let ann = rig.attach((24, 80), &["new"]);
    let (mut ours, theirs) = tokio::io::duplex(1 << 16);
    let (reader, writer) = tokio::io::split(theirs);
    {
        let _inside = rig.runtime().enter();
        rig.acceptor().accept(reader, writer);
    }
    let heard = rig.runtime().block_on(async {
        ours.write_all(&Hello::ours().encode()).await.unwrap();
        let mut heard = Vec::new();
        let read = ours.read_to_end(&mut heard);
        let ended = tokio::time::timeout(Duration::from_secs(60), read).await;
        ended.is_ok().then_some(heard)
    });
    assert_eq!(heard, Some(Hello::ours().encode()));
    rig.pass(Duration::from_secs(60));
    assert!(!ann.is_closed());
}

#[test]
fn client_of_another_version_is_served_the_frozen_core() {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "work"]);
    let (mut ours, theirs) = tokio::io::duplex(1 << 16);
    let (reader, writer) = tokio::io::split(theirs);
    {
        let _inside = rig.runtime().enter();
        rig.acceptor().accept(reader, writer);
    }
    let hello = Hello {
        version: 99,
        oldest: 99,
        features: u32::MAX,
        build: "shellkeep 99.0".into(),
    };
    let mut words = hello.encode();
    let core = Core {
        verb: Verb::List,
        words: Vec::new(),
    };
    assert!(FromClient::Core(core).encode(&mut words));
    let heard = rig.runtime().block_on(async {
        ours.write_all(&words).await.unwrap();
        let mut heard = Vec::new();
        let read = ours.read_to_end(&mut heard);
        // It stays to hear more.
        let _ = tokio::time::timeout(Duration::from_secs(1), read).await;
        heard
    });
    let mut decoder = FrameDecoder::default();
    let (_, length) = Hello::decode(&heard).unwrap().unwrap();
    decoder.feed(&heard[length..]);
    let mut next = || FromServer::decode(decoder.next_frame().unwrap().unwrap()).unwrap();
    let listed = next();
    assert!(
        matches!(&listed, Some(FromServer::Stdout(text)) if text.starts_with(b"work: ")),
        "{listed:?}"
    );
    assert_eq!(next(), Some(FromServer::Done(0)));
    assert_eq!(rig.run(&["ls"]).status, Some(0));
}
