//! Which step broke it? Generated stories with one culprit each, real checks in a real copy: the step is found, or it is said honestly that it
//! cannot be told; the project folder stays as it is, to the byte.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::panic,
    reason = "a test fails where it stands, and tells what it measured"
)]

use std::path::PathBuf;
use std::time::Duration;

use engine::Engine;
use engine::bisect::{BisectQuery, BisectReport, Outcome, bisect, most_runs};
use project::{Context, RelPath};
use store::{
    Actor, CheckpointKind, Claims, Ending, Moment, NewStep, Serves, Silent, SnapshotRequest, StepNumber,
};
use testkit::Photo;
use vib_engine as engine;

/// A small source of chance, the same everywhere.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % most.max(1)
    }
}

/// What is the matter with a story.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// An edit breaks it.
    Edit,
    /// A command breaks it, among other things.
    Shell,
    /// The check fails the first time on every state, as with a cold cache.
    Flaky,
    /// Some states cannot be built.
    Unbuildable,
}

const KINDS: [Kind; 4] = [Kind::Edit, Kind::Shell, Kind::Flaky, Kind::Unbuildable];
const SIZES: [usize; 10] = [8, 11, 16, 23, 32, 45, 64, 90, 130, 500];

struct Story {
    base: tempfile::TempDir,
    root: PathBuf,
    engine: Engine,
    culprit: StepNumber,
    steps: usize,
}

fn look(engine: &Engine, moment: Moment, only: Option<&str>) -> Option<StepNumber> {
    let mut request = SnapshotRequest::new(CheckpointKind::Turn);
    request.origin.trigger =
        Some(if matches!(moment, Moment::After(..)) { "after" } else { "tool" }.to_owned());
    request.moment = moment;
    let mut opened = engine.store(&Silent).unwrap();
    match only {
        Some(name) => {
            let path = RelPath::new(name.as_bytes()).unwrap();
            opened.store.snapshot_paths(&request, &[path]).unwrap().step
        }
        None => {
            let lock = opened.store.lock_tree("test").unwrap();
            opened.store.snapshot_tree(&lock, &request, &[], &Silent).unwrap().step
        }
    }
}

impl Story {
    fn live(seed: u64, kind: Kind, steps: usize) -> Self {
        let mut chance = Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let base = tempfile::tempdir().unwrap();
        let real = base.path().canonicalize().unwrap();
        let root = real.join("project");
        std::fs::create_dir_all(root.join("src")).unwrap();
        for file in 0..5 {
            std::fs::write(root.join(format!("src/f{file}.txt")), format!("file {file}\nall is ok\n"))
                .unwrap();
        }
        let get = |variable: &str| match variable {
            "HOME" => Some(real.join("home").into_os_string()),
            "VIBELIGN_STATE" => Some(real.join("state").into_os_string()),
            _ => None,
        };
        let engine = Engine::open(Context::with_environment(root.clone(), &get)).unwrap();
        look(&engine, Moment::Between, None);
        let guilty = chance.below(steps);
        let mut culprit = StepNumber(0);
        for number in 0..steps {
            let as_shell = if number == guilty { kind == Kind::Shell } else { chance.below(3) == 0 };
            let name = format!("src/f{}.txt", chance.below(5));
            let mut step = NewStep::of(Actor::Agent);
            step.client = Some("test".to_owned());
            step.session = Some("one".to_owned());
            step.serves = Some(Serves { session: "one".to_owned(), turn: (number / 6).to_string() });
            step.tool = Some(if as_shell { "Bash" } else { "Edit" }.to_owned());
            step.what = Some(format!("step {number} on {name}"));
            let only = (!as_shell).then_some(name.as_str());
            step.claims = only
                .map_or(Claims::Anywhere, |name| Claims::Named(vec![RelPath::new(name.as_bytes()).unwrap()]));
            let begun = look(&engine, Moment::Before(Box::new(step)), only).unwrap();
            let path = root.join(&name);
            let mut text = std::fs::read_to_string(&path).unwrap();
            text.push_str(&format!("line {number}\n"));
            if number == guilty {
                text = text.replace("all is ok", "all is broken");
                culprit = begun;
            }
            std::fs::write(&path, text).unwrap();
            if as_shell {
                std::fs::write(root.join(format!("made{}.txt", number % 7)), format!("by {number}\n"))
                    .unwrap();
            }
            // A stretch of states in which nothing can be built.
            if kind == Kind::Unbuildable && as_shell {
                let broken = root.join("cannot-build");
                if broken.exists() {
                    std::fs::remove_file(broken).unwrap();
                } else if chance.below(3) == 0 {
                    std::fs::write(broken, format!("{number}\n")).unwrap();
                }
            }
            look(&engine, Moment::After(begun, store::Outcome::of(Ending::Ran)), only);
        }
        Self { base, root, engine, culprit, steps }
    }

