//! The damage suite: incidents of all kinds, each with what a careful person would do. (RC1–RC11)
//!
//! Two halves: the recommendation was tuned on the first and never on the second. Every incident is played with git, without
//! git, and with an empty memory. What is measured: is the first recommendation the right one, was the work that belongs to the
//! goal kept, was everything taken back where less would do, and were the safety rules kept.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a test fails where it stands, and tells its figures"
)]

mod base;
mod half_a;
mod half_b;
mod half_c;
mod half_d;
mod incident;
mod kinds_a;
mod kinds_b;
mod kinds_c;
mod kinds_d;
mod kinds_e;
mod kinds_f;
mod kinds_g;
mod play;
mod story;

use std::collections::BTreeSet;
use std::sync::Mutex;

use incident::{Incident, Right};
use play::{Mode, Played, State, play, states};
use serde_json::Value;

/// What came out of one incident in one mode.
#[derive(Debug)]
struct Outcome {
    name: &'static str,
    mode: Mode,
    right_first: bool,
    kept: bool,
    needless_rollback: bool,
    slo_breaches: u64,
    note: String,
}

#[test]
fn first_half() {
    report("first half", &run(&half_a::incidents()));
}

#[test]
fn second_half() {
    report("second half", &run(&half_b::incidents()));
}

#[test]
fn more() {
    report("more", &run(&half_c::incidents()));
}

#[test]
fn without_hooks_and_over_time() {
    report("without hooks and over time", &run(&half_d::incidents()));
}

/// Stories of strangers, the kinds that were known while the diagnosis was made.
#[test]
fn stories_first_kinds() {
    let judged = story::judge_all(&kinds_a::stories());
    let (right, partly, all, untrue, loss) = story::table("the first fifteen kinds", &judged);
    assert_eq!((untrue, loss), (0, 0), "a sentence is not true, or work went without a word");
    assert!(
        right * 100 >= all * 85 && (right + partly) * 100 >= all * 97,
        "{right} right, {partly} partly of {all}"
    );
}

/// The other kinds, on which nothing was tuned.
#[test]
fn stories_other_kinds() {
    let judged = story::judge_all(&kinds_b::stories());
    let (right, partly, all, untrue, loss) = story::table("the other fifteen kinds", &judged);
    assert_eq!((untrue, loss), (0, 0), "a sentence is not true, or work went without a word");
    assert!(
        right * 100 >= all * 85 && (right + partly) * 100 >= all * 97,
        "{right} right, {partly} partly of {all}"
    );
}

/// What a stranger brought: his words, and accidents that are a part of a file.
#[test]
fn stories_of_a_stranger() {
    let judged = story::judge_all(&kinds_c::stories());
    let (right, partly, all, untrue, loss) = story::table("the kinds of a stranger", &judged);
    assert_eq!((untrue, loss), (0, 0), "a sentence is not true, or work went without a word");
    assert!(right * 100 >= all * 90 && partly + right == all, "{right} right, {partly} partly of {all}");
}

/// One command damages several files; a going back is followed by "still broken" or by the next accident.
#[test]
fn stories_of_commands_and_of_what_comes_after_a_recovery() {
    let judged = story::judge_all(&kinds_d::stories());
    let (right, partly, all, untrue, loss) = story::table("commands, and after a recovery", &judged);
    assert_eq!((untrue, loss), (0, 0), "a sentence is not true, or work went without a word");
    assert_eq!(right, all, "{right} right, {partly} partly of {all}");
}

/// Accidents in other projects; the truth was written before they were played.
#[test]
fn stories_in_other_projects() {
    let judged = story::judge_all(&kinds_d::in_other_projects());
    let (right, partly, all, untrue, loss) = story::table("other projects", &judged);
    assert_eq!((untrue, loss), (0, 0), "a sentence is not true, or work went without a word");
    assert!(right * 100 >= all * 80, "{right} right, {partly} partly of {all}");
}

/// What a later request took of an earlier one's work, refactoring that was asked for, other people's work in the same file.
#[test]
fn stories_of_work_that_others_did() {
    let judged = story::judge_all(&kinds_e::stories());
    let (right, partly, all, untrue, loss) = story::table("the work of others", &judged);
    assert_eq!((untrue, loss), (0, 0), "a sentence is not true, or work went without a word");
    assert!(right * 100 >= all * 90, "{right} right, {partly} partly of {all}");
}

