//! Packing the pages of a flood of output, which is most of the work of its checkpoints. No client waits for it, so a
//! thread of lower priority does it, and the recorder stays free for requests that clients do wait for.
//!
//! The recorder takes the checkpoint, has its pages packed here, and writes it when they are. It does not wait for
//! long: a quarter of a second later, or when a checkpoint is requested, it packs the rest itself. Until then journals
//! have everything, and none of them is dropped before.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Weak};

use shellkeep_keeper::process::lower_thread_priority;
use shellkeep_store::PagePacker;

use crate::panes::screen::{Caretaker, Screen};
use crate::persistence::record::WaitingPage;

/// Fewer bytes than this are no flood. Their pages are packed with the checkpoint, each with the previous one as
/// dictionary, which takes less space.
const FLOOD_BYTES: usize = 1 << 20;

/// The pages of one checkpoint.
pub(crate) struct Parcel {
    screen: Weak<Screen>,
    pages: Vec<Arc<WaitingPage>>,
}

impl Parcel {
    /// The pages of a flood. None if there are too few.
    pub(crate) fn of(screen: &Arc<Screen>, pages: Vec<Arc<WaitingPage>>) -> Option<Self> {
        let memory: usize = pages.iter().map(|page| page.memory()).sum();
        (memory >= FLOOD_BYTES).then(|| Self {
            screen: Arc::downgrade(screen),
            pages,
        })
    }

    fn pack(&self) {
        let Ok(mut packer) = PagePacker::new() else {
            return;
        };
        // A page without another owner was written meanwhile.
        let wanted = self.pages.iter().filter(|page| Arc::strong_count(page) > 1);
        wanted.for_each(|page| page.pack(&mut packer));
    }
}

/// A handle of the thread, which is started at the first flood.
#[derive(Default)]
pub(crate) struct Packer(Option<Sender<(Parcel, Arc<dyn Caretaker>)>>);

impl Packer {
    /// Sends pages to the thread; `back_to` is notified when they are packed. Returns false if there is no thread.
    pub(crate) fn take(&mut self, parcel: Parcel, back_to: Arc<dyn Caretaker>) -> bool {
        let thread = self.0.get_or_insert_with(|| {
            let (parcels, inbox) = mpsc::channel();
            let thread = std::thread::Builder::new().name("packer".to_owned());
            if let Err(error) = thread.spawn(move || run(&inbox)) {
                tracing::warn!(%error, "cannot start the thread for packing; the recorder packs pages itself");
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
