//! How is a line read at the prompt, so that Ctrl-C is heard there?
//!
//! Once an answer could be broken off, the signal is ours for good: whoever waits for it nowhere has switched it off.

use std::io::{self, BufRead};

use tokio::runtime::Runtime;
use tokio::sync::oneshot;

pub(super) enum Typed {
    Line(String),
    /// No UTF-8; as well as it can be shown.
    Unreadable(String),
    /// Nothing more comes.
    End,
    BrokenOff,
}

/// The next line. The thread that reads it may outlive the wait; then the program ends, and it with it.
pub(super) fn read(runtime: &Runtime) -> io::Result<Typed> {
    let (tell, told) = oneshot::channel();
    std::thread::Builder::new().spawn(move || {
        let mut line = Vec::new();
        let read = io::stdin().lock().read_until(b'\n', &mut line);
        // Nobody waits any more.
        let _ = tell.send(read.map(|length| if length == 0 { Typed::End } else { understood(line) }));
    })?;
    runtime.block_on(async {
        tokio::select! {
            biased;
            typed = told => typed.unwrap_or(Ok(Typed::End)),
            heard = tokio::signal::ctrl_c() => heard.map(|()| Typed::BrokenOff),
        }
    })
}

/// A mark at the beginning of a file is no word.
fn understood(line: Vec<u8>) -> Typed {
    match String::from_utf8(line) {
        Ok(line) => Typed::Line(line.trim_start_matches('\u{FEFF}').to_owned()),
        Err(error) => Typed::Unreadable(String::from_utf8_lossy(error.as_bytes()).into_owned()),
    }
}
