//! How far is it? Said on stderr: a bar where somebody looks at a terminal, otherwise a line now and then. What is done in
//! a moment says nothing, and with `--json` nothing is said at all.

use std::io::{IsTerminal, Read, Write};
use std::time::{Duration, Instant};

use crate::output::Output;

const BAR_EVERY: Duration = Duration::from_millis(200);
const LINE_EVERY: Duration = Duration::from_secs(2);
const WIDTH: u64 = 30;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Silent,
    Bar,
    Lines,
}

pub(crate) struct Progress {
    doing: &'static str,
    style: Style,
    said_at: Instant,
    has_bar: bool,
}

impl Progress {
    /// `doing` is a word like «importing».
    pub(crate) fn new(output: Output, doing: &'static str) -> Self {
        let style = match (output.json, std::io::stderr().is_terminal()) {
            (true, _) => Style::Silent,
            (false, true) => Style::Bar,
            (false, false) => Style::Lines,
        };
        Self { doing, style, said_at: Instant::now(), has_bar: false }
    }

    pub(crate) fn at(&mut self, done: u64, all: u64) {
        if let Some(text) = self.text(done, all, Instant::now()) {
            // Whoever does not listen misses nothing but this.
            let _ = std::io::stderr().lock().write_all(text.as_bytes());
        }
    }

    /// None if something was said a moment ago.
    fn text(&mut self, done: u64, all: u64, now: Instant) -> Option<String> {
        let every = match self.style {
            Style::Silent => return None,
            Style::Bar => BAR_EVERY,
            Style::Lines => LINE_EVERY,
        };
        if now.saturating_duration_since(self.said_at) < every {
            return None;
        }
        self.said_at = now;
        let done = done.min(all);
        let percent = (done.saturating_mul(100)).checked_div(all).unwrap_or(0);
        let Self { doing, .. } = self;
        if self.style == Style::Lines {
            return Some(format!("{doing}: {percent} %\n"));
        }
        self.has_bar = true;
        let full = (percent * WIDTH / 100) as usize;
        let (full, rest) = ("#".repeat(full), " ".repeat(WIDTH as usize - full));
        Some(format!("\r{doing} [{full}{rest}] {percent:3} %"))
    }
}

/// The bar makes room for the answer.
impl Drop for Progress {
    fn drop(&mut self) {
        if self.has_bar {
            let _ = std::io::stderr().lock().write_all(b"\r\x1b[K");
        }
    }
}

/// A file that says how much of it was read.
pub(crate) struct Watched<'p, R> {
    pub(crate) from: R,
    pub(crate) read: u64,
    pub(crate) length: u64,
    pub(crate) progress: &'p mut Progress,
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        let read = self.from.read(to)?;
        self.read += read as u64;
        self.progress.at(self.read, self.length);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(style: Style, at: &[(u64, u64)]) -> Vec<String> {
        let start = Instant::now();
        let mut progress = Progress { doing: "importing", style, said_at: start, has_bar: false };
        let texts = at
            .iter()
            .filter_map(|(millis, done)| progress.text(*done, 200, start + Duration::from_millis(*millis)))
            .collect();
        progress.has_bar = false;
        texts
    }

    #[test]
    fn a_bar_for_a_terminal_lines_for_a_log_nothing_for_a_program() {
        let at = [(0, 1), (150, 20), (250, 50), (300, 60), (2100, 100), (4200, 300)];
        let bar = |full: usize, percent: &str| {
            format!("\rimporting [{}{}] {percent} %", "#".repeat(full), " ".repeat(30 - full))
        };
        assert_eq!(said(Style::Bar, &at), [bar(7, " 25"), bar(15, " 50"), bar(30, "100")]);
        assert_eq!(said(Style::Lines, &at), ["importing: 50 %\n", "importing: 100 %\n"]);
        assert_eq!(said(Style::Silent, &at), [""; 0]);
    }

    #[test]
    fn what_is_done_in_a_moment_says_nothing() {
        assert_eq!(said(Style::Bar, &[(0, 100), (100, 200)]), [""; 0]);
        assert_eq!(said(Style::Lines, &[(0, 100), (1900, 200)]), [""; 0]);
    }
}