/// Builds that were asked for, small files, conflicts, one command with several victims, forms of texts.
#[test]
fn stories_of_small_losses() {
    let judged = story::judge_all(&kinds_f::stories());
    let (right, partly, all, untrue, loss) = story::table("small losses", &judged);
    assert_eq!((untrue, loss), (0, 0), "a sentence is not true, or work went without a word");
    assert!(right * 100 >= all * 90, "{right} right, {partly} partly of {all}");
}

/// Whole blocks, renames that were asked for, what stands elsewhere now, complaints.
#[test]
fn stories_of_what_a_mend_must_never_do() {
    let judged = story::judge_all(&kinds_g::stories());
    let (right, partly, all, untrue, loss) = story::table("what a mend must never do", &judged);
    assert_eq!((untrue, loss), (0, 0), "a sentence is not true, or work went without a word");
    assert!(right * 100 >= all * 90, "{right} right, {partly} partly of {all}");
}

/// A known limit: what is ignored comes back, and stays there when one returns to before (docs/recover.md).
#[test]
fn ignored_data_comes_back_and_stays() {
    let judged = story::judge_all(&kinds_d::ignored_data());
    let (right, _, all, untrue, stays) = story::table("ignored data", &judged);
    assert_eq!((right, untrue, stays), (all, 0, 1));
}

