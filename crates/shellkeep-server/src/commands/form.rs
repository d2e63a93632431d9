//! The format of a list.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Lines,
    Json,
}
