//! An environment: names and values as bytes, since Unix defines no encoding for them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

type Variables = BTreeMap<Vec<u8>, Option<Vec<u8>>>;

/// Variables by name. A name with `None` is removed from the environment it is laid over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Environ {
    /// Shared until one owner changes it, because thousands of sessions have the same variables.
    variables: Arc<Variables>,
    /// Names of variables that are not passed to programs.
    hidden: BTreeSet<Vec<u8>>,
}

impl Environ {
    /// From `NAME=value` entries; anything else is left out.
    pub(crate) fn from_entries<'a>(entries: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut environ = Self::default();
        for entry in entries {
            if let Some(at) = entry
                .iter()
                .position(|byte| *byte == b'=')
                .filter(|at| *at > 0)
            {
                environ.set(&entry[..at], &entry[at + 1..]);
            }
        }
        environ
    }

    pub(crate) fn set(&mut self, name: impl AsRef<[u8]>, value: impl AsRef<[u8]>) {
        let name = name.as_ref().to_vec();
        self.hidden.remove(&name);
        self.change().insert(name, Some(value.as_ref().to_vec()));
    }

    fn change(&mut self) -> &mut Variables {
        Arc::make_mut(&mut self.variables)
    }

    /// Shares the variables of another environment if they are equal.
    pub(crate) fn share(&mut self, other: &Self) {
        if self.variables == other.variables {
            self.variables = other.variables.clone();
        }
    }

    /// Sets a variable that is visible to configurations and formats, but not to programs.
    pub(crate) fn set_hidden(&mut self, name: impl AsRef<[u8]>, value: impl AsRef<[u8]>) {
        self.set(&name, value);
        self.hidden.insert(name.as_ref().to_vec());
    }

    /// Whether a variable is not passed to programs.
    pub(crate) fn is_hidden(&self, name: &[u8]) -> bool {
        self.hidden.contains(name)
    }

    /// Removes an entry, so that the environment below shows through again.
    pub(crate) fn forget(&mut self, name: impl AsRef<[u8]>) {
        self.change().remove(name.as_ref());
        self.hidden.remove(name.as_ref());
    }

    pub(crate) fn remove(&mut self, name: impl AsRef<[u8]>) {
        self.change().insert(name.as_ref().to_vec(), None);
    }

    pub(crate) fn get(&self, name: &str) -> Option<&[u8]> {
        self.variables.get(name.as_bytes())?.as_deref()
    }

    /// Applies another environment on top of this one.
    pub(crate) fn overlay(&mut self, other: &Self) {
        let others = other.variables.iter();
        let others = others.map(|(name, value)| (name.clone(), value.clone()));
        self.change().extend(others);
    }

    /// The variables as `NAME=value` entries, without removed ones.
    pub(crate) fn entries(&self) -> impl Iterator<Item = Vec<u8>> {
        let seen = self.variables.iter();
        let seen = seen.filter(|(name, _)| !self.hidden.contains(*name));
        seen.filter_map(|(name, value)| {
            let value = value.as_deref()?;
            Some([name.as_slice(), b"=", value].concat())
        })
    }

    /// Names and values, with removed variables as `None`, for the notes.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&[u8], Option<&[u8]>)> {
        self.variables
            .iter()
            .map(|(name, value)| (name.as_slice(), value.as_deref()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn environ_overlaid_and_taken_away() {
        let mut base = Environ::from_entries([&b"A=1"[..], b"B=2=3", b"=C", b"junk"]);
        let mut over = Environ::default();
        over.remove("A");
        over.set("D", b"\xff");
        base.overlay(&over);
        let entries: Vec<Vec<u8>> = base.entries().collect();
        assert_eq!(entries, [b"B=2=3".to_vec(), b"D=\xff".to_vec()]);
    }
}
