//! A panic inside the parser is an answer, and nobody hears of it; every other panic is reported as before.
//!
//! A test binary of its own: the panic hook belongs to the whole process.

use shell::{Decision, JudgeContext, NoFiles, Policy, judge};
use std::sync::atomic::{AtomicUsize, Ordering};

static HEARD: AtomicUsize = AtomicUsize::new(0);

#[test]
fn a_panic_of_the_parser_is_silent_and_others_are_heard() {
    std::panic::set_hook(Box::new(|_| {
        HEARD.fetch_add(1, Ordering::SeqCst);
    }));
    let context = JudgeContext::new("/home/u/app", "/home/u", &NoFiles);
    // brush-parser 0.4.0 takes a character after the end of this text.
    let panicking = "<<E $(\n)a E))\nE\n";
    let direct = std::panic::catch_unwind(|| {
        let reader = std::io::BufReader::new(panicking.as_bytes());
        brush_parser::Parser::new(reader, &brush_parser::ParserOptions::default()).parse_program().is_ok()
    });
    assert!(direct.is_err(), "the parser no longer panics here: find another text for this test");
    assert_eq!(HEARD.swap(0, Ordering::SeqCst), 1);

    let verdict = judge(panicking, &context, &Policy::default());
    assert_eq!(verdict.decision, Decision::Ask);
    assert!(!verdict.unknown.is_empty());
    assert_eq!(HEARD.load(Ordering::SeqCst), 0, "the parser's panic must not be reported");

    assert!(std::thread::spawn(|| std::panic::panic_any("another thread")).join().is_err());
    assert_eq!(HEARD.load(Ordering::SeqCst), 1, "other panics still are");
}
