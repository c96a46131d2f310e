//! Tests of the offline embedder through its public doors.

mod meaning;
mod sameness;
mod spelling;
