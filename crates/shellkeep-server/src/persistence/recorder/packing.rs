//! Packing the pages of a flood: most of the work of its checkpoints, and none that a client waits for. A thread of lower priority does it,
//! so that the recorder stays free for what clients wait for.
//!
//! The recorder takes the checkpoint, has its pages packed here, and writes it when they are. It does not wait for long: a quarter of
//! a second later, or when somebody asks for a checkpoint, it packs what is left by itself. Until then all of it is in the
//! journals, of which none goes before.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Weak};

use shellkeep_keeper::process::lower_thread_priority;
use shellkeep_store::PagePacker;

use crate::panes::screen::{Caretaker, Screen};
use crate::persistence::record::WaitingPage;

/// Pages of less than this are no flood. They are packed with the checkpoint, like each other, which takes less room.
const FLOOD: usize = 1 << 20;

/// The pages of one checkpoint.
pub(crate) struct Parcel {
    screen: Weak<Screen>,
    pages: Vec<Arc<WaitingPage>>,
}

impl Parcel {
    /// The pages of a flood; nothing, if there are too few.
    pub(crate) fn of(screen: &Arc<Screen>, pages: Vec<Arc<WaitingPage>>) -> Option<Self> {
        let memory: usize = pages.iter().map(|page| page.memory()).sum();
        (memory >= FLOOD).then(|| Self {
            screen: Arc::downgrade(screen),
            pages,
        })
    }

    fn pack(&self) {
        let Ok(mut packer) = PagePacker::new() else {
            return;
        };
        // One that nobody else has any more was written meanwhile.
        let wanted = self.pages.iter().filter(|page| Arc::strong_count(page) > 1);
        wanted.for_each(|page| page.pack(&mut packer));
    }
}

/// A way to the thread, which is started by the first flood.
#[derive(Default)]
pub(crate) struct Packer(Option<Sender<(Parcel, Arc<dyn Caretaker>)>>);

impl Packer {
    /// Has a parcel packed, and `back_to` told of it; whether there is somebody to do it.
    pub(crate) fn take(&mut self, parcel: Parcel, back_to: Arc<dyn Caretaker>) -> bool {
        let thread = self.0.get_or_insert_with(|| {
            let (parcels, inbox) = mpsc::channel();
            let thread = std::thread::Builder::new().name("packer".to_owned());
            if let Err(error) = thread.spawn(move || run(&inbox)) {
                tracing::warn!(%error, "the recorder packs by itself");
            }
            parcels
        });
        thread.send((parcel, back_to)).is_ok()
    }
}

fn run(inbox: &Receiver<(Parcel, Arc<dyn Caretaker>)>) {
    lower_thread_priority();
    while let Ok((parcel, caretaker)) = inbox.recv() {
        if catch_unwind(AssertUnwindSafe(|| parcel.pack())).is_err() {
            tracing::error!("pages were not packed after a panic; this is a bug");
        }
        caretaker.packed(parcel.screen);
    }
}
