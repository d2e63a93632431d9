//! Journals in files that cannot grow.

use std::ffi::CString;
use std::io::Write;

use nix::fcntl::{FcntlArg, SealFlag, fcntl};
use nix::sys::memfd::{MFdFlags, memfd_create};

use super::*;

const NOW: u64 = 1_794_000_000_000;

fn full() -> Journal {
    let file = File::options()
        .read(true)
        .write(true)
        .open("/dev/full")
        .unwrap();
    Journal::of(file, 1)
}

/// A journal on a file that cannot grow beyond `size`.
fn limited(size: u64) -> Journal {
    let name = CString::new("journal").unwrap();
    let file = File::from(memfd_create(name.as_c_str(), MFdFlags::MFD_ALLOW_SEALING).unwrap());
    file.set_len(size).unwrap();
    fcntl(&file, FcntlArg::F_ADD_SEALS(SealFlag::F_SEAL_GROW)).unwrap();
    let mut journal = Journal::of(file, 1);
    journal.write_header(Begins::After(0)).unwrap();
    journal
}

#[test]
fn full_disk_lets_output_through_and_stops_the_journal() {
    let (reader, mut writer) = std::io::pipe().unwrap();
    let mut journal = full();
    let mut buffer = Vec::new();
    writer.write_all(b"shown all the same").unwrap();
    let error = journal
        .take(reader.as_fd(), 18, NOW, &mut buffer)
        .unwrap_err();
    assert!(
        matches!(&error, JournalError::NotKept { bytes: 18, source }
        if source.kind() == io::ErrorKind::StorageFull),
        "{error}"
    );
    assert_eq!(buffer, b"shown all the same");
    assert!(journal.has_failed());
    writer.write_all(b" and this").unwrap();
    let error = journal
        .take(reader.as_fd(), 9, NOW, &mut buffer)
        .unwrap_err();
    assert!(
        matches!(error, JournalError::NotKept { bytes: 9, .. }),
        "{error}"
    );
    assert_eq!(buffer, b"shown all the same and this");
    assert!(journal.append(&Record::Reset, NOW).is_err());
}

#[test]
fn append_to_a_full_disk_fails_and_stops_the_journal() {
    let mut journal = full();
    let error = journal.append(&Record::Trim, NOW).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    assert!(journal.has_failed());
}

#[test]
fn disk_filling_up_in_the_middle_keeps_what_fits_and_passes_on_the_rest() {
    let sent: Vec<u8> = (0..30_000u32).map(|at| (at % 251) as u8).collect();
    for size in [4096, 8192, 20_000] {
        let (reader, mut writer) = std::io::pipe().unwrap();
        let mut journal = limited(size);
        let mut buffer = Vec::new();
        let mut kept = 0;
        for (turn, part) in sent.chunks(1000).enumerate() {
            writer.write_all(part).unwrap();
            match journal.take(reader.as_fd(), part.len(), NOW + turn as u64, &mut buffer) {
                Ok(()) => kept += part.len(),
                Err(JournalError::NotKept { bytes, .. }) => kept += part.len() - bytes,
                Err(error) => panic!("{error}"),
            }
        }
        assert!(buffer == sent);
        assert!(journal.has_failed() && kept > 0 && kept < size as usize);
        let mut written = vec![0; journal.len() as usize];
        journal.file.read_exact_at(&mut written, 0).unwrap();
        let temp = tempfile::NamedTempFile::new().unwrap();
        temp.as_file().write_all_at(&written, 0).unwrap();
        let mut reader = JournalReader::open(temp.path()).unwrap();
        let mut found = Vec::new();
        while let Step::Record(Record::Output { bytes, .. }) = reader.step().unwrap() {
            found.extend_from_slice(bytes);
        }
        assert!(found == sent[..kept]);
    }
}
