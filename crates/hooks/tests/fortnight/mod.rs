//! A simulated fortnight: three clients, three projects, more than two hundred sessions of fourteen kinds, with planted truths (rules said in the
//! chat in four languages, decisions reversed, failures and what mended them, a command that is broken and later works) and planted lies (in
//! files, outputs and an agent's own words). What agents are told is scored. (M1–M13, T10)
//!
//! `words/dev.json` was tuned on. `words/held.json` has other projects, tools and wordings; it was written before the code and run when the code
//! was done. `words/wild.json` and `words/wild-held.json` add what sounds like a rule and is none (irony, other people's rules, pasted text,
//! suppositions, once only), rules within other sentences and in mixed languages, what holds for some days, and chains of reversals; again one
//! half was looked at and the other was not. `VIB_FORTNIGHT=SEED` plays others.

#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test fails where it stands, and this one says what it measured"
)]

mod clients;
mod play;
mod score;

use score::Score;

fn played(words: &str, seed: u64) -> Score {
    let score = play::play(words, seed);
    eprintln!("seed {seed}: {score}");
    score
}

/// What the fortnight must show; everything that went wrong is said at once.
fn holds(score: &Score) {
    let wanted = [
        ("at least 200 sessions", score.sessions >= 200),
        ("nothing false", score.falsely.is_empty()),
        ("nothing injected", score.injected.is_empty()),
        ("70 % of use", score.of_use() >= 0.70),
        ("90 % of the rules", score.rules_recalled() >= 0.90),
        ("80 % of the fixes", score.fixes_offered() >= 0.80),
        ("120 tokens a prompt", score.median_prompt() <= 120),
        ("600 tokens a session", score.most_session() <= 600),
    ];
    let wrong: Vec<&str> = wanted.iter().filter(|(_, holds)| !holds).map(|(what, _)| *what).collect();
    assert!(
        wrong.is_empty(),
        "not held: {wrong:?}\n{score}\n\nfalse:\n{}\n\nof no use:\n{}\n\nmissed:\n{}",
        score.falsely.join("\n"),
        score.useless.join("\n"),
        score.missed.join("\n")
    );
}

#[test]
fn a_fortnight_is_told_truly_and_sparingly_m1_m2_m7_t10() {
    let seed = std::env::var("VIB_FORTNIGHT").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    holds(&played(include_str!("words/dev.json"), seed));
}

#[test]
fn another_fortnight_with_words_that_nobody_tuned_on_holds_too_m1_m2_m7_t10() {
    let seed = std::env::var("VIB_FORTNIGHT").ok().and_then(|seed| seed.parse().ok()).unwrap_or(101);
    holds(&played(include_str!("words/held.json"), seed));
}

#[test]
fn a_fortnight_of_irony_quotes_and_reversals_is_told_truly_m7() {
    let seed = std::env::var("VIB_FORTNIGHT").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    holds(&played(include_str!("words/wild.json"), seed));
}

#[test]
fn another_fortnight_of_irony_quotes_and_reversals_is_told_truly_m7() {
    let seed = std::env::var("VIB_FORTNIGHT").ok().and_then(|seed| seed.parse().ok()).unwrap_or(101);
    holds(&played(include_str!("words/wild-held.json"), seed));
}
