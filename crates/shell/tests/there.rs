//! Cases that depend on what is really there: `data/there.txt`, judged in a made-up file system.

#![expect(clippy::expect_used, clippy::panic, reason = "a test fails where it stands")]

use shell::{Covered, Decision, FileView, JudgeContext, Kind, Policy, Verdict, judge};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A file system in memory.
#[derive(Default)]
struct World {
    root: String,
    home: String,
    files: BTreeMap<String, Entry>,
    ignored: Vec<String>,
    same: Vec<(String, String)>,
    /// Variables of the process, and vib's own program.
    environment: Vec<(String, String)>,
    own: Vec<PathBuf>,
}

enum Entry {
    File(String),
    Folder,
    Link(String),
}

impl World {
    fn path(&self, path: &str) -> String {
        if path.starts_with('/') { path.to_owned() } else { format!("{}/{path}", self.root) }
    }

    fn put(&mut self, path: &str, entry: Entry) {
        let path = self.path(path);
        let mut above = Path::new(&path).parent();
        while let Some(folder) = above {
            self.files.entry(folder.display().to_string()).or_insert(Entry::Folder);
            above = folder.parent();
        }
        self.files.insert(path, entry);
    }

    fn get(&self, path: &Path) -> Option<&Entry> {
        self.files.get(path.to_str()?)
    }

    fn is_ignored(&self, path: &Path) -> bool {
        path.strip_prefix(&self.root).is_ok_and(|inside| {
            inside.iter().any(|part| {
                let part = part.to_string_lossy();
                self.ignored.iter().any(|rule| match rule.strip_prefix('*') {
                    Some(end) => part.ends_with(end),
                    None => part == rule.as_str(),
                })
            })
        })
    }
}

impl FileView for World {
    fn resolve(&self, path: &Path) -> Option<PathBuf> {
        let mut here = PathBuf::from("/");
        for part in path.iter().skip(1) {
            here.push(part);
            if let Some(Entry::Link(to)) = self.get(&here) {
                let to = if to.starts_with('/') { PathBuf::from(to) } else { here.parent()?.join(to) };
                here = self.resolve(&to)?;
            }
        }
        Some(here)
    }

    fn read_small(&self, path: &Path, limit: u64) -> Option<String> {
        match self.get(&self.resolve(path)?)? {
            Entry::File(text) if text.len() as u64 <= limit => Some(text.clone()),
            _ => None,
        }
    }

    fn opening(&self, path: &Path, most: usize) -> Option<Vec<u8>> {
        match self.get(&self.resolve(path)?)? {
            Entry::File(text) => Some(text.bytes().take(most).collect()),
            _ => None,
        }
    }

    fn is_repository(&self, folder: &Path) -> bool {
        self.get(&folder.join(".git")).is_some()
    }

    fn is_saved(&self, path: &Path) -> Option<bool> {
        path.starts_with(&self.root).then(|| !self.is_ignored(path))
    }

    fn list(&self, folder: &Path, most: usize) -> Option<Vec<(String, Kind)>> {
        let folder = self.resolve(folder)?;
        self.get(&folder)?;
        let names: Vec<_> = self
            .files
            .iter()
            .filter(|(path, _)| Path::new(path).parent() == Some(&folder))
            .map(|(path, entry)| {
                let name = Path::new(path).file_name().unwrap_or_default().to_string_lossy().into_owned();
                (name, kind(entry))
            })
            .collect();
        (names.len() <= most).then_some(names)
    }

    fn kind(&self, path: &Path) -> Option<Kind> {
        let above = self.resolve(path.parent()?)?;
        self.get(&above.join(path.file_name()?)).map(kind)
    }

    fn is_same_file(&self, one: &Path, other: &Path) -> bool {
        self.same.iter().any(|(a, b)| {
            let (a, b) = (Path::new(a), Path::new(b));
            a == one && b == other || b == one && a == other
        })
    }

    fn has_other_names(&self, path: &Path) -> bool {
        self.same.iter().any(|(a, b)| Path::new(a) == path || Path::new(b) == path)
    }

    fn unsaved_below(&self, path: &Path, most: usize) -> Option<Vec<PathBuf>> {
        // As the store answers: a folder that is left out as a whole stands for all that is in it.
        let whole = |file: &Path| {
            let above = file.ancestors().filter(|above| self.get(above).is_some() && self.is_ignored(above));
            above.last().map(|top| if top.starts_with(path) { top } else { path }.to_path_buf())
        };
        let below = self.files.keys().map(Path::new).filter(|file| file.starts_with(path));
        let mut found: Vec<PathBuf> = below.filter_map(whole).collect();
        found.dedup();
        found.truncate(most);
        Some(found)
    }
}

fn kind(entry: &Entry) -> Kind {
    match entry {
        Entry::File(_) => Kind::File,
        Entry::Folder => Kind::Folder,
        Entry::Link(_) => Kind::Link,
    }
}

