//! Everything a program can ask of the terminal, by category, through the public interface only.

mod corpus;
mod kit;
