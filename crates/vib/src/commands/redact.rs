//! `vib redact`

use std::io::ErrorKind;

use engine::Result;
use redact::Clean;
use serde::Serialize;

use crate::answer::Answer;
use crate::cli::Session;
use crate::render;

/// Take secrets and private details out of a text
///
/// Reads standard input and prints it without secrets, home folders, user and machine names, private addresses and configured
/// names. Text that holds none comes out byte for byte. Input of any length; use it in any pipeline: `make 2>&1 | vib redact`.
/// With --json, prints the text and how much was taken out.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

/// The cleaned text and what was taken out of it.
#[derive(Debug, Serialize)]
struct Redacted {
    text: String,
    secrets: usize,
    private: usize,
    withheld: bool,
    bytes: u64,
    invalid_bytes: u64,
}

pub(crate) fn run(_args: &Args, session: &mut Session) -> Result<Answer> {
    let context = session.context()?;
    let input = std::io::stdin().lock();
    let printer = &session.printer;
    if !printer.json() {
        let mut went_away = false;
        let done = engine::redaction::clean_stream(&context, input, |clean| {
            let written = printer.exactly(clean.as_str().as_bytes());
            went_away |= written.as_ref().is_err_and(|error| error.kind() == ErrorKind::BrokenPipe);
            written
        });
        if went_away {
            return Ok(Answer::raw(Vec::new()));
        }
        let done = done?;
        if done.counts.withheld || done.invalid_bytes > 0 {
            printer.aside(&render::redacted(&done, printer.theme()));
        }
        return Ok(Answer::raw(Vec::new()));
    }
    let mut text = String::new();
    let done = engine::redaction::clean_stream(&context, input, |clean: &Clean| {
        text.push_str(clean.as_str());
        Ok(())
    })?;
    let report = Redacted {
        text,
        secrets: done.counts.secrets,
        private: done.counts.private,
        withheld: done.counts.withheld,
        bytes: done.bytes,
        invalid_bytes: done.invalid_bytes,
    };
    Ok(Answer::new(printer, &report, |_, _| String::new()))
}