/// The answers were written by hand: where files are to come back, they are those that the accident touched.
#[test]
fn the_answers_name_what_the_accidents_touched() {
    let mut wrong = Vec::new();
    for incident in half_a::incidents()
        .iter()
        .chain(&half_b::incidents())
        .chain(&half_c::incidents())
        .chain(&half_d::incidents())
    {
        if incident.right.level == 3 && incident.words == "it broke" {
            let touched: Vec<String> = play(incident, Mode::NoGit).good.into_keys().collect();
            if touched != incident.right.files {
                wrong.push(format!("{}: {touched:?}", incident.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Plays all incidents in all modes, a few at once.
fn run(incidents: &[Incident]) -> Vec<Outcome> {
    let only = std::env::var("INCIDENT").ok();
    let jobs: Vec<(&Incident, Mode)> = incidents
        .iter()
        .filter(|incident| only.as_ref().is_none_or(|only| incident.name.contains(only.as_str())))
        .flat_map(|incident| [Mode::Git, Mode::NoGit, Mode::EmptyMemory].map(|mode| (incident, mode)))
        .collect();
    let next = Mutex::new(jobs.iter());
    let outcomes = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                loop {
                    let job = next.lock().unwrap().next();
                    let Some((incident, mode)) = job else { break };
                    let outcome = judge(incident, *mode);
                    outcomes.lock().unwrap().push(outcome);
                }
            });
        }
    });
    outcomes.into_inner().unwrap()
}

fn judge(incident: &Incident, mode: Mode) -> Outcome {
    let played = play(incident, mode);
    let sandbox = &played.sandbox;
    let right = match (&incident.without_memory, &incident.with_git, mode) {
        (Some(right), _, Mode::EmptyMemory) | (_, Some(right), Mode::Git) => right,
        _ => &incident.right,
    };
    let mut arguments = vec!["recover", "--explain", "--json"];
    arguments.extend(incident.words.split(' '));
    let answer = sandbox.vib(&arguments).ok().json();
    played.end.assert_same(&testkit::Photo::of(&sandbox.root()));
    let ways = answer["data"]["ways"].as_array().unwrap();
    assert!((1..=3).contains(&ways.len()), "{}: {ways:?}", incident.name);
    let levels: Vec<u64> = ways.iter().map(|way| way["level"].as_u64().unwrap()).collect();
    let first = &ways[0];
    let files = files_of(first);
    let right_first = is_right(right, levels[0], &files, &played);
    let mut outcome = Outcome {
        name: incident.name,
        mode,
        right_first,
        kept: true,
        needless_rollback: levels[0] == 4 && right.level != 4,
        slo_breaches: 0,
        note: if right_first {
            String::new()
        } else {
            format!("said {} {files:?} ({}), right is {right:?}", levels[0], signs(&answer))
        },
    };
    if levels[0] >= 3 {
        carry_out(incident, right, &played, &mut outcome);
    }
    let slo = sandbox.vib(&["audit", "slo", "--json"]).json();
    let slos = slo["data"]["slos"].as_array().unwrap();
    outcome.slo_breaches = slos.iter().map(|slo| slo["occurrences"].as_u64().unwrap()).sum();
    outcome
}

fn signs(answer: &Value) -> String {
    let findings = answer["data"]["diagnosis"]["findings"].as_array().unwrap();
    let signs: Vec<&str> = findings.iter().map(|finding| finding["sign"].as_str().unwrap()).collect();
    signs.join(", ")
}

fn files_of(way: &Value) -> BTreeSet<String> {
    let list = |name: &str| way[name].as_array().unwrap().clone();
    let restores = list("restores");
    let chosen = if restores.is_empty() { list("mends") } else { restores };
    chosen.iter().map(|file| file["path"].as_str().unwrap().to_owned()).collect()
}

fn is_right(right: &Right, level: u64, files: &BTreeSet<String>, played: &Played) -> bool {
    if level != u64::from(right.level) {
        return false;
    }
    let wanted: BTreeSet<String> = right.files.iter().map(|&file| file.to_owned()).collect();
    match right.level {
        0 | 1 => true,
        // Everything that the accident changed, at the least.
        4 if wanted.is_empty() => played.good.keys().all(|path| files.contains(path)),
        _ => *files == wanted,
    }
}

/// Says yes to the first way, and looks whether the right things came back and the others stayed.
fn carry_out(incident: &Incident, right: &Right, played: &Played, outcome: &mut Outcome) {
    let sandbox = &played.sandbox;
    let before = states(&sandbox.root());
    let mut arguments = vec!["recover", "--preview", "--json"];
    arguments.extend(incident.words.split(' '));
    let preview = sandbox.vib(&arguments);
    assert_eq!(preview.code, 0, "{}: {}", incident.name, preview.stdout);
    let preview = preview.json();
    let plan = preview["data"]["plan"].as_str().unwrap();
    sandbox.vib(&["recover", "--yes", "--plan", plan, "--json"]).ok();
    let after = states(&sandbox.root());
    let spoilt: BTreeSet<&str> = right.files.iter().copied().collect();
    // What was not part of the accident is exactly as it was.
    for (path, state) in &before {
        let part = spoilt.contains(path.as_str()) || (right.level == 4 && played.good.contains_key(path));
        if !part && after.get(path) != Some(state) {
            outcome.kept = false;
            outcome.note.push_str(&format!("; {path} was not kept"));
        }
    }
    if outcome.right_first && incident.words == "it broke" {
        for path in spoilt {
            let wanted: Option<&State> = played.good.get(path).and_then(Option::as_ref);
            if after.get(path) != wanted {
                outcome.right_first = false;
                outcome.note.push_str(&format!("; {path} did not come back as it was"));
            }
        }
    }
    // And back again, with one command.
    sandbox.vib(&["recover", "--return", "--yes"]).ok();
    if states(&sandbox.root()) != before {
        outcome.right_first = false;
        outcome.note.push_str("; --return did not bring the state before");
    }
}

/// Tells the figures and holds them to the floors.
fn report(half: &str, outcomes: &[Outcome]) {
    for outcome in outcomes.iter().filter(|outcome| !outcome.note.is_empty()) {
        println!("  {:?} {}: {}", outcome.mode, outcome.name, outcome.note);
    }
    let percent = |count: usize, all: usize| if all == 0 { 100.0 } else { count as f64 * 100.0 / all as f64 };
    for mode in [Mode::Git, Mode::NoGit, Mode::EmptyMemory] {
        let of: Vec<&Outcome> = outcomes.iter().filter(|outcome| outcome.mode == mode).collect();
        let right = of.iter().filter(|outcome| outcome.right_first).count();
        let kept = of.iter().filter(|outcome| outcome.kept).count();
        println!(
            "{half}, {mode:?}: {right} of {} right first ({:.1} %), work kept in {kept} ({:.1} %), {} needless rollbacks, {} breaches",
            of.len(),
            percent(right, of.len()),
            percent(kept, of.len()),
            of.iter().filter(|outcome| outcome.needless_rollback).count(),
            of.iter().map(|outcome| outcome.slo_breaches).sum::<u64>(),
        );
        assert!(
            percent(right, of.len()) >= 90.0,
            "{half}, {mode:?}: too few first recommendations are right"
        );
        assert!(percent(kept, of.len()) >= 95.0, "{half}, {mode:?}: work was lost");
        assert!(
            of.iter().all(|outcome| !outcome.needless_rollback),
            "{half}, {mode:?}: everything went back needlessly"
        );
        assert!(
            of.iter().all(|outcome| outcome.slo_breaches == 0),
            "{half}, {mode:?}: a safety rule was broken"
        );
    }
}