fn read(text: &str) -> String {
    text.replace('␤', "\n").replace('␉', "\t")
}

struct Case {
    class: String,
    number: usize,
    want: String,
    command: String,
    got: Verdict,
}

impl Case {
    fn holds(&self) -> bool {
        match self.want.as_str() {
            "allow" => self.got.decision < Decision::Ask,
            "ask" => self.got.decision >= Decision::Ask,
            "deny" => self.got.decision == Decision::Deny,
            "unknown" => !self.got.unknown.is_empty() && !self.got.reversible_by_checkpoint,
            "lose" => !self.got.reversible_by_checkpoint && self.got.decision >= Decision::Ask,
            "keep" => self.got.losses.is_empty() && self.got.decision < Decision::Ask,
            other => panic!("not an expectation: {other}"),
        }
    }
}

fn cases(list: &str) -> Vec<Case> {
    let mut world = World::default();
    let (mut class, mut number) = (String::new(), 0);
    let mut cases = Vec::new();
    for line in list.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            (class, number) = (title.to_owned(), 0);
            world = World { root: "/home/u/app".into(), home: "/home/u".into(), ..World::default() };
            world.put("README.md", Entry::File("x".into()));
            continue;
        }
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (word, rest) = line.split_once(' ').expect("a word");
        let (name, value) = rest.split_once(" = ").unwrap_or((rest, ""));
        match word {
            "root" => world.root = rest.to_owned(),
            "home" => world.home = rest.to_owned(),
            "file" => world.put(name, Entry::File(read(value))),
            "dir" => world.put(name, Entry::Folder),
            "link" => world.put(name, Entry::Link(value.to_owned())),
            "same" => {
                let pair = (world.path(name), world.path(value));
                world.same.push(pair);
            }
            "var" => world.environment.push((name.to_owned(), value.to_owned())),
            "own" => world.own.push(rest.into()),
            "ignored" => world.ignored.push(rest.to_owned()),
            _ => {
                let mut context = JudgeContext::new(&world.root, &world.home, &world);
                context.covered = Covered::Allow;
                context.environment.clone_from(&world.environment);
                context.own_programs.clone_from(&world.own);
                let command = read(rest);
                let got = judge(&command, &context, &Policy::default());
                number += 1;
                let want = word.trim_end_matches(':').to_owned();
                cases.push(Case { class: class.clone(), number, want, command, got });
            }
        }
    }
    cases
}

/// Fails where a case does not hold, and says how many do in each class, the first half and the other.
fn check(list: &str) {
    let mut wrong = Vec::new();
    let mut sums: BTreeMap<(String, bool), (usize, usize)> = BTreeMap::new();
    for case in cases(list) {
        let (right, all) = sums.entry((case.class.clone(), case.number % 2 == 1)).or_default();
        *all += 1;
        if case.holds() {
            *right += 1;
            continue;
        }
        let why: Vec<_> = case.got.reasons.iter().take(3).map(|r| (r.code, r.decision, &r.about)).collect();
        wrong.push(format!(
            "{} {}: `{}`: {:?} {why:?}",
            case.class, case.want, case.command, case.got.decision
        ));
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}\n{sums:#?}", wrong.len(), wrong.join("\n"));
}

#[test]
fn what_is_really_there_decides_s7_s17_s18_t6_x3_to_x10() {
    check(include_str!("data/there.txt"));
}

#[test]
fn and_does_so_for_another_list() {
    check(include_str!("data/there-again.txt"));
}

#[test]
fn ordinary_days_of_every_kind_of_work_are_not_asked_about_g1() {
    check(include_str!("data/ordinary-days.txt"));
}

#[test]
fn ways_around_of_every_kind_are_asked_about_s7_s17_s18_x3_to_x10() {
    check(include_str!("data/ways-around.txt"));
}

#[test]
fn lines_that_testers_found_are_asked_about_b1_b3_m1_to_m7() {
    check(include_str!("data/testers-lines.txt"));
}

#[test]
fn what_a_red_team_walked_around_is_asked_about_b1_b2_b3_m6() {
    check(include_str!("data/red-team.txt"));
}

#[test]
fn other_doors_are_asked_about_and_their_look_alikes_are_not_b4_m3_to_m6() {
    check(include_str!("data/other-doors.txt"));
    check(include_str!("data/other-doors-again.txt"));
}

#[test]
fn what_strangers_tried_is_asked_about() {
    check(include_str!("data/strangers-ways.txt"));
}

#[test]
fn days_of_strangers_are_not_asked_about() {
    check(include_str!("data/strangers-days.txt"));
}

#[test]
fn what_a_second_red_team_walked_around_is_asked_about_m4_m5_m6_m7() {
    check(include_str!("data/second-red-team.txt"));
}
