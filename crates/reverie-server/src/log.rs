//! Where does the log go, in which form, and what never gets into it?

use std::panic::PanicHookInfo;

use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;

use crate::settings::Log;

/// One line an event, on stderr: stdout belongs to answers.
pub(crate) fn start(log: Log) {
    let builder = tracing_subscriber::fmt().with_max_level(log.level).with_writer(std::io::stderr);
    // Fails only if a log was started before; then that one stays.
    let _ = if log.json {
        let builder = builder.json().flatten_event(true).with_current_span(true).with_span_list(false);
        tracing::subscriber::set_global_default(builder.finish().with(quiet(log)))
    } else {
        tracing::subscriber::set_global_default(builder.with_ansi(false).finish().with(quiet(log)))
    };
    std::panic::set_hook(Box::new(log_panic));
}

/// The protocol of MCP clients is another project's, and tells at every level what clients sent.
fn quiet(log: Log) -> Targets {
    Targets::new().with_default(log.level).with_target("rmcp", LevelFilter::OFF)
}

/// A panic's message may quote dialogue («byte index 1 is not a char boundary in `…`»), so at the usual levels only its
/// place is told.
fn log_panic(panic: &PanicHookInfo<'_>) {
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    tracing::error!(place, "a defect: this must not happen");
    let payload = panic.payload();
    let message =
        payload.downcast_ref::<String>().map(String::as_str).or(payload.downcast_ref::<&str>().copied());
    tracing::debug!(place, message, "the defect's message");
}
