//! Does the program that is here make the table that is committed?

mod committed;
mod miniature;
