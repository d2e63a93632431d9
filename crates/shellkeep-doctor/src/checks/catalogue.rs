//! Checks that the catalogue can be used and was filled from the files.

use std::path::Path;

use nix::errno::Errno;
use nix::unistd::{AccessFlags, access};
use shellkeep_store::catalogue::{Catalogue, CatalogueState, FILE, Fault, Filter, Opened};

use super::room;
use crate::Setup;
use crate::finding::Finding;
use crate::phrases::counted;
use crate::probe;
use crate::setup::quoted;

const NAME: &str = "catalogue";
const REBUILD: &str = "doctor --rebuild";

pub(super) fn check(setup: &Setup<'_>) -> Vec<Finding> {
    let mut findings = vec![look(setup)];
    let asides = setup.entries().iter().filter(|entry| {
        let name = entry.path.file_name().unwrap_or_default().to_string_lossy();
        let is_at_the_top = entry.path.parent() == Some(&setup.state_dir);
        is_at_the_top
            && name.starts_with(&format!("{FILE}."))
            && !name.ends_with("-wal")
            && !name.ends_with("-shm")
    });
    let asides: Vec<_> = asides.collect();
    if let Some(newest) = asides.last() {
        let sentence = format!(
            "{} that could not be used {} beside it, the newest is {}; nothing needs {}",
            counted(asides.len(), "catalogue"),
            if asides.len() == 1 { "lies" } else { "lie" },
            newest.path.display(),
            if asides.len() == 1 { "it" } else { "them" },
        );
        let pattern = quoted(&setup.state_dir.join(FILE));
        findings.push(Finding::warning(
            NAME,
            sentence,
            format!("rm {pattern}.[0-9]*"),
        ));
    }
    findings
}

/// The fix for a sound catalogue that cannot be used now. A rebuild would not help: the same obstacle would stop it.
pub(crate) fn fix(setup: &Setup<'_>) -> String {
    let can_write = |path: &Path| access(path, AccessFlags::R_OK | AccessFlags::W_OK);
    let (dir, path) = (&setup.state_dir, setup.state_dir.join(FILE));
    match can_write(dir).and_then(|()| can_write(&path)) {
        Err(Errno::EACCES) => return format!("chmod -R u+rwX {}", quoted(dir)),
        Err(Errno::EROFS) => return room::remount(dir),
        _ => {}
    }
    if room::is_out_of_files(dir) {
        return room::free_files(dir);
    }
    if room::is_out(dir) {
        return room::free(setup, dir);
    }
    // A writer holds a lock on the database or on its shared-memory file.
    let files = ["", "-shm"].map(|end| dir.join(format!("{FILE}{end}")));
    match files.iter().find_map(|file| probe::writer(file)) {
        Some(pid) => {
            format!("ps -p {pid}: it is at work on the catalogue; try again when it has ended")
        }
        None => format!(
            "rm -rf {0} {0}-wal {0}-shm: it is made anew when it is needed",
            quoted(&path)
        ),
    }
}

fn look(setup: &Setup<'_>) -> Finding {
    let Opened {
        mut catalogue,
        state,
    } = match Catalogue::inspect(&setup.state_dir) {
        None => return Finding::ok(NAME, "there is none yet; it is made when it is needed"),
        Some(Ok(opened)) => opened,
        Some(Err(Fault::Passing(why))) => {
            let sentence = format!("{why}; no session depends on it");
            return Finding::problem(NAME, sentence, fix(setup));
        }
        Some(Err(fault)) => {
            let sentence =
                format!("the catalogue cannot be used: {fault}; no session depends on it");
            return Finding::problem(NAME, sentence, setup.typed(REBUILD));
        }
    };
    // Before any query: a query that meets damage repairs the catalogue, and the doctor changes nothing.
    match catalogue.fault() {
        Ok(None) => {}
        Ok(Some(fault)) => {
            let sentence = format!("the catalogue is damaged ({fault}); no session depends on it");
            return Finding::problem(NAME, sentence, setup.typed(REBUILD));
        }
        Err(error) => return Finding::problem(NAME, error.to_string(), fix(setup)),
    }
    let listed = match catalogue.list(&Filter::default()) {
        Ok(listed) => listed,
        Err(error) => return Finding::problem(NAME, error.to_string(), fix(setup)),
    };
    let count = counted(listed.len(), "session");
    match state {
        CatalogueState::Sound => Finding::ok(NAME, format!("sound, with {count}")),
        CatalogueState::Fresh | CatalogueState::Rebuilt { .. } => {
            let sentence = format!("the catalogue has {count} and was never filled from the files");
            Finding::warning(NAME, sentence, setup.typed(REBUILD))
        }
    }
}
