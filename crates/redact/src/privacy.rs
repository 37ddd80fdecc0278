//! The privacy filter: what is no secret but nobody else's business.
//!
//! Home folders, user and machine names, private addresses, internal hosts, e-mail addresses, absolute paths and configured
//! identifiers are replaced or shortened. Everything it knows about the machine comes in through [`PrivacyContext`]; the filter reads
//! no environment and no file.

mod net;
mod path;
mod words;

use crate::finding::Span;
use crate::view::View;

/// What the filter knows about where it runs. Empty fields are simply not looked for.
#[derive(Debug, Clone, Default)]
pub struct PrivacyContext {
    /// The home folder, as an absolute path.
    pub home: Option<String>,
    /// The user's login name.
    pub user: Option<String>,
    /// The machine's name.
    pub host: Option<String>,
    /// The project's folder; paths below it become relative.
    pub project_root: Option<String>,
    /// Customer and project names that must not leave.
    pub identifiers: Vec<String>,
    /// Domains of internal hosts, such as `corp.acme.com`, besides the usual ones (`.local`, `.lan`, …).
    pub internal_domains: Vec<String>,
    /// Text that stays as it is even though a detector takes it for private (an e-mail address, a host, a path).
    ///
    /// The caller fills this from the user's own config only: a project may tighten the filter, never loosen it.
    pub allowed: Vec<String>,
    /// `localhost` and loopback addresses stay: for what is kept for the owner of the machine, to whom they hide nothing.
    pub loopback_stays: bool,
    /// Absolute paths stay as they are: for what has to be done again, or said yes to, exactly as it stands.
    pub paths_stay: bool,
}

/// A private detail and what to put in its place.
#[derive(Debug, Clone)]
pub(crate) struct Private {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) replacement: String,
}

impl Private {
    fn marked(start: usize, end: usize, what: &str) -> Self {
        Self { start, end, replacement: format!("[private:{what}]") }
    }
}

/// Every private detail in `text`, sorted, without overlap.
pub(crate) fn find<'t>(text: &'t str, context: &PrivacyContext) -> Vec<Private> {
    let mut found = Vec::new();
    look(text.as_bytes(), context, &mut found);
    // The same in the readings without colour codes, escapes and percent signs; what was seen already overlaps and drops out.
    let readings: [fn(&View<'t>) -> Option<View<'t>>; 3] =
        [View::without_ansi, View::without_escapes, View::without_percent];
    let mut view = View::of(text.as_bytes());
    for reading in readings {
        let Some(next) = view.as_ref().and_then(reading) else {
            continue;
        };
        let mut inside = Vec::new();
        look(&next.text, context, &mut inside);
        for private in inside {
            let (start, end) = next.original(private.start, private.end);
            found.push(Private { start, end, ..private });
        }
        view = Some(next);
    }
    found.retain(|private| {
        text.is_char_boundary(private.start)
            && text.is_char_boundary(private.end)
            && !(context.loopback_stays && net::is_loopback(&text[private.start..private.end]))
            && !context.allowed.iter().any(|allowed| *allowed == text[private.start..private.end])
    });
    found.sort_by(|a, b| a.start.cmp(&b.start).then(b.end.cmp(&a.end)));
    let mut kept: Vec<Private> = Vec::with_capacity(found.len());
    for private in found {
        if kept.last().is_none_or(|last| private.start >= last.end) {
            kept.push(private);
        }
    }
    kept
}

fn look(text: &[u8], context: &PrivacyContext, found: &mut Vec<Private>) {
    if !context.paths_stay {
        path::find(text, context, found);
    }
    words::find_emails(text, found);
    net::find_addresses(text, found);
    net::find_hosts(text, context, found);
    words::find_names(text, context, found);
}

/// `[redacted:RULE#NUMBER]` is never longer.
const LONGEST_MARK: usize = 128;

/// Spans that may not be touched: marks that an earlier round put there.
pub(crate) fn is_inside_mark(text: &[u8], span: &Span) -> bool {
    // A mark is short: no bracket that is further away can be its beginning.
    let near = span.start.saturating_sub(LONGEST_MARK);
    let open = memchr::memrchr(b'[', &text[near..span.start]).map(|at| near + at);
    open.is_some_and(|open| {
        let mark = &text[open..text.len().min(open + LONGEST_MARK)];
        (mark.starts_with(b"[redacted:") || mark.starts_with(b"[private:"))
            && memchr::memchr(b']', mark).is_some_and(|close| open + close >= span.end)
    })
}
