//! How long parsing may take, and what happens when it takes longer. (S20)
//!
//! Parsers are fast on what people write and can be very slow on what is made to be slow. So each text has a time that grows with its
//! length; a language that lost much time already gets little for each further text, so that many such files together cost seconds and
//! not minutes. Some of the parser's steps cannot be stopped from inside: longer texts are parsed on a thread of their own, which is
//! left behind when its time is over, and while two of a language are at work there, longer texts of that language are not parsed.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tree_sitter::{ParseOptions, Parser, Tree};

use crate::Language;

/// Shorter texts are parsed where they are: even the slowest of them takes no time that anybody notices.
const SHORT: usize = 8 << 10;
/// What a text may take, and for each of its kilobytes; together never more than [`MOST`].
const AT_LEAST: Duration = Duration::from_millis(300);
const PER_KILOBYTE: Duration = Duration::from_millis(4);
const MOST: Duration = Duration::from_secs(2);
/// The same for a language that has lost [`ENOUGH`].
const HASTE: Duration = Duration::from_millis(50);
const HASTE_PER_KILOBYTE: Duration = Duration::from_micros(200);
/// So much time may be lost on texts of one language before there is haste, within [`MEMORY`].
const ENOUGH: Duration = Duration::from_secs(2);
const MEMORY: Duration = Duration::from_secs(60);
/// Threads of one language that may be left behind at the same time.
const MOST_BEHIND: usize = 2;
/// A parser that can be stopped from inside stops by itself before it is left behind.
const GRACE: Duration = Duration::from_millis(50);

/// What came of parsing.
#[derive(Debug)]
pub(crate) enum Parsed {
    /// A tree.
    Tree(Tree),
    /// It took longer than a text of this length may.
    TookTooLong,
    /// It was not finished in the little time that was left after others had taken too long.
    NoTimeLeft,
}

impl Parsed {
    /// The tree, if there is one.
    pub(crate) fn tree(self) -> Option<Tree> {
        match self {
            Self::Tree(tree) => Some(tree),
            Self::TookTooLong | Self::NoTimeLeft => None,
        }
    }
}

/// What one language has cost.
#[derive(Debug, Clone, Copy, Default)]
struct Cost {
    lost: Duration,
    last: Option<Instant>,
    behind: usize,
}

static COSTS: Mutex<[Cost; Language::COUNT]> =
    Mutex::new([Cost { lost: Duration::ZERO, last: None, behind: 0 }; Language::COUNT]);

fn cost(language: Language, change: impl FnOnce(&mut Cost)) -> Cost {
    let mut costs = COSTS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let cost = &mut costs[language as usize];
    if cost.last.is_some_and(|last| last.elapsed() > MEMORY) {
        cost.lost = Duration::ZERO;
    }
    change(cost);
    *cost
}

/// Parses a text within its time. `limit` is what the caller can wait at the most, from `started` on.
pub(crate) fn parse(language: Language, text: &[u8], started: Instant, limit: Option<Duration>) -> Parsed {
    let known = cost(language, |_| {});
    let hasty = known.lost >= ENOUGH;
    let kilobytes = u32::try_from(text.len() >> 10).unwrap_or(u32::MAX);
    let time = if hasty {
        HASTE + HASTE_PER_KILOBYTE.saturating_mul(kilobytes)
    } else {
        AT_LEAST + PER_KILOBYTE.saturating_mul(kilobytes)
    };
    let time = time.min(MOST).min(limit.unwrap_or(MOST));
    let end = started + time;
    let begun = Instant::now();
    let tree = if text.len() <= SHORT {
        until(language, text, end)
    } else if known.behind >= MOST_BEHIND {
        return Parsed::NoTimeLeft;
    } else {
        aside(language, text, end)
    };
    match tree {
        Some(tree) => Parsed::Tree(tree),
        None => {
            cost(language, |cost| {
                cost.lost += begun.elapsed();
                cost.last = Some(Instant::now());
            });
            if hasty || limit.is_some() { Parsed::NoTimeLeft } else { Parsed::TookTooLong }
        }
    }
}

/// Parses here, and stops at the end of the time where the parser can be stopped.
fn until(language: Language, text: &[u8], end: Instant) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&language.grammar()).ok()?;
    let mut give_up =
        |_: &_| if Instant::now() > end { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let options = ParseOptions::new().progress_callback(&mut give_up);
    parser.parse_with_options(&mut |at, _| text.get(at..).unwrap_or_default(), None, Some(options))
}

/// Parses on a thread of its own, and leaves it behind if it does not stop.
fn aside(language: Language, text: &[u8], end: Instant) -> Option<Tree> {
    let (sender, receiver) = channel();
    let left = Arc::new(AtomicBool::new(false));
    let (copy, was_left) = (text.to_vec(), Arc::clone(&left));
    let work = move || {
        let tree = until(language, &copy, end);
        // Both sides look and count under one lock, so that each thread that was left behind is counted once and taken off once.
        cost(language, |cost| {
            if was_left.load(Ordering::Relaxed) {
                cost.behind = cost.behind.saturating_sub(1);
            }
            let _ = sender.send(tree);
        });
    };
    if std::thread::Builder::new().name("parse".to_owned()).spawn(work).is_err() {
        return until(language, text, end);
    }
    let patience = end.saturating_duration_since(Instant::now()) + GRACE;
    if let Ok(tree) = receiver.recv_timeout(patience) {
        return tree;
    }
    let mut tree = None;
    cost(language, |cost| match receiver.try_recv() {
        // It was done just now.
        Ok(done) => tree = done,
        Err(_) => {
            left.store(true, Ordering::Relaxed);
            cost.behind += 1;
        }
    });
    tree
}