    /// Runs the search with a check that lies beside the project.
    fn search(&self, kind: Kind) -> BisectReport {
        let check = self.base.path().join("check.sh");
        let seen = self.base.path().join("seen");
        std::fs::create_dir_all(&seen).unwrap();
        let cold = format!(
            "key=$(cat src/*.txt made*.txt 2>/dev/null | cksum | tr ' ' -)\n\
             if [ ! -e '{0}/'$key ]; then : > '{0}/'$key; exit 1; fi\n",
            seen.display()
        );
        let script = format!(
            "if [ -e cannot-build ]; then exit 125; fi\necho built > product\n{}! grep -q broken src/*.txt\n",
            if kind == Kind::Flaky { cold.as_str() } else { "" }
        );
        std::fs::write(&check, script).unwrap();
        let query = BisectQuery {
            check: vec!["sh".into(), check.into()],
            good: None,
            bad: None,
            limit: Duration::from_secs(60),
            repeat: 1,
            ..BisectQuery::default()
        };
        bisect(&self.engine, &query, &|| false, &Silent).unwrap()
    }
}

/// How many were found, how many said honestly that they cannot tell.
fn tell(seeds: std::ops::Range<u64>) -> (usize, usize) {
    let (mut found, mut undecided) = (0, 0);
    for seed in seeds {
        let at = usize::try_from(seed).unwrap();
        let (kind, steps) = (KINDS[at % 4], SIZES[at / 2 % SIZES.len()]);
        let story = Story::live(seed, kind, steps);
        let before = Photo::of(&story.root);
        let report = story.search(kind);
        before.assert_same(&Photo::of(&story.root));
        let about = format!("seed {seed}, {kind:?}, {steps} steps: {:?} {:?}", report.outcome, report.runs);
        let named: Vec<StepNumber> = report.culprits.iter().map(|culprit| culprit.step.number).collect();
        match report.outcome {
            Outcome::Found => {
                assert_eq!(named, [story.culprit], "{about}");
                assert!(
                    report.culprits[0]
                        .undo
                        .as_ref()
                        .is_some_and(|undo| *undo == format!("vib undo {}", story.culprit)),
                    "{about}"
                );
                found += 1;
            }
            Outcome::OneOf => {
                assert!(named.contains(&story.culprit) && kind == Kind::Unbuildable, "{about}");
                undecided += 1;
            }
            // At the ends nothing can be built, so nothing can be proved.
            _ => {
                assert_eq!(kind, Kind::Unbuildable, "{about}");
                undecided += 1;
            }
        }
        assert_eq!(report.flaky, kind == Kind::Flaky, "{about}");
        assert_eq!(report.states, story.steps, "{about}");
        if kind != Kind::Flaky {
            assert!(report.answered <= most_runs(report.states), "{about}");
        }
        let left = std::fs::read_dir(story.engine.project().state().join("bisect")).unwrap().count();
        assert_eq!(left, 0, "the copy is gone");
    }
    println!("{found} found, {undecided} honestly undecided");
    (found, undecided)
}

#[test]
fn twenty_open_stories_are_told() {
    let (found, undecided) = tell(1..21);
    assert_eq!(found + undecided, 20);
    assert!(found >= 15, "{found}");
}

#[test]
fn twenty_sealed_stories_are_told() {
    let (found, undecided) = tell(101..121);
    assert_eq!(found + undecided, 20);
    assert!(found >= 15, "{found}");
}

/// A project in which each step writes one file, and the check that it is searched with.
fn searched(steps: &[(&str, &str)], check: &str) -> (BisectReport, Vec<StepNumber>) {
    let base = tempfile::tempdir().unwrap();
    let real = base.path().canonicalize().unwrap();
    let root = real.join("project");
    std::fs::create_dir_all(&root).unwrap();
    std::fs::write(root.join("a.txt"), "first\nok\n").unwrap();
    std::fs::write(root.join("b.txt"), "other\n").unwrap();
    let get = |variable: &str| match variable {
        "HOME" => Some(real.join("home").into_os_string()),
        "VIBELIGN_STATE" => Some(real.join("state").into_os_string()),
        _ => None,
    };
    let engine = Engine::open(Context::with_environment(root.clone(), &get)).unwrap();
    look(&engine, Moment::Between, None);
    let mut numbers = Vec::new();
    for (name, text) in steps {
        let mut step = NewStep::of(Actor::Agent);
        step.session = Some("one".to_owned());
        step.claims = Claims::Named(vec![RelPath::new(name.as_bytes()).unwrap()]);
        let begun = look(&engine, Moment::Before(Box::new(step)), Some(name)).unwrap();
        std::fs::write(root.join(name), text).unwrap();
        look(&engine, Moment::After(begun, store::Outcome::of(Ending::Ran)), Some(name));
        numbers.push(begun);
    }
    let query = BisectQuery {
        check: ["sh", "-c", check].map(Into::into).to_vec(),
        limit: Duration::from_secs(60),
        repeat: 1,
        ..BisectQuery::default()
    };
    (bisect(&engine, &query, &|| false, &Silent).unwrap(), numbers)
}

