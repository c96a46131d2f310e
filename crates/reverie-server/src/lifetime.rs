//! When should the server stop?
//!
//! When asked by a signal (SIGTERM, Ctrl-C; on Windows also closing the console or shutting down), and with
//! `--exit-with-parent` also when the process that started it is gone. Two things tell the latter, whichever comes
//! first:
//! - stdin ends. The parent keeps the other end of a pipe, and the system closes it however the parent dies. Works
//!   everywhere. On Unix a stdin that is no pipe (a terminal, /dev/null) says nothing and is not watched; on Windows the
//!   parent must give a pipe and keep it open.
//! - on Unix, the parent's process id changes, because orphans are given to another process.

use std::io::{IsTerminal, Read};

use tokio::sync::oneshot;

/// Signals that ask for an end. Made once, so that the second one is not missed.
pub(crate) struct Signals {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(windows)]
    ctrl_c: tokio::signal::windows::CtrlC,
    #[cfg(windows)]
    ctrl_break: tokio::signal::windows::CtrlBreak,
    #[cfg(windows)]
    close: tokio::signal::windows::CtrlClose,
    #[cfg(windows)]
    shutdown: tokio::signal::windows::CtrlShutdown,
}

impl Signals {
    #[cfg(unix)]
    pub(crate) fn watch() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    #[cfg(windows)]
    pub(crate) fn watch() -> std::io::Result<Self> {
        use tokio::signal::windows;
        Ok(Self {
            ctrl_c: windows::ctrl_c()?,
            ctrl_break: windows::ctrl_break()?,
            close: windows::ctrl_close()?,
            shutdown: windows::ctrl_shutdown()?,
        })
    }

    #[cfg(unix)]
    pub(crate) async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.terminate.recv() => "SIGTERM",
            _ = self.interrupt.recv() => "interrupt",
        }
    }

    #[cfg(windows)]
    pub(crate) async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.ctrl_c.recv() => "Ctrl-C",
            _ = self.ctrl_break.recv() => "Ctrl-Break",
            _ = self.close.recv() => "the console was closed",
            _ = self.shutdown.recv() => "the system shuts down",
        }
    }
}

/// Which process started us; asked for early, before it can be gone.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parent {
    #[cfg(unix)]
    id: u32,
}

impl Parent {
    pub(crate) fn now() -> Self {
        Self {
            #[cfg(unix)]
            id: std::os::unix::process::parent_id(),
        }
    }

    /// Ends when the parent is gone.
    pub(crate) async fn gone(self) -> &'static str {
        tokio::select! {
            () = stdin_ended() => "stdin ended",
            () = self.replaced() => "the parent process is gone",
        }
    }

    #[cfg(unix)]
    async fn replaced(self) {
        let mut pulse = tokio::time::interval(std::time::Duration::from_millis(250));
        while std::os::unix::process::parent_id() == self.id {
            pulse.tick().await;
        }
    }

    #[cfg(not(unix))]
    async fn replaced(self) {
        std::future::pending().await
    }
}

async fn stdin_ended() {
    if std::io::stdin().is_terminal() || !stdin_may_be_a_pipe() {
        return std::future::pending().await;
    }
    let (ended, end) = oneshot::channel();
    // A thread of its own, not one of the pool: a read of stdin cannot be cancelled and would hold up the exit.
    let reader = std::thread::Builder::new().name("stdin".to_owned()).spawn(move || {
        let mut ignored = [0; 256];
        while matches!(std::io::stdin().read(&mut ignored), Ok(count) if count > 0) {}
        let _ = ended.send(());
    });
    match reader {
        Ok(_) => drop(end.await),
        Err(error) => {
            tracing::warn!(%error, "cannot watch stdin");
            std::future::pending().await
        }
    }
}

/// /dev/null ends at once and says nothing about any parent.
#[cfg(unix)]
fn stdin_may_be_a_pipe() -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::FileTypeExt;
    let metadata =
        std::io::stdin().as_fd().try_clone_to_owned().and_then(|stdin| std::fs::File::from(stdin).metadata());
    metadata.is_ok_and(|metadata| metadata.file_type().is_fifo() || metadata.file_type().is_socket())
}

#[cfg(not(unix))]
fn stdin_may_be_a_pipe() -> bool {
    true
}
