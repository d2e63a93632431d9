//! Any input in an input file, written in two pieces and sent in others: each byte is sent once and in order.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shellkeep_keeper::InputFile;

fuzz_target!(|input: (&[u8], usize, usize)| {
    let (bytes, cut, step) = input;
    let (first, second) = bytes.split_at(cut.min(bytes.len()));
    let Ok(file) = InputFile::with(first) else { return };
    file.append(second).expect("memory is there");
    let mut sent = Vec::new();
    while file.waiting().expect("memory is there") > 0 {
        let taken = file.send_by(|bytes| {
            let count = bytes.len().min(step % 61 + 1);
            sent.extend_from_slice(&bytes[..count]);
            Ok(count)
        });
        assert!(taken.expect("memory is there") > 0);
    }
    assert_eq!(sent, bytes);
});