/// Broken, mended, broken again: the step after which it fails until now is named, or that there were several; never with more runs.
#[test]
fn what_was_mended_in_between_is_not_blamed_for_what_is_broken_now() {
    let check = "! grep -q broken a.txt";
    let other: Vec<String> = (0..20).map(|line| format!("other {line}\n")).collect();
    for (broken, mended, again) in [(0, 9, 13), (2, 3, 15), (4, 10, 11), (7, 8, 9), (1, 14, 15)] {
        for by_other_words in [false, true] {
            let mut steps: Vec<(&str, String)> = Vec::new();
            for (step, other) in other.iter().enumerate().take(16) {
                let line = match step {
                    _ if step == broken => "is broken".to_owned(),
                    _ if step == mended => "ok".to_owned(),
                    _ if step == again && by_other_words => "now broken in another way".to_owned(),
                    _ if step == again => "is broken".to_owned(),
                    _ => {
                        steps.push(("b.txt", other.clone()));
                        continue;
                    }
                };
                // The person's work goes on in the same file.
                steps.push(("a.txt", format!("first {step}\n{line}\n")));
            }
            let steps: Vec<(&str, &str)> = steps.iter().map(|(name, text)| (*name, text.as_str())).collect();
            let (report, numbers) = searched(&steps, check);
            let named: Vec<StepNumber> = report.culprits.iter().map(|culprit| culprit.step.number).collect();
            let about = format!(
                "{broken} {mended} {again} {by_other_words}: {:?} {named:?} {numbers:?}",
                report.runs
            );
            assert!(report.answered <= most_runs(report.states), "{about}");
            if report.outcome == Outcome::Found {
                assert_eq!(named, [numbers[again]], "{about}");
            } else {
                assert_eq!(report.outcome, Outcome::OneOf, "{about}");
                assert!(named.contains(&numbers[again]) && report.earlier == [numbers[broken]], "{about}");
                assert!(report.go_on_from.is_some() && report.passes_now == Some(false), "{about}");
            }
        }
    }
}

#[test]
fn what_is_not_so_is_said_and_a_check_in_the_project_folder_is_refused() {
    let story = Story::live(3, Kind::Edit, 8);
    let run = |check: &[&str], good: Option<&str>| {
        let query = BisectQuery {
            check: check.iter().map(Into::into).collect(),
            good: good.map(str::to_owned),
            bad: None,
            limit: Duration::from_secs(5),
            repeat: 1,
            ..BisectQuery::default()
        };
        bisect(&story.engine, &query, &|| false, &Silent)
    };
    assert_eq!(run(&["true"], None).unwrap().outcome, Outcome::PassesNow);
    assert_eq!(run(&["false"], None).unwrap().outcome, Outcome::AlreadyFailing);
    assert_eq!(run(&["sh", "-c", "exit 125"], None).unwrap().outcome, Outcome::NothingBuilt);
    let last = format!("s{}", 1_000);
    assert_eq!(run(&["true"], Some(&last)).unwrap_err().code(), "not_in_history");
    let inside = story.root.join("check.sh").display().to_string();
    assert_eq!(run(&["sh", &inside], None).unwrap_err().code(), "usage");
    assert_eq!(run(&["no-such-program-here"], None).unwrap_err().code(), "usage");
}

#[test]
fn a_check_that_hangs_or_leaves_something_running_is_ended_with_all_it_started() {
    let story = Story::live(5, Kind::Edit, 8);
    let mark = story.base.path().join("pids");
    // It leaves a process behind that has gone its own way, and then never ends.
    let script = format!("setsid sh -c 'echo $$ >> {0}; sleep 300' & sleep 300", mark.display());
    let query = BisectQuery {
        check: vec!["sh".into(), "-c".into(), script.into()],
        good: None,
        bad: None,
        limit: Duration::from_millis(400),
        repeat: 1,
        ..BisectQuery::default()
    };
    let report = bisect(&story.engine, &query, &|| false, &Silent).unwrap();
    assert_eq!(report.outcome, Outcome::AlreadyFailing);
    assert!(report.runs.iter().all(|run| run.timed_out));
    std::thread::sleep(Duration::from_millis(200));
    for pid in std::fs::read_to_string(mark).unwrap().lines() {
        let gone = project::platform::process(pid.trim().parse().unwrap())
            .is_none_or(|process| !process.words.iter().any(|word| word.contains("sleep 300")));
        assert!(gone, "process {pid} still runs");
    }
}
