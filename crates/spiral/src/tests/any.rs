//! Whatever happens: it stays small, and says the same when it was kept as JSON.

use proptest::prelude::*;

use super::super::{Content, Outcome, Sketch, Spiral, Step, Syntax, Tool, Tracker};
use super::{FILE, Story, shell};

/// Anything that can happen.
#[derive(Debug, Clone)]
enum Happening {
    Step(u8, Option<String>, Option<u64>, u8, Option<u64>, bool),
    Ask(String, Option<u64>),
    Found(String, u64),
    Turn(String),
    Resume(Option<String>),
}

fn path() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-d]",
        "\\PC{0,40}",
        Just("\"\\\u{7}".repeat(300)),
        (0_u32..5_000).prop_map(|n| format!("{n}/\"\\").repeat(80))
    ]
}

/// Few different ones, so that things repeat; and the longest.
fn number() -> impl Strategy<Value = u64> {
    prop_oneof![0..6_u64, any::<u64>().prop_map(|n| u64::MAX - n % 100)]
}

fn happening() -> impl Strategy<Value = Happening> {
    let some = || proptest::option::of(number());
    prop_oneof![
        8 => (any::<u8>(), proptest::option::of(path()), some(), 0..4_u8, some(), any::<bool>())
            .prop_map(|(a, b, c, d, e, f)| Happening::Step(a, b, c, d, e, f)),
        3 => (path(), some()).prop_map(|(path, content)| Happening::Ask(path, content)),
        1 => (path(), number()).prop_map(|(path, content)| Happening::Found(path, content)),
        1 => path().prop_map(Happening::Turn),
        1 => proptest::option::of(path()).prop_map(Happening::Resume),
    ]
}

fn some_content(hash: u64) -> Content {
    let syntax = [Syntax::Unknown, Syntax::Whole, Syntax::Broken, Syntax::Doubtful];
    let (size, syntax) = (hash.wrapping_mul(997), syntax[usize::try_from(hash % 4).unwrap_or(0)]);
    Content {
        hash,
        size,
        lines: u32::try_from(size / 30).unwrap_or(u32::MAX),
        syntax,
        faults: hash.rotate_left(7) & (hash % 3),
        damage: u32::try_from(hash % 5).unwrap_or(0) * 249_000_000,
        open: hash.is_multiple_of(3).then_some([(1 << 24) - 1; 8]),
    }
}

fn happens(tracker: &mut Tracker, happening: &Happening) -> Option<Spiral> {
    match happening {
        Happening::Step(signature, path, content, how, result, check) => tracker.observe(&Step {
            turn: "t",
            signature: u64::MAX - u64::from(signature % 4),
            tool: [Tool::Edit, Tool::Shell, Tool::Read, Tool::Other][usize::from(signature % 4)],
            path: path.as_deref(),
            after: content.map(some_content),
            writes: how % 2 == 0,
            waits: *signature == 3,
            outcome: match how {
                0 | 1 => Outcome::Failed { error: result.unwrap_or(u64::MAX) },
                2 => Outcome::Ok,
                _ => Outcome::Unknown,
            },
            result: *result,
            check: check.then_some(u64::from(signature % 3)),
            output: path.as_deref().unwrap_or_default(),
            unfinished: how % 3 == 0,
            put_back: *how == 3,
            at: i64::from(*how),
        }),
        Happening::Ask(path, content) => tracker
            .before_call(u64::MAX - content.unwrap_or(0) % 4, path)
            .or_else(|| tracker.before_edit(path, content.map(some_content))),
        Happening::Found(path, content) => {
            tracker.found(path, some_content(*content));
            tracker.looked(content % 2 == 0, content % 3 == 0);
            let line = u32::try_from(content % 5_000).unwrap_or(u32::MAX);
            tracker.announced_place(path, (line, u32::MAX - line));
            None
        }
        Happening::Turn(turn) => {
            tracker.new_turn(turn, turn);
            None
        }
        Happening::Resume(path) => {
            tracker.resume(path.as_deref());
            None
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Kept as JSON between any two happenings, it says the same; and it stays small.
    #[test]
    fn kept_as_json_it_says_the_same(happenings in proptest::collection::vec(happening(), 0..300)) {
        let (mut kept, mut stored) = (Tracker::default(), "{}".to_owned());
        for happening in &happenings {
            let mut read: Tracker = serde_json::from_str(&stored).unwrap();
            prop_assert_eq!(happens(&mut read, happening), happens(&mut kept, happening));
            stored = serde_json::to_string(&read).unwrap();
            prop_assert!(stored.len() < 32 << 10, "{} bytes", stored.len());
            prop_assert_eq!(read.blocked(), kept.blocked());
        }
    }
}

/// The longest names there can be, every list full, every number long, every file held back.
#[test]
fn a_thousand_turns_stay_small() {
    let mut story = Story::new();
    for turn in 0..1_000_u64 {
        story.prompt(&format!("{turn}{}", "\"".repeat(100)));
        for file in 0..16 {
            let path = format!("{file}{}", "\\".repeat(300));
            story.tracker.found(&path, some_content(u64::MAX - turn % 30));
            for call in 0..4 {
                story.step(Step {
                    tool: Tool::Edit,
                    path: Some(&path),
                    after: Some(some_content(u64::MAX - turn * 7 - call)),
                    ..shell(u64::MAX - turn, Outcome::Ok)
                });
                let failed = Outcome::Failed { error: u64::MAX - 1 };
                story.step(Step { tool: Tool::Edit, path: Some(&path), ..shell(u64::MAX - call, failed) });
                story.fails(u64::MAX - turn % 40);
            }
        }
    }
    story.tracker.announced_sketch(FILE, Sketch::of("line\n".repeat(9_999).as_bytes()));
    assert_eq!(story.tracker.blocked().iter().filter(|spiral| spiral.path.is_some()).count(), 16);
    let stored = serde_json::to_string(&story.tracker).unwrap();
    assert!((16 << 10..32 << 10).contains(&stored.len()), "{} bytes", stored.len());
}
