//! The gates of a recovery: what changes in between, two at once, too slow, and each gate broken on purpose.

use std::ffi::OsString;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use project::Context;
use store::{CheckpointKind, Phase, Progress, Silent, SnapshotRequest};

use super::gates::{Gate, broken};
use super::{Choice, Preview, Query, apply, diagnose, feedback, preview, returning};
use crate::audit::{self, Verdict};
use crate::diff::Detail;
use crate::memory::{Remember, remember};
use crate::undo::Confirmation;
use crate::{Engine, Error, checkpoint};

struct World {
    base: tempfile::TempDir,
}

/// The proof that a person is here: tests have no agent above them.
fn person() -> crate::person::ByPerson {
    use crate::person::{Act, nobody, require};
    require(&Context::with_environment(std::env::temp_dir(), &|_| None), Act::GoBack, &nobody).unwrap()
}

impl World {
    fn new() -> Self {
        let base = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(base.path().join("home")).unwrap();
        std::fs::create_dir_all(base.path().join("project")).unwrap();
        Self { base }
    }

    fn engine(&self) -> Engine {
        let base = self.base.path().canonicalize().unwrap();
        let get = move |name: &str| -> Option<OsString> {
            match name {
                "HOME" => Some(base.join("home").into_os_string()),
                "VIBELIGN_STATE" => Some(base.join("state").into_os_string()),
                "VIBELIGN_CONFIG" => Some(base.join("config").into_os_string()),
                _ => None,
            }
        };
        let root = self.base.path().canonicalize().unwrap().join("project");
        Engine::open(Context::with_environment(root, &get)).unwrap()
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.base.path().join("project").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn read(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.base.path().join("project").join(path)).ok()
    }

    /// What a hook saves before a step.
    fn step(&self, engine: &Engine, tool: Option<&str>, file: Option<&str>) {
        let mut request = SnapshotRequest::new(CheckpointKind::Turn);
        request.origin.session = Some("s".to_owned());
        request.origin.turn = Some("1".to_owned());
        request.origin.tool = tool.map(str::to_owned);
        request.origin.trigger = Some(if tool.is_some() { "tool" } else { "prompt" }.to_owned());
        request.origin.prompt = Some("make it nicer".to_owned());
        let paths: Vec<_> = file.into_iter().map(Into::into).collect();
        checkpoint::create(engine, &request, &paths, &Silent).unwrap();
    }

    /// Good work in one file, then a command empties two others.
    fn incident(&self) -> Engine {
        for name in ["a.js", "b.js", "c.js", "d.js"] {
            self.write(&format!("src/{name}"), &format!("export const {} = 1;\n", &name[..1]));
        }
        let engine = self.engine();
        self.step(&engine, None, None);
        self.step(&engine, Some("Edit"), Some("src/c.js"));
        self.write("src/c.js", "export const c = 2;\n");
        self.step(&engine, Some("Bash"), None);
        self.write("src/a.js", "");
        self.write("src/b.js", "");
        engine
    }
}

fn query() -> Query {
    Query { words: "it broke".to_owned(), tool: "cli".to_owned(), ..Query::default() }
}

fn shown(engine: &Engine) -> Preview {
    preview(engine, &query(), Choice::Recommended, Detail::Counts, &Silent).unwrap()
}

fn yes(engine: &Engine, plan: &str) -> crate::Result<super::Applied> {
    apply(engine, plan, Confirmation::Terminal(person()), None, "cli", &Silent)
}

/// Does something when a phase begins.
struct When<F: Fn() + Sync> {
    phase: Phase,
    act: F,
}

impl<F: Fn() + Sync> Progress for When<F> {
    fn begin(&self, phase: Phase, _total: Option<u64>) {
        if phase == self.phase {
            (self.act)();
        }
    }

    fn advance(&self, _steps: u64) {}
}

#[test]
fn a_recovery_brings_back_what_was_spoilt_keeps_the_rest_and_can_be_returned_from() {
    let world = World::new();
    let engine = world.incident();
    let preview = shown(&engine);
    assert_eq!(preview.level, 3);
    let done = yes(&engine, &preview.plan).unwrap();
    assert!(done.is_complete());
    assert_eq!(world.read("src/a.js").unwrap(), "export const a = 1;\n");
    assert_eq!(world.read("src/c.js").unwrap(), "export const c = 2;\n");
    // What the person does afterwards is not touched by returning.
    world.write("src/d.js", "export const d = 'mine';\n");
    let back = returning(&engine, Detail::Counts, &Silent).unwrap();
    yes(&engine, &back.plan).unwrap();
    assert_eq!(world.read("src/a.js").unwrap(), "");
    assert_eq!(world.read("src/d.js").unwrap(), "export const d = 'mine';\n");
    // A plan is good for one time.
    assert_eq!(yes(&engine, &preview.plan).unwrap_err().code(), "plan_used");
    assert_eq!(yes(&engine, "00aa").unwrap_err().code(), "plan_unknown");
    assert_eq!(yes(&engine, "../x").unwrap_err().code(), "plan_unknown");
}

