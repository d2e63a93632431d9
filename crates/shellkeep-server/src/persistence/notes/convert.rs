//! Conversions between parts of the model and the schema of the store. Each names every field, so that a field added on
//! one side alone does not compile.

use shellkeep_store::schema::{
    StoredCause, StoredFacts, StoredProgram, StoredSleep, StoredStanding, StoredStart,
};

use crate::hibernation::running::Run;
use crate::model::{Cause, Sleep, Standing};
use crate::persistence::keeping::Start;
use crate::persistence::record::Facts;

impl From<Standing> for StoredStanding {
    fn from(standing: Standing) -> Self {
        let Standing {
            kept,
            is_private,
            origin,
            tags,
            is_pinned,
            is_reopened,
        } = standing;
        Self {
            kept,
            is_private,
            origin,
            tags,
            is_pinned,
            is_reopened,
        }
    }
}

impl From<StoredStanding> for Standing {
    fn from(stored: StoredStanding) -> Self {
        let StoredStanding {
            kept,
            is_private,
            origin,
            tags,
            is_pinned,
            is_reopened,
        } = stored;
        Self {
            kept,
            is_private,
            origin,
            tags,
            is_pinned,
            is_reopened,
        }
    }
}

impl From<Sleep> for StoredSleep {
    fn from(sleep: Sleep) -> Self {
        let Sleep {
            since,
            cause,
            program,
            run,
            is_tidied,
        } = sleep;
        Self {
            since,
            cause: cause.into(),
            program,
            run: run.into(),
            is_tidied,
        }
    }
}

impl From<StoredSleep> for Sleep {
    fn from(stored: StoredSleep) -> Self {
        let StoredSleep {
            since,
            cause,
            program,
            run,
            is_tidied,
        } = stored;
        Self {
            since,
            cause: cause.into(),
            program,
            run: run.into(),
            is_tidied,
        }
    }
}

impl From<Cause> for StoredCause {
    fn from(cause: Cause) -> Self {
        match cause {
            Cause::Hibernated => Self::Hibernated,
            Cause::Lost => Self::Lost,
            Cause::Reopened => Self::Reopened,
            Cause::Ended => Self::Ended,
        }
    }
}

impl From<StoredCause> for Cause {
    fn from(stored: StoredCause) -> Self {
        match stored {
            StoredCause::Hibernated => Self::Hibernated,
            StoredCause::Lost => Self::Lost,
            StoredCause::Reopened => Self::Reopened,
            StoredCause::Ended => Self::Ended,
        }
    }
}

impl From<Facts> for StoredFacts {
    fn from(facts: Facts) -> Self {
        let Facts {
            directory,
            program,
            run,
        } = facts;
        Self {
            directory,
            program,
            run: run.into(),
        }
    }
}

impl From<StoredFacts> for Facts {
    fn from(stored: StoredFacts) -> Self {
        let StoredFacts {
            directory,
            program,
            run,
        } = stored;
        Self {
            directory,
            program,
            run: run.into(),
        }
    }
}

impl From<Run> for StoredProgram {
    fn from(run: Run) -> Self {
        let Run {
            directory,
            typed,
            variables,
            started,
            last_output,
            rivals,
        } = run;
        Self {
            directory,
            typed,
            variables,
            started,
            last_output,
            rivals,
        }
    }
}

impl From<StoredProgram> for Run {
    fn from(stored: StoredProgram) -> Self {
        let StoredProgram {
            directory,
            typed,
            variables,
            started,
            last_output,
            rivals,
        } = stored;
        Self {
            directory,
            typed,
            variables,
            started,
            last_output,
            rivals,
        }
    }
}

impl From<Start> for StoredStart {
    fn from(start: Start) -> Self {
        let Start {
            // The directory that holds the file names the pane.
            pane: _,
            argv,
            shell,
            directory,
            environ,
            umask,
        } = start;
        Self {
            argv,
            shell,
            directory,
            environ,
            umask,
        }
    }
}
