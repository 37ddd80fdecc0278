//! What vib does, told while it does it, for whoever looks for a fault: `VIBELIGN_LOG=debug` or `-v`. (A5)
//!
//! Off, it costs one look at the environment: nothing is set up, and what the crates could tell is skipped by comparing a number. What is told
//! are names of parts, counts, codes and times, never the text of prompts, commands or files. Commands tell it on standard error. Hooks must
//! not: what a client reads there it may show or take for a failure, so theirs goes to a file that only its owner can read.

use std::fs::File;
use std::path::Path;
use std::sync::Mutex;

use project::{Context, platform};
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, Registry, fmt};

/// A level (`info`, `debug`, `trace`), or parts with theirs, as in `vib::store=debug,vib::hooks=trace`.
const VARIABLE: &str = "VIBELIGN_LOG";
/// What hooks tell, in the state folder.
const FILE: &str = "hooks.log";
/// A file of this length is begun anew: somebody forgot the variable in their profile.
const LONGEST: u64 = 4 << 20;

/// Begins to tell on standard error, if `-v` or the environment asks for it.
pub(crate) fn of_a_command(verbose: u8) {
    let Some(what) = wanted(verbose) else { return };
    // No time of day, but how long a part took: `without_time` would leave both out.
    let layer = fmt::layer().with_ansi(false).with_writer(std::io::stderr).with_timer(());
    begin(layer.with_span_events(FmtSpan::CLOSE).boxed(), what);
}

/// The same for a hook, into its file.
pub(crate) fn of_a_hook() {
    let Some(what) = wanted(0) else { return };
    let Some(file) = Context::from_process().ok().and_then(|context| hooks_file(context.state().ok()?))
    else {
        return;
    };
    let layer = fmt::layer().with_ansi(false).with_writer(Mutex::new(file));
    begin(layer.with_span_events(FmtSpan::CLOSE).boxed(), what);
}

fn begin(layer: Box<dyn Layer<Registry> + Send + Sync>, what: Targets) {
    // Somebody else set it up already: theirs stays.
    let _ = tracing_subscriber::registry().with(layer.with_filter(what)).try_init();
}

/// What is to be told; nothing if nobody asked, or asked in words that nobody understands.
fn wanted(verbose: u8) -> Option<Targets> {
    let by_flag = match verbose {
        0 => None,
        1 => Some(Targets::new().with_target("vib", LevelFilter::INFO)),
        2 => Some(Targets::new().with_target("vib", LevelFilter::DEBUG)),
        _ => Some(Targets::new().with_target("vib", LevelFilter::TRACE)),
    };
    by_flag.or_else(|| understood(std::env::var_os(VARIABLE)?.to_str()?))
}

fn understood(words: &str) -> Option<Targets> {
    // A level alone is for vib's own parts: what its dependencies tell helps nobody who looks for a fault of vib's.
    match words.trim().parse::<LevelFilter>() {
        Ok(LevelFilter::OFF) => None,
        Ok(level) => Some(Targets::new().with_target("vib", level)),
        Err(_) => words.trim().parse().ok(),
    }
}

fn hooks_file(state: &Path) -> Option<File> {
    let path = state.join(FILE);
    let file = platform::open_private_append(&path).ok()?;
    if file.metadata().is_ok_and(|facts| facts.len() > LONGEST) {
        file.set_len(0).ok()?;
    }
    Some(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_for_vibs_own_parts_only() {
        let told = understood("debug").unwrap();
        assert!(told.would_enable("vib::store", &tracing::Level::DEBUG));
        assert!(!told.would_enable("vib::store", &tracing::Level::TRACE));
        assert!(!told.would_enable("rustls", &tracing::Level::ERROR));
    }

    #[test]
    fn parts_have_levels_of_their_own() {
        let told = understood("vib::store=trace,vib::hooks=info").unwrap();
        assert!(told.would_enable("vib::store", &tracing::Level::TRACE));
        assert!(!told.would_enable("vib::hooks", &tracing::Level::DEBUG));
        assert!(!told.would_enable("vib::git", &tracing::Level::ERROR));
    }

    #[test]
    fn nothing_is_told_for_words_that_say_nothing() {
        assert!(understood("off").is_none());
        assert!(understood("vib::store=loudly").is_none());
    }
}