#[test]
fn an_edit_after_the_preview_blocks_until_a_second_yes_to_exactly_that_rc6() {
    let world = World::new();
    let engine = world.incident();
    let preview = shown(&engine);
    world.write("src/a.js", "the person was here\n");
    let Err(Error::ChangedAfterPreview { paths, code }) = yes(&engine, &preview.plan) else { panic!() };
    assert_eq!(paths, ["src/a.js"]);
    assert_eq!(world.read("src/b.js").unwrap(), "", "nothing is touched, not even the others");
    // A second agent writes once more: the second yes was to another state.
    world.write("src/a.js", "and an agent\n");
    let second = |code: &str| {
        apply(&engine, &preview.plan, Confirmation::Terminal(person()), Some(code), "cli", &Silent)
    };
    let Err(Error::ChangedAfterPreview { code: newer, .. }) = second(&code) else { panic!() };
    assert_eq!(world.read("src/a.js").unwrap(), "and an agent\n");
    let done = second(&newer).unwrap();
    assert_eq!(done.confirmed_twice, ["src/a.js"]);
    assert_eq!(world.read("src/a.js").unwrap(), "export const a = 1;\n");
    // And even that comes back.
    let back = returning(&engine, Detail::Counts, &Silent).unwrap();
    yes(&engine, &back.plan).unwrap();
    assert_eq!(world.read("src/a.js").unwrap(), "and an agent\n");
}

#[test]
fn an_edit_after_the_safety_save_is_never_overwritten_rc6() {
    let world = World::new();
    let engine = world.incident();
    let preview = shown(&engine);
    let late = When { phase: Phase::Restoring, act: || world.write("src/a.js", "saved a moment too late\n") };
    let done = apply(&engine, &preview.plan, Confirmation::Terminal(person()), None, "cli", &late).unwrap();
    assert!(!done.is_complete());
    assert_eq!(done.result.kept[0].code, "changed_meanwhile");
    assert_eq!(world.read("src/a.js").unwrap(), "saved a moment too late\n");
    assert_eq!(world.read("src/b.js").unwrap(), "export const b = 1;\n");
}

#[test]
fn of_two_at_once_one_works_and_one_is_busy_rc7() {
    let world = World::new();
    let engine = world.incident();
    let (first, second) = (shown(&engine), shown(&engine));
    let busy = AtomicUsize::new(0);
    let meanwhile = When {
        phase: Phase::Restoring,
        act: || {
            let other = world.engine();
            let Err(Error::RecoveryBusy(told)) = yes(&other, &second.plan) else { panic!() };
            assert_eq!(told.operation, first.plan);
            assert!((1..=60).contains(&told.eta_seconds));
            busy.fetch_add(1, Ordering::Relaxed);
        },
    };
    apply(&engine, &first.plan, Confirmation::Terminal(person()), None, "cli", &meanwhile).unwrap();
    assert_eq!(busy.load(Ordering::Relaxed), 1);
    // The lock went with its holder; the second plan is now about other files than it showed.
    assert_eq!(yes(&engine, &second.plan).unwrap_err().code(), "changed_after_preview");
}

#[test]
fn what_takes_too_long_is_stopped_and_taken_back_rc7() {
    let world = World::new();
    std::fs::create_dir_all(world.base.path().join("config")).unwrap();
    std::fs::write(world.base.path().join("config/config.toml"), "[recovery]\nlock_timeout_seconds = 1\n")
        .unwrap();
    for number in 0..1_200 {
        world.write(&format!("src/f{number}.js"), &format!("export const f{number} = 1;\n"));
    }
    let engine = world.engine();
    world.step(&engine, None, None);
    world.step(&engine, Some("Bash"), None);
    std::fs::remove_dir_all(world.base.path().join("project/src")).unwrap();
    let preview = shown(&engine);
    // Too slow before anything was touched.
    let slow = When { phase: Phase::Scanning, act: || std::thread::sleep(Duration::from_millis(1_100)) };
    let error =
        apply(&engine, &preview.plan, Confirmation::Terminal(person()), None, "cli", &slow).unwrap_err();
    assert!(matches!(error, Error::RecoveryTimedOut { put_back: true, .. }), "{error}");
    assert!(world.read("src/f0.js").is_none());
    // Too slow in the middle: what was written is taken back.
    let slow = When { phase: Phase::Restoring, act: || std::thread::sleep(Duration::from_millis(1_100)) };
    let error =
        apply(&engine, &preview.plan, Confirmation::Terminal(person()), None, "cli", &slow).unwrap_err();
    assert!(matches!(error, Error::RecoveryTimedOut { put_back: true, .. }), "{error}");
    let left = std::fs::read_dir(world.base.path().join("project/src")).map_or(0, Iterator::count);
    assert_eq!(left, 0, "a part of the files is there");
    // With enough time the same plan is still good, and the lock is free.
    std::fs::write(world.base.path().join("config/config.toml"), "").unwrap();
    assert!(yes(&world.engine(), &preview.plan).unwrap().is_complete());
    assert!(world.read("src/f1199.js").is_some());
}

