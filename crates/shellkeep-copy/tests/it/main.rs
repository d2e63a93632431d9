//! Copy mode over a real engine.

mod replay;
