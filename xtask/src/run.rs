//! How does a program run so that its words are seen as they come and it cannot stay for ever?

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

const POLL: Duration = Duration::from_millis(50);
/// How long the output of a program that has ended may stay open, held by something that it left behind.
const AFTERMATH: Duration = Duration::from_secs(3);
/// After so long a silence a line says that it is still at work.
const SILENCE: Duration = Duration::from_secs(60);

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Echo {
    /// Line by line, as they come.
    Live,
    None,
}

#[derive(Default)]
pub(crate) struct Ended {
    pub(crate) success: bool,
    pub(crate) timed_out: bool,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs a program to its end, or ends it and its children when the limit is over.
pub(crate) fn run(command: &mut Command, limit: Duration, echo: Echo) -> Result<Ended> {
    let name = command.get_program().to_string_lossy().into_owned();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("cannot start {name}"))?;
    let (sender, receiver) = mpsc::channel();
    pass_on(child.stdout.take(), Stream::Out, sender.clone());
    pass_on(child.stderr.take(), Stream::Err, sender);

    let start = Instant::now();
    let mut last_word = start;
    let mut ended = Ended::default();
    let mut exit: Option<(ExitStatus, Instant)> = None;
    loop {
        let open = match receiver.recv_timeout(POLL) {
            Ok((stream, line)) => {
                last_word = Instant::now();
                ended.take(stream, &line, echo);
                true
            }
            Err(RecvTimeoutError::Timeout) => true,
            Err(RecvTimeoutError::Disconnected) => {
                std::thread::sleep(POLL);
                false
            }
        };
        if exit.is_none() {
            exit = child.try_wait()?.map(|status| (status, Instant::now()));
        }
        match exit {
            Some((status, since)) if !open || since.elapsed() > AFTERMATH => {
                ended.success = status.success();
                return Ok(ended);
            }
            Some(_) => {}
            None if start.elapsed() > limit => {
                end(&mut child);
                ended.timed_out = true;
                return Ok(ended);
            }
            None if echo == Echo::Live && last_word.elapsed() > SILENCE => {
                last_word = Instant::now();
                println!("    … still at work after {} s", start.elapsed().as_secs());
            }
            None => {}
        }
    }
}

/// What a program prints; an error if it fails.
pub(crate) fn output(command: &mut Command, limit: Duration) -> Result<String> {
    let ended = run(command, limit, Echo::None)?;
    succeeded(command, &ended, limit)?;
    Ok(ended.stdout)
}

/// Turns a failure into an error that says what was run.
pub(crate) fn succeeded(command: &Command, ended: &Ended, limit: Duration) -> Result<()> {
    let words: Vec<_> = command.get_args().map(|word| word.to_string_lossy()).collect();
    let line = format!("{} {}", command.get_program().to_string_lossy(), words.join(" "));
    if ended.timed_out {
        bail!("`{line}` was ended after {} s", limit.as_secs());
    }
    if !ended.success {
        bail!("`{line}` failed\n{}", ended.stderr.trim_end());
    }
    Ok(())
}

#[derive(Clone, Copy)]
enum Stream {
    Out,
    Err,
}

impl Ended {
    fn take(&mut self, stream: Stream, line: &str, echo: Echo) {
        if echo == Echo::Live {
            println!("{}", line.trim_end());
        }
        match stream {
            Stream::Out => self.stdout.push_str(line),
            Stream::Err => self.stderr.push_str(line),
        }
    }
}

fn pass_on(from: Option<impl Read + Send + 'static>, stream: Stream, to: Sender<(Stream, String)>) {
    let Some(from) = from else { return };
    std::thread::spawn(move || {
        let mut from = BufReader::new(from);
        let mut line = Vec::new();
        // A read error ends the stream as its end does.
        while from.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
            if to.send((stream, String::from_utf8_lossy(&line).into_owned())).is_err() {
                return;
            }
            line.clear();
        }
    });
}

/// Ends a program and whatever it started.
pub(crate) fn end(child: &mut Child) {
    let children = descendants(child.id());
    // Fails only for what has ended already.
    let _ = child.kill();
    let _ = child.wait();
    let ids: Vec<String> = children.iter().map(u32::to_string).collect();
    if !ids.is_empty() {
        let _ = Command::new("sh").args(["-c", &format!("kill -9 {} 2>/dev/null", ids.join(" "))]).status();
    }
}

/// Children, their children and so on; none on a machine that cannot say.
fn descendants(of: u32) -> Vec<u32> {
    let pairs = from_proc().or_else(from_ps).unwrap_or_default();
    let mut found = vec![of];
    let mut next = 0;
    while let Some(parent) = found.get(next).copied() {
        found.extend(pairs.iter().filter(|(_, of)| *of == parent).map(|(id, _)| *id));
        next += 1;
    }
    found.split_off(1)
}

/// Every process with its parent, as Linux has it.
fn from_proc() -> Option<Vec<(u32, u32)>> {
    let ids = std::fs::read_dir("/proc")
        .ok()?
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let pairs = ids.filter_map(|id: u32| {
        let about = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        // `12 (name) S 7 …`: a name may hold anything, brackets too.
        let parent = about.rsplit_once(')')?.1.split_whitespace().nth(1)?;
        Some((id, parent.parse().ok()?))
    });
    Some(pairs.collect()).filter(|pairs: &Vec<_>| !pairs.is_empty())
}

/// The same, as other Unixes have it.
fn from_ps() -> Option<Vec<(u32, u32)>> {
    let listed = Command::new("ps").args(["-A", "-o", "pid=,ppid="]).output().ok()?;
    let pairs = String::from_utf8_lossy(&listed.stdout).into_owned();
    let pairs = pairs.lines().filter_map(|line| {
        let mut words = line.split_whitespace().map(str::parse);
        Some((words.next()?.ok()?, words.next()?.ok()?))
    });
    Some(pairs.collect())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn what_takes_too_long_is_ended_with_its_children() {
        let limit = Duration::from_millis(300);
        let ended = run(&mut shell("sleep 600 & echo $!; wait"), limit, Echo::None).unwrap();
        assert!(ended.timed_out && !ended.success);
        let child = ended.stdout.trim();
        let start = Instant::now();
        while shell(&format!("kill -0 {child} 2>/dev/null")).status().unwrap().success() {
            assert!(start.elapsed() < Duration::from_secs(10), "process {child} is still there");
            std::thread::sleep(POLL);
        }
    }

    #[test]
    fn what_a_program_leaves_behind_is_not_waited_for() {
        let start = Instant::now();
        let ended = run(&mut shell("sleep 20 & echo done"), Duration::from_secs(60), Echo::None).unwrap();
        assert!(ended.success && ended.stdout == "done\n");
        assert!(start.elapsed() < Duration::from_secs(15));
    }

    #[test]
    fn a_failure_says_what_was_run() {
        let error = output(&mut shell("echo sorry >&2; exit 3"), Duration::from_secs(60)).unwrap_err();
        assert!(error.to_string().contains("sorry") && error.to_string().contains("exit 3"), "{error}");
    }
}