#[test]
fn feedback_is_about_labels_and_a_mistaken_one_is_not_repeated_rc4() {
    let world = World::new();
    world.write("src/page.js", "export const page = 1;\n");
    world.write("lib/pay.js", "export const pay = 1;\n");
    let engine = world.engine();
    let marked = project::RelPath::new(b"src/page.js").unwrap();
    remember(&engine, "cli", &Remember::Relevant(marked, None)).unwrap();
    world.step(&engine, None, None);
    world.step(&engine, Some("Edit"), Some("lib/pay.js"));
    world.write("lib/pay.js", "export const pay = 2;\n");
    let report = diagnose(&engine, &query(), &Silent).unwrap();
    assert!(report.diagnosis.zone.is_outside("lib/pay.js"));
    assert_eq!(feedback::judge(&engine, &query(), "src/page.js", true).unwrap_err().code(), "not_labelled");
    let said = feedback::judge(&engine, &query(), "lib/pay.js", false).unwrap();
    assert!(said.labelling && said.accuracy.is_none());
    let again = diagnose(&engine, &query(), &Silent).unwrap();
    assert!(!again.diagnosis.zone.is_outside("lib/pay.js"), "the person said that it belongs");
}

/// A story that needs every gate: a secret in the request, a marked file, a goal of two days ago.
fn story(world: &World, gate: Option<Gate>) -> Engine {
    let engine = world.incident();
    world.step(&engine, Some("Edit"), Some("src/d.js"));
    world.write("src/d.js", "export const d = 3;\n");
    // A command changed it: nothing but the person's word speaks for it.
    let marked = project::RelPath::new(b"src/a.js").unwrap();
    remember(&engine, "cli", &Remember::Relevant(marked, None)).unwrap();
    old_goal(&engine);
    broken(gate, || {
        let preview = shown(&engine);
        yes(&engine, &preview.plan).unwrap();
    });
    engine
}

/// A goal that was given two days ago; with a private detail that the log of memory was not asked to clean.
fn old_goal(engine: &Engine) {
    let context = engine.context();
    let text = format!("call {} when it works", redact::template::expand("ghp_<an:36>", 7));
    let body = serde_json::json!({"text": text});
    let two_days = 48 * 3_600_000;
    let mut event = super::events::event(engine, "intent", body);
    event.time_ms = context.now_ms() - two_days;
    super::events::log(engine).unwrap().append(&[event]).unwrap();
}

#[test]
fn every_gate_holds_and_a_broken_one_is_caught_by_the_aggregator() {
    let failed = |engine: &Engine| -> Vec<&'static str> {
        let report = audit::slo(engine, None).unwrap();
        report.slos.iter().filter(|slo| slo.result == Verdict::Fail).map(|slo| slo.slo_id).collect()
    };
    let world = World::new();
    assert_eq!(failed(&story(&world, None)), Vec::<&str>::new());
    let report = audit::slo(&world.engine(), None).unwrap();
    assert_eq!(report.slos.iter().map(|slo| slo.occurrences).sum::<u64>(), 0);
    assert!(report.slos.iter().all(|slo| slo.sample_count > 0 && slo.unproven == 0), "{report:?}");
    for (gate, rule) in [
        (Gate::Safety, "sandwich_enforcement"),
        (Gate::Typed, "memory_as_instruction"),
        (Gate::Redaction, "unredacted_mcp_leak"),
        (Gate::Drift, "drift_on_confirmed_intent"),
        (Gate::Stale, "stale_intent_as_current"),
    ] {
        let world = World::new();
        assert_eq!(failed(&story(&world, Some(gate))), [rule], "{gate:?}");
    }
}

#[test]
fn a_project_without_a_past_offers_no_way_back_rc10() {
    let world = World::new();
    world.write("src/a.js", "broken(\n");
    let engine = world.engine();
    let report = diagnose(&engine, &query(), &Silent).unwrap();
    assert!(!report.has_history && report.ways.iter().all(|way| way.level <= 2));
    let error = preview(&engine, &query(), Choice::Recommended, Detail::Counts, &Silent).unwrap_err();
    assert_eq!(error.code(), "no_safe_checkpoint");
    assert!(Path::new(&engine.project().state()).exists());
}
