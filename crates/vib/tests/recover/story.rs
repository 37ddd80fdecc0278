//! Stories of strangers' accidents: files, what happened, what the person types, and the truth. (R1–R15)
//!
//! A story is judged by what the first recommended way does when it is carried out: *right* is exactly the wanted tree, *partly* is
//! a part of it without touching anything else, or another of the offered ways. Every sentence that names a fact (gone, empty, lost
//! names, drift, whose request) is compared with what really happened.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use serde_json::Value;
use testkit::Sandbox;

use super::base::Base;
use super::incident::Act;
use super::play::{Mode, Played, Player, State, states};

/// What must be different after the first way was carried out; everything else stays.
#[derive(Debug, Clone)]
pub(crate) enum Back {
    /// As it was when the tree got this name.
    At(&'static str, &'static str),
    /// Everything, as it was when the tree got this name.
    All(&'static str),
    /// With exactly this content.
    Is(&'static str, String),
    /// Not there.
    Gone(&'static str),
}

/// The truth of a story.
#[derive(Debug, Clone)]
pub(crate) enum Want {
    /// These paths come back, and nothing else changes.
    Tree(Vec<Back>),
    /// Nothing is to be changed: the first way only looks, or says that all is well.
    Nothing,
    /// These files are to be mended, with the facts for whoever does it.
    Mend(Vec<&'static str>),
    /// The first way only looks, and the way of this kind that is offered makes this tree. What it leaves of others is named.
    Offered(&'static str, Vec<Back>),
    /// The words cannot be understood: that is said, and nothing is recommended.
    AskBack,
}

#[derive(Debug, Clone)]
pub(crate) struct Story {
    pub(crate) kind: &'static str,
    pub(crate) name: String,
    pub(crate) base: Base,
    pub(crate) git: bool,
    /// Vib's hooks were there from the beginning; else it sees only what is left.
    pub(crate) hooks: bool,
    pub(crate) acts: Vec<Act>,
    pub(crate) words: String,
    pub(crate) want: Want,
    /// Files that the person's request speaks of: to call them drift would be false.
    pub(crate) asked: Vec<&'static str>,
}

impl Story {
    pub(crate) fn new(
        kind: &'static str,
        name: impl Into<String>,
        base: Base,
        acts: Vec<Act>,
        want: Want,
    ) -> Self {
        Self {
            kind,
            name: name.into(),
            base,
            git: true,
            hooks: true,
            acts,
            words: "it broke".to_owned(),
            want,
            asked: Vec::new(),
        }
    }

    pub(crate) fn says(mut self, words: impl Into<String>) -> Self {
        self.words = words.into();
        self
    }

    pub(crate) fn asked(mut self, paths: &[&'static str]) -> Self {
        self.asked = paths.to_vec();
        self
    }

    pub(crate) fn without_git(mut self) -> Self {
        self.git = false;
        self
    }

    pub(crate) fn without_hooks(mut self) -> Self {
        self.hooks = false;
        self
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    Right,
    Partly,
    Wrong,
}

#[derive(Debug)]
pub(crate) struct Judged {
    pub(crate) kind: &'static str,
    pub(crate) name: String,
    pub(crate) verdict: Verdict,
    /// Sentences that are not true.
    pub(crate) untrue: Vec<String>,
    /// Work that went without a word.
    pub(crate) silent_loss: Vec<String>,
    pub(crate) note: String,
}

/// Plays and judges all stories, a few at once.
pub(crate) fn judge_all(stories: &[Story]) -> Vec<Judged> {
    let only = std::env::var("STORY").ok();
    let chosen: Vec<&Story> = stories
        .iter()
        .filter(|story| {
            only.as_ref()
                .is_none_or(|only| story.name.contains(only.as_str()) || story.kind.contains(only.as_str()))
        })
        .collect();
    let next = Mutex::new(chosen.into_iter());
    let judged = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                loop {
                    let story = next.lock().unwrap().next();
                    let Some(story) = story else { break };
                    let outcome = judge(story);
                    judged.lock().unwrap().push(outcome);
                }
            });
        }
    });
    let mut judged = judged.into_inner().unwrap();
    judged.sort_by(|a, b| (a.kind, &a.name).cmp(&(b.kind, &b.name)));
    judged
}

type Tree = BTreeMap<String, State>;

fn judge(story: &Story) -> Judged {
    let mode = if story.git { Mode::Git } else { Mode::NoGit };
    let mut player = Player::new(story.base, mode);
    if story.hooks {
        player.act(&Act::Session("s-1"), false);
    }
    let played = player.play(&story.acts);
    let sandbox = &played.sandbox;
    let before = states(&sandbox.root());
    let mut judged = Judged {
        kind: story.kind,
        name: story.name.clone(),
        verdict: Verdict::Wrong,
        untrue: Vec::new(),
        silent_loss: Vec::new(),
        note: String::new(),
    };
    let mut arguments = vec!["recover", "--explain", "--json"];
    arguments.extend(story.words.split(' '));
    let answer = sandbox.vib(&arguments);
    if answer.code != 0 {
        judged.note =
            format!("exit {}: {}", answer.code, answer.stdout.chars().take(300).collect::<String>());
        return judged;
    }
    let answer = answer.json();
    played.end.assert_same(&testkit::Photo::of(&sandbox.root()));
    judged.untrue = untrue(story, &played, &before, &answer);
    let ways = answer["data"]["ways"].as_array().unwrap().clone();
    let first = ways.first().cloned().unwrap_or(Value::Null);
    let list = |way: &Value, name: &str| way[name].as_array().cloned().unwrap_or_default();
    let paths = |list: &[Value]| -> BTreeSet<String> {
        list.iter().filter_map(|one| one["path"].as_str()).map(str::to_owned).collect()
    };
    let (restores, mends) = (paths(&list(&first, "restores")), paths(&list(&first, "mends")));
    judged.note = format!(
        "{} {restores:?} mends {mends:?} ({})",
        first["kind"].as_str().unwrap_or("no way"),
        signs(&answer)
    );
    match &story.want {
        Want::Nothing => {
            if restores.is_empty() && mends.is_empty() {
                judged.verdict = Verdict::Right;
            }
        }
        Want::Mend(wanted) => {
            let wanted: BTreeSet<String> = wanted.iter().map(|&path| path.to_owned()).collect();
            let has_facts = !first["prompt"].as_str().unwrap_or_default().is_empty();
            judged.verdict = match () {
                () if restores.is_empty() && mends == wanted && has_facts => Verdict::Right,
                () if restores.is_subset(&wanted)
                    && (mends.is_subset(&wanted))
                    && !(mends.is_empty() && restores.is_empty()) =>
                {
                    Verdict::Partly
                }
                () => Verdict::Wrong,
            };
        }
        Want::Offered(kind, wanted) => {
            let number = ways.iter().position(|way| way["kind"] == *kind);
            judged.note.push_str(&format!(
                "; offered: {:?}",
                ways.iter().map(|way| &way["kind"]).collect::<Vec<_>>()
            ));
            if let Some(number) = number {
                let goal = goal(&played, &before, wanted);
                let done = carry_out(story, sandbox, number + 1, &before);
                let (after, loss) = done.unwrap_or_else(|| (before.clone(), Vec::new()));
                judged.silent_loss.extend(loss);
                let is_look = restores.is_empty() && mends.is_empty();
                judged.verdict = match () {
                    () if after == goal && is_look => Verdict::Right,
                    () if after == goal => Verdict::Partly,
                    () => Verdict::Wrong,
                };
                let differs: Vec<&String> = goal
                    .keys()
                    .chain(after.keys())
                    .filter(|path| goal.get(*path) != after.get(*path))
                    .collect();
                judged.note.push_str(&format!("; differs at {differs:?}"));
            }
        }
        Want::AskBack => {
            let asked_back = answer["data"]["diagnosis"]["asks_back"] == true;
            if asked_back && restores.is_empty() {
                judged.verdict = Verdict::Right;
            }
        }
        Want::Tree(wanted) => judge_tree(story, &played, &before, wanted, ways.len(), &mut judged),
    }
    judged
}

fn judge_tree(
    story: &Story,
    played: &Played,
    before: &Tree,
    wanted: &[Back],
    ways: usize,
    judged: &mut Judged,
) {
    let goal = goal(played, before, wanted);
    let sandbox = &played.sandbox;
    for number in 1..=ways {
        let Some((after, loss)) = carry_out(story, sandbox, number, before) else { continue };
        judged.silent_loss.extend(loss.into_iter().map(|loss| format!("way {number}: {loss}")));
        if after == goal {
            judged.verdict = if number == 1 { Verdict::Right } else { Verdict::Partly };
            if number == 1 {
                judged.note.clear();
            } else {
                judged.note.push_str(&format!("; way {number} is right"));
            }
        } else if number == 1 {
            let touched: Vec<&String> = before
                .keys()
                .chain(after.keys())
                .filter(|path| before.get(*path) != after.get(*path))
                .collect();
            let good = |path: &&&String| after.get(**path) == goal.get(**path);
            if !touched.is_empty() && touched.iter().all(|path| good(&path)) {
                judged.verdict = Verdict::Partly;
            }
            let wrong: BTreeSet<&String> =
                goal.keys().chain(after.keys()).filter(|path| goal.get(*path) != after.get(*path)).collect();
            judged.note.push_str(&format!("; differs at {wrong:?}"));
        }
        let back = sandbox.vib(&["recover", "--return", "--yes"]);
        if states(&sandbox.root()) != *before {
            judged
                .silent_loss
                .push(format!("way {number}: --return did not bring the state before: {}", back.stdout));
            return;
        }
        if judged.verdict != Verdict::Wrong {
            return;
        }
    }
}

fn goal(played: &Played, before: &Tree, wanted: &[Back]) -> Tree {
    let mut goal = before.clone();
    for back in wanted {
        match back {
            Back::At(path, mark) => {
                let prefix = format!("{path}/");
                let inside = |other: &String| other == path || other.starts_with(&prefix);
                goal.retain(|other, _| !inside(other));
                let mark = &played.marks[mark];
                let found: Vec<_> = mark.iter().filter(|(other, _)| inside(other)).collect();
                assert!(!found.is_empty(), "`{path}` was not there");
                goal.extend(found.into_iter().map(|(path, state)| (path.clone(), state.clone())));
            }
            Back::All(mark) => goal = played.marks[mark].clone(),
            Back::Is(path, text) => {
                let mode = match before.get(*path) {
                    Some(State::File(_, mode)) => *mode,
                    _ => 0o644,
                };
                goal.insert((*path).to_owned(), State::File(text.clone().into_bytes(), mode));
            }
            Back::Gone(path) => {
                let prefix = format!("{path}/");
                let count = goal.len();
                goal.retain(|other, _| other != path && !other.starts_with(&prefix));
                assert!(goal.len() < count, "`{path}` is not there");
            }
        }
    }
    goal
}

/// Carries one way out; none if it changes nothing. With it what went without a word.
fn carry_out(story: &Story, sandbox: &Sandbox, number: usize, before: &Tree) -> Option<(Tree, Vec<String>)> {
    let number = number.to_string();
    let mut arguments = vec!["recover", "--preview", "--json", "--way", &number];
    arguments.extend(story.words.split(' '));
    let preview = sandbox.vib(&arguments);
    if preview.code != 0 {
        return None;
    }
    let preview = preview.json()["data"].clone();
    let plan = preview["plan"].as_str().unwrap().to_owned();
    let done = sandbox.vib(&["recover", "--yes", "--plan", &plan, "--json"]);
    let after = states(&sandbox.root());
    let mut loss = Vec::new();
    if done.code != 0 {
        loss.push(format!("it failed: {}", done.stdout));
    }
    let shown: BTreeSet<String> = preview["changes"]["files"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|file| [file["path"].as_str(), file["old_path"].as_str()])
        .flatten()
        .map(str::to_owned)
        .collect();
    for path in before.keys().chain(after.keys()) {
        if before.get(path) != after.get(path) && !shown.contains(path) {
            loss.push(format!("{path} changed and was not shown"));
        }
    }
    // What only got another name is not lost.
    let elsewhere = |state: &State| after.values().any(|other| other == state);
    let lost = before.iter().filter(|(path, state)| after.get(*path) != Some(state) && !elsewhere(state));
    let gone: u64 = lost.map(|(path, state)| lines_gone(state, after.get(path))).sum();
    if gone > 0 && preview["lines_lost"].as_u64() == Some(0) && preview["not_counted"].as_u64() == Some(0) {
        loss.push(format!("{gone} lines went, and it said none"));
    }
    Some((after, loss))
}

fn lines_gone(before: &State, after: Option<&State>) -> u64 {
    let State::File(before, _) = before else { return 0 };
    let empty = Vec::new();
    let after = match after {
        Some(State::File(after, _)) => after,
        _ => &empty,
    };
    if before.contains(&0) {
        return 0;
    }
    let mut have: BTreeMap<&[u8], i64> = BTreeMap::new();
    for line in after.split(|byte| *byte == b'\n') {
        *have.entry(line).or_default() += 1;
    }
    let mut gone = 0;
    for line in before.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let left = have.entry(line).or_default();
        *left -= 1;
        gone += u64::from(*left < 0);
    }
    gone
}

fn signs(answer: &Value) -> String {
    let findings = answer["data"]["diagnosis"]["findings"].as_array().unwrap();
    let told: Vec<String> = findings
        .iter()
        .map(|finding| format!("{} {}", finding["sign"].as_str().unwrap(), finding["paths"]))
        .collect();
    told.join(", ")
}

/// Every sentence that names a fact, held against what happened.
fn untrue(story: &Story, played: &Played, now: &Tree, answer: &Value) -> Vec<String> {
    let mut untrue = Vec::new();
    let findings = answer["data"]["diagnosis"]["findings"].as_array().unwrap();
    for finding in findings {
        let sign = finding["sign"].as_str().unwrap();
        let paths: Vec<&str> =
            finding["paths"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        for path in &paths {
            let file = match now.get(*path) {
                Some(State::File(bytes, _)) => Some(String::from_utf8_lossy(bytes).into_owned()),
                Some(State::Link(_)) => Some(String::new()),
                None => None,
            };
            let text = file.clone().unwrap_or_default();
            let mut claim = |is_true: bool| {
                if !is_true {
                    untrue.push(format!("{sign}: {path}"));
                }
            };
            match sign {
                "deleted" => claim(file.is_none()),
                "emptied" => claim(file.is_some() && text.trim().is_empty()),
                "drift" => claim(!story.asked.contains(path)),
                "names_lost" => {
                    let names = finding["names"].as_array().unwrap().iter().filter_map(Value::as_str);
                    for name in names {
                        let defined = ["fn ", "def ", "function ", "class ", "const "]
                            .iter()
                            .any(|word| text.contains(&format!("{word}{name}")));
                        claim(!defined);
                    }
                }
                // Something of the file is left, and no request of a person's own edit is told.
                "part_lost" => claim(!text.trim().is_empty() && finding["count"].as_u64() > Some(0)),
                "markers" => claim(text.contains("<<<<<<<")),
                _ => {}
            }
            // Whose request it was: one in which this path really changed.
            if let Some(prompt) = finding["prompt"].as_str() {
                let touched =
                    played.requests.iter().any(|(text, paths)| text == prompt && paths.contains(*path));
                if !touched {
                    untrue.push(format!("{sign}: {path} was not changed for “{prompt}”"));
                }
            }
        }
        if sign == "half_renamed" && !story.kind.contains("half a rename") {
            untrue.push(format!("half-renamed: {paths:?}"));
        }
    }
    let outside = answer["data"]["diagnosis"]["zone"]["outside"].as_array().unwrap();
    for file in outside {
        let path = file["path"].as_str().unwrap();
        if story.asked.contains(&path) {
            untrue.push(format!("drift candidate: {path}"));
        }
    }
    untrue
}

/// Prints the table and gives the figures: right, partly, all, untrue, silent losses.
pub(crate) fn table(title: &str, judged: &[Judged]) -> (usize, usize, usize, usize, usize) {
    let mut kinds: BTreeMap<&str, Vec<&Judged>> = BTreeMap::new();
    for one in judged {
        kinds.entry(one.kind).or_default().push(one);
    }
    println!(
        "\n## {title}\n| kind | stories | right | partly | wrong | untrue sentences | silent losses |\n| --- | --- | --- | --- | --- | --- | --- |"
    );
    let count = |of: &[&Judged], verdict: Verdict| of.iter().filter(|one| one.verdict == verdict).count();
    for (kind, of) in &kinds {
        println!(
            "| {kind} | {} | {} | {} | {} | {} | {} |",
            of.len(),
            count(of, Verdict::Right),
            count(of, Verdict::Partly),
            count(of, Verdict::Wrong),
            of.iter().map(|one| one.untrue.len()).sum::<usize>(),
            of.iter().map(|one| one.silent_loss.len()).sum::<usize>(),
        );
    }
    let all: Vec<&Judged> = judged.iter().collect();
    let (right, partly) = (count(&all, Verdict::Right), count(&all, Verdict::Partly));
    let untrue: usize = all.iter().map(|one| one.untrue.len()).sum();
    let loss: usize = all.iter().map(|one| one.silent_loss.len()).sum();
    println!(
        "| all | {} | {right} | {partly} | {} | {untrue} | {loss} |\n",
        all.len(),
        count(&all, Verdict::Wrong)
    );
    for one in judged
        .iter()
        .filter(|one| one.verdict != Verdict::Right || !one.untrue.is_empty() || !one.silent_loss.is_empty())
    {
        println!("  {:?} [{}] {}: {}", one.verdict, one.kind, one.name, one.note);
        for text in one.untrue.iter().chain(&one.silent_loss) {
            println!("      ! {text}");
        }
    }
    (right, partly, all.len(), untrue, loss)
}
