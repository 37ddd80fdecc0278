//! No text makes the map slow: each has a time that grows with its length, and many slow ones together have an end. (S20)

mod hostile;

use std::time::{Duration, Instant};

use map::{Language, Unread, outline};

/// The machine may have other work; what this is about takes half a minute for one file.
const SLACK: Duration = Duration::from_secs(4);

#[test]
fn no_file_takes_long_and_what_was_not_read_says_so_s20() {
    for (name, language, make) in hostile::SHAPES {
        let text = make(100 << 10);
        let started = Instant::now();
        let outline = outline(*language, text.as_bytes());
        let took = started.elapsed();
        assert!(took < Duration::from_millis(900) + SLACK, "{name}: {took:?}");
        assert!(outline.lines > 0, "what every text has is known anyway: {name}");
        let honest = name.ends_with("honest");
        let unread = matches!(outline.unread, Some(Unread::TookTooLong | Unread::NoTimeLeft));
        assert!(outline.unread.is_none() || (unread && !honest), "{name}: {:?}", outline.unread);
    }
    // As many as a hostile project has: after the first ones there is no more patience with their language.
    let (_, _, make) = hostile::SHAPES.iter().find(|(name, ..)| *name == "sh: pipes").expect("the slowest");
    let started = Instant::now();
    let texts: Vec<String> = (0..48).map(|number| format!("# {number}\n{}", make(100 << 10))).collect();
    let read = texts.iter().filter(|text| outline(Language::Bash, text.as_bytes()).unread.is_none()).count();
    let took = started.elapsed();
    assert!(took < Duration::from_secs(5) + SLACK, "{} MB, {read} read: {took:?}", 48 * 100 / 1000);
    // Other languages are read as ever.
    let honest = "def a(b):\n    return b\n".repeat(4_000);
    assert_eq!(outline(Language::Python, honest.as_bytes()).unread, None);
}
