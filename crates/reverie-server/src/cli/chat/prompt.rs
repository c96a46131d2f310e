//! How is a line read at the prompt, so that Ctrl-C is heard there?
//!
//! Once an answer could be broken off, the signal is ours for good: whoever waits for it nowhere has switched it off.

use std::io::{self, BufRead};

use tokio::runtime::Runtime;
use tokio::sync::oneshot;

pub(super) enum Typed {
    Line(String),
    /// Nothing more comes.
    End,
    BrokenOff,
}

/// The next line. The thread that reads it may outlive the wait; then the program ends, and it with it.
pub(super) fn read(runtime: &Runtime) -> io::Result<Typed> {
    let (tell, told) = oneshot::channel();
    std::thread::Builder::new().spawn(move || {
        let mut line = String::new();
        let read = io::stdin().lock().read_line(&mut line);
        // Nobody waits any more.
        let _ = tell.send(read.map(|length| if length == 0 { Typed::End } else { Typed::Line(line) }));
    })?;
    runtime.block_on(async {
        tokio::select! {
            biased;
            typed = told => typed.unwrap_or(Ok(Typed::End)),
            heard = tokio::signal::ctrl_c() => heard.map(|()| Typed::BrokenOff),
        }
    })
}
