//! Scores the merge on a corpus that `benches/merge-corpus` made, beside `git merge-file`:
//! `cargo run --release -p vib-change --example corpus -- CORPUS.jsonl [tune|hold] [--show N]`.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a measurement says what it found and fails where it stands"
)]

use std::collections::BTreeMap;
use std::io::BufRead;
use std::process::Command;

use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    repo: String,
    path: String,
    language: String,
    half: String,
    class: String,
    base: String,
    ours: String,
    theirs: String,
    right: Option<String>,
}

#[derive(Default, Clone, Copy)]
struct Score {
    right: u32,
    refused: u32,
    wrong: u32,
}

impl Score {
    /// Counts a result; true if it is wrong.
    fn add(&mut self, case: &Case, result: Option<&str>) -> bool {
        match (result, &case.right) {
            (None, _) => {
                self.refused += 1;
                false
            }
            (Some(result), Some(right)) if result == right => {
                self.right += 1;
                false
            }
            (Some(_), _) => {
                self.wrong += 1;
                true
            }
        }
    }

    fn line(self) -> String {
        let all = self.right + self.refused + self.wrong;
        let share = |part: u32| 100.0 * f64::from(part) / f64::from(all.max(1));
        format!(
            "{:6} cases  right {:6.2} %  refused {:6.2} %  wrong {} ({:.2} %)",
            all,
            share(self.right),
            share(self.refused),
            self.wrong,
            share(self.wrong)
        )
    }
}

/// What git makes of it; none: a conflict.
fn git(folder: &std::path::Path, case: &Case) -> Option<String> {
    let place = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let (ours, base, theirs) =
        (place("ours", &case.ours), place("base", &case.base), place("theirs", &case.theirs));
    let output =
        Command::new("git").args(["merge-file", "-p", "-q"]).args([ours, base, theirs]).output().unwrap();
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().unwrap();
    let rest: Vec<String> = arguments.collect();
    let half = rest.iter().find(|word| ["tune", "hold"].contains(&word.as_str()));
    let show: usize =
        rest.iter().position(|word| word == "--show").map_or(0, |at| rest[at + 1].parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let mut scores: BTreeMap<(String, String), [Score; 2]> = BTreeMap::new();
    let mut shown = 0;
    for line in std::io::BufReader::new(std::fs::File::open(file).unwrap()).lines() {
        let case: Case = serde_json::from_str(&line.unwrap()).unwrap();
        if half.is_some_and(|half| *half != case.half) {
            continue;
        }
        let merged = change::merge::merge(case.base.as_bytes(), case.ours.as_bytes(), case.theirs.as_bytes());
        let merged = merged.clean().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let of_git = git(folder.path(), &case);
        for key in [case.language.clone(), "all".to_owned()] {
            let scores = scores.entry((case.class.clone(), key)).or_default();
            let wrong = scores[0].add(&case, merged.as_deref());
            scores[1].add(&case, of_git.as_deref());
            if wrong && shown < show {
                shown += 1;
                println!("wrong: {} {} {}", case.class, case.repo, case.path);
            }
        }
    }
    for ((class, language), [ours, git]) in scores {
        println!("{class:12} {language:11} vib {}", ours.line());
        println!("{:24} git {}", "", git.line());
    }
}
