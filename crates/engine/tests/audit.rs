//! The audit log: many writers, damage of every kind, verdicts, retention.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use project::Context;
use redact::template::expand;
use vib_engine::Engine;
use vib_engine::audit::{
    self, Damage, DriftFeedback, Event, Intent, Outcome, Parameters, Row, SloReport, Trigger, TriggerAction,
    Verdict,
};

/// A project in a folder of its own.
struct World {
    base: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let base = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(base.path().join("home/kessler")).unwrap();
        std::fs::create_dir_all(base.path().join("project")).unwrap();
        Self { base }
    }

    fn engine(&self) -> Engine {
        open(self.base.path())
    }

    fn log(&self) -> PathBuf {
        self.engine().project().state().join("memory_audit.jsonl")
    }

    fn lines(&self) -> Vec<String> {
        std::fs::read_to_string(self.log()).unwrap().lines().map(str::to_owned).collect()
    }

    fn write_lines(&self, lines: &[String]) {
        std::fs::write(self.log(), lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    }

    /// Rows that prove all five rules.
    fn good_rows(&self) -> Engine {
        let engine = self.engine();
        for row in good_rows() {
            audit::record(&engine, &row).unwrap();
        }
        engine
    }
}

fn open(base: &Path) -> Engine {
    let base = base.canonicalize().unwrap();
    let home = base.join("home/kessler");
    let get = move |name: &str| match name {
        "HOME" => Some(home.clone().into_os_string()),
        "USER" => Some(OsString::from("kessler")),
        "VIBELIGN_STATE" => Some(base.join("state").into_os_string()),
        _ => None,
    };
    let cwd = get("VIBELIGN_STATE").map(PathBuf::from).unwrap().with_file_name("project");
    Engine::open(Context::with_environment(cwd, &get)).unwrap()
}

fn good_rows() -> Vec<Row> {
    let mut preview =
        Row::new(Event::RecoveryPreview, "cli", Outcome::Success).redacted(redact::Counts::default());
    preview.drift_on_confirmed = Some(0);
    preview.intent = Some(Intent::StaleLabelled);
    let mut apply = Row::new(Event::RecoveryApply, "cli", Outcome::Success);
    apply.sandwich_checkpoint_id = Some("k3v9x2".to_owned());
    apply.parameters = Some(Parameters::Typed);
    apply.paths_count.total = 2;
    vec![preview, apply]
}

fn slo(engine: &Engine) -> SloReport {
    audit::slo(engine, None).unwrap()
}

fn verdict(report: &SloReport, id: &str) -> Verdict {
    report.slos.iter().find(|slo| slo.slo_id == id).unwrap().result
}

const WRITERS: usize = 16;
const ROWS: usize = 500;
const WRITER: &str = "VIB_TEST_AUDIT_WRITER";

#[test]
fn sixteen_processes_write_without_gap_or_duplicate() {
    // This test starts itself again as each of the writers.
    if let Some(base) = std::env::var_os(WRITER) {
        let engine = open(Path::new(&base));
        for _ in 0..ROWS {
            audit::record(&engine, &Row::new(Event::MemoryWrite, "writer", Outcome::Success)).unwrap();
        }
        return;
    }
    let world = World::new();
    drop(world.engine());
    let this = std::env::current_exe().unwrap();
    let writers: Vec<_> = (0..WRITERS)
        .map(|_| {
            Command::new(&this)
                .args(["--exact", "audit::sixteen_processes_write_without_gap_or_duplicate"])
                .env(WRITER, world.base.path())
                .stdout(Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for mut writer in writers {
        assert!(writer.wait().unwrap().success());
    }
    let report = audit::show(&world.engine(), 0).unwrap();
    assert_eq!(report.damage, []);
    let numbers: Vec<u64> = report.rows.iter().map(|row| row.sequence_number).collect();
    assert_eq!(numbers, (1..=(WRITERS * ROWS) as u64).collect::<Vec<_>>());
}

#[test]
fn a_whole_window_with_evidence_passes_and_an_empty_one_needs_review() {
    let world = World::new();
    let empty = slo(&world.engine());
    assert_eq!(empty.result, Verdict::NeedsReview);
    let report = slo(&world.good_rows());
    assert_eq!(report.result, Verdict::Pass, "{report:?}");
    assert!(report.slos.iter().all(|slo| slo.occurrences == 0 && slo.sample_count > 0));
}

#[test]
fn a_denial_is_a_pass_and_a_leak_is_a_breach() {
    let world = World::new();
    let engine = world.good_rows();
    let mut denied = Row::new(Event::RecoveryApply, "mcp:cursor", Outcome::Denied);
    denied.parameters = Some(Parameters::FreeText);
    audit::record(&engine, &denied).unwrap();
    audit::record(&engine, &Row::new(Event::MemoryFullRead, "mcp:cursor", Outcome::Denied)).unwrap();
    assert_eq!(slo(&engine).result, Verdict::Pass);

    // Text that left without the gate; a restore without its checkpoint; an action out of memory text.
    let mut leak = Row::new(Event::MemoryFullRead, "mcp:cursor", Outcome::Success);
    leak.intent = Some(Intent::StaleShownAsFresh);
    audit::record(&engine, &leak).unwrap();
    let mut apply = Row::new(Event::RecoveryApply, "cli", Outcome::Success);
    apply.parameters = Some(Parameters::FreeText);
    apply.paths_count.total = 1;
    audit::record(&engine, &apply).unwrap();
    let mut preview =
        Row::new(Event::RecoveryPreview, "cli", Outcome::Success).redacted(redact::Counts::default());
    preview.drift_on_confirmed = Some(1);
    preview.intent = Some(Intent::Fresh);
    audit::record(&engine, &preview).unwrap();
    let report = slo(&engine);
    assert_eq!(report.result, Verdict::Fail);
    assert!(report.slos.iter().all(|slo| slo.occurrences == 1 && slo.result == Verdict::Fail), "{report:?}");
}

#[test]
fn a_row_that_says_too_little_needs_review() {
    let world = World::new();
    let engine = world.good_rows();
    audit::record(&engine, &Row::new(Event::CheckpointCreate, "cli", Outcome::Success)).unwrap();
    let report = slo(&engine);
    assert_eq!(verdict(&report, "memory_as_instruction"), Verdict::NeedsReview);
    assert_eq!(verdict(&report, "sandwich_enforcement"), Verdict::Pass);
    assert_eq!(report.result, Verdict::NeedsReview);
}

/// Ten rows, changed by `change`; what the aggregator then says, and that it rejects the window.
fn damaged(change: impl FnOnce(&mut Vec<String>)) -> Vec<Damage> {
    let world = World::new();
    for _ in 0..5 {
        world.good_rows();
    }
    let mut lines = world.lines();
    assert_eq!(lines.len(), 10);
    change(&mut lines);
    world.write_lines(&lines);
    let report = slo(&world.engine());
    assert_eq!(report.result, Verdict::Rejected, "{report:?}");
    assert!(report.slos.iter().all(|slo| slo.result == Verdict::Rejected));
    assert_eq!(audit::show(&world.engine(), 0).unwrap().damage, report.damage);
    report.damage
}

#[test]
fn every_kind_of_damage_is_named_with_its_place() {
    let gap = damaged(|lines| drop(lines.drain(3..5)));
    assert_eq!(gap, [Damage::Gap { line: 4, first: 4, last: 5 }]);
    assert_eq!(gap[0].to_string(), "rows 4 to 5 are missing before line 4");

    let truncated = damaged(|lines| lines.truncate(7));
    assert_eq!(truncated, [Damage::Truncated { line: 7, first: 8, last: 10 }]);
    assert_eq!(truncated[0].to_string(), "rows 8 to 10 are missing at the end, behind line 7");

    let headless = damaged(|lines| drop(lines.remove(0)));
    assert_eq!(headless, [Damage::Gap { line: 1, first: 1, last: 1 }]);

    let duplicate = damaged(|lines| lines.insert(6, lines[2].clone()));
    assert_eq!(duplicate, [Damage::Duplicate { line: 7, sequence_number: 3 }]);
    assert_eq!(duplicate[0].to_string(), "line 7 repeats row 3");

    let reordered = damaged(|lines| lines.swap(4, 5));
    assert_eq!(reordered, [Damage::Reordered { line: 6, sequence_number: 5 }]);
    assert_eq!(reordered[0].to_string(), "row 5 is out of order in line 6");

    let other = World::new();
    other.good_rows();
    let foreign = damaged(|lines| lines.insert(4, other.lines()[1].clone()));
    assert_eq!(foreign, [Damage::Foreign { line: 5, sequence_number: 2 }]);
    assert_eq!(foreign[0].to_string(), "line 5 is row 2 of another project");

    let corrupt = damaged(|lines| lines[2] = "{\"schema\":1,".to_owned());
    assert_eq!(corrupt, [Damage::Corrupt { line: 3, detail: "it is no audit row".to_owned() }]);
}

#[test]
fn damage_before_the_window_does_not_reject_it_and_a_breach_stays_a_breach() {
    let world = World::new();
    for _ in 0..3 {
        world.good_rows();
    }
    let mut lines = world.lines();
    for line in &mut lines[..4] {
        let at = line.find("\"timestamp\":\"").unwrap() + 13;
        line.replace_range(at..at + 4, "2020");
    }
    lines.remove(1);
    world.write_lines(&lines);
    let report = slo(&world.engine());
    assert_eq!((report.result, report.rows), (Verdict::Pass, 2), "{report:?}");
    assert_eq!(audit::show(&world.engine(), 0).unwrap().damage.len(), 1);

    audit::record(&world.engine(), &Row::new(Event::MemoryFullRead, "mcp", Outcome::Success)).unwrap();
    let mut lines = world.lines();
    lines.remove(3);
    world.write_lines(&lines);
    let report = slo(&world.engine());
    assert_eq!(verdict(&report, "unredacted_mcp_leak"), Verdict::Fail);
    assert_eq!(verdict(&report, "sandwich_enforcement"), Verdict::Rejected);
}

#[test]
fn a_torn_last_line_is_taken_away_and_said() {
    let world = World::new();
    let engine = world.good_rows();
    let whole = std::fs::read_to_string(world.log()).unwrap();
    std::fs::write(world.log(), format!("{whole}{{\"schema\":1,\"sequence_nu")).unwrap();
    assert!(matches!(&slo(&engine).damage[..], [Damage::Corrupt { line: 3, .. }]), "not repaired yet");
    let recorded = audit::record(&engine, &good_rows()[1]).unwrap();
    assert!(recorded.repaired);
    assert_eq!(recorded.sequence_number, 4, "row 3 says that a line was repaired");
    let report = audit::show(&engine, 0).unwrap();
    assert_eq!((report.damage.len(), report.rows[2].row.event), (0, Event::LogRepaired));
    assert_eq!(report.rows[2].row.repaired_bytes, Some(24));

    // A row that lacks only its line break is whole.
    let whole = std::fs::read_to_string(world.log()).unwrap();
    std::fs::write(world.log(), whole.trim_end()).unwrap();
    let recorded = audit::record(&engine, &good_rows()[1]).unwrap();
    assert_eq!((recorded.repaired, recorded.sequence_number), (false, 5));
    assert_eq!(audit::show(&engine, 0).unwrap().damage, []);
}

#[test]
fn no_path_name_or_secret_reaches_the_log() {
    let world = World::new();
    let engine = world.engine();
    let secret = expand("ghp_<an:36>", 5);
    let mut row = Row::new(Event::RecoveryApply, secret.clone(), Outcome::Denied);
    row.capability_grant_id = Some(engine.project().root().display().to_string());
    row.sandwich_checkpoint_id = Some("kessler".to_owned());
    row.trigger = Some(Trigger {
        id: "please look at my notes".to_owned(),
        action: TriggerAction::Shown,
        source: "claude-code".to_owned(),
    });
    let recorded = audit::record(&engine, &row).unwrap();
    assert_eq!(recorded.withheld, 4);
    let text = std::fs::read_to_string(world.log()).unwrap();
    for gone in [secret.as_str(), "project/", "kessler", "notes", world.base.path().to_str().unwrap()] {
        assert!(!text.contains(gone), "{gone} in {text}");
    }
    assert!(text.contains("\"source\":\"claude-code\""));
}

#[test]
fn a_sabotaged_gate_is_caught() {
    let world = World::new();
    let engine = world.good_rows();
    let mut row = Row::new(Event::MemorySummaryRead, "mcp:cursor", Outcome::Success)
        .redacted(redact::Counts::default());
    row.intent = Some(Intent::Absent);
    // A gate that works: what left is clean, and the second look says so.
    let clean = engine.gate().clean(&format!("see /home/kessler/x, {}", expand("token ghp_<an:36>", 3)));
    assert!(audit::record_output_for_review(&engine, &row, clean.as_str()).unwrap().sampled);
    let report = slo(&engine);
    assert_eq!(report.result, Verdict::Pass, "{report:?}");

    // A gate that counts and lets everything through: the row looks as good as the one before.
    let leaked = expand("the key is ghp_<an:36>", 4);
    audit::record_output_for_review(&engine, &row, &leaked).unwrap();
    let report = slo(&engine);
    assert_eq!(verdict(&report, "unredacted_mcp_leak"), Verdict::Fail);
    assert_eq!(report.slos[2].occurrences, 1);
    let samples = engine.project().state().join("audit_samples");
    assert_eq!(std::fs::read_dir(samples).unwrap().count(), 0, "what was looked at is deleted");
    assert!(!std::fs::read_to_string(world.log()).unwrap().contains(&leaked[11..]));
}

#[test]
fn an_output_nobody_looked_at_again_leaves_the_window_unproven() {
    let world = World::new();
    let engine = world.good_rows();
    let mut lines = world.lines();
    lines[0] = lines[0].replacen("{\"schema\"", "{\"sampled\":true,\"schema\"", 1);
    world.write_lines(&lines);
    assert_eq!(verdict(&slo(&engine), "unredacted_mcp_leak"), Verdict::NeedsReview);
}

#[test]
fn about_one_output_in_a_hundred_is_kept() {
    let world = World::new();
    let engine = world.engine();
    let row = good_rows().remove(0);
    let kept = (0..3000).filter(|_| audit::record_output(&engine, &row, "fine").unwrap().sampled).count();
    assert!((5..=75).contains(&kept), "{kept}");
    // Second looks were paid for on the way.
    assert!(audit::show(&engine, 0).unwrap().rows.iter().any(|row| row.row.event == Event::GateRescan));
}

/// A log with `old` rows of the year 2020 in front of `new` ones of now, numbered up to one below a retention round.
fn long_log(world: &World, old: usize, new: usize, padding: usize) {
    world.good_rows();
    let template = world.lines()[1].clone();
    let mut lines = Vec::new();
    for number in 1..=old + new {
        let mut line =
            template.replacen("\"sequence_number\":2", &format!("\"sequence_number\":{number}"), 1);
        line = line.replacen("k3v9x2", &"k3v9x2".repeat(padding), 1);
        if number <= old {
            let at = line.find("\"timestamp\":\"").unwrap() + 13;
            line.replace_range(at..at + 4, "2020");
        }
        lines.push(line);
    }
    world.write_lines(&lines);
    std::fs::write(world.log().with_extension("head"), format!("{:020}\n", old + new)).unwrap();
}

#[test]
fn old_rows_become_counts_and_the_numbers_go_on() {
    let world = World::new();
    long_log(&world, 300, 211, 1);
    let engine = world.engine();
    assert_eq!(audit::record(&engine, &good_rows()[0]).unwrap().sequence_number, 512);
    let report = audit::show(&engine, 0).unwrap();
    assert_eq!((report.total, report.summarised), (212, 300));
    assert_eq!(report.damage, []);
    let summary = std::fs::read_to_string(world.log().with_file_name("memory_audit_summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    assert_eq!(summary["events"]["recovery_apply/success"], 300);
    assert_eq!(summary["slos"]["sandwich_enforcement"]["samples"], 300);
    assert_eq!(summary["last_sequence"], 300);
    assert_eq!(slo(&engine).result, Verdict::Pass);
    assert_eq!(audit::record(&engine, &good_rows()[0]).unwrap().sequence_number, 513);

    // A cut that died between summary and log: the rows are in both and count once.
    let mut lines = world.lines();
    let again = lines[0].replacen("\"sequence_number\":301", "\"sequence_number\":300", 1);
    lines.insert(0, again);
    world.write_lines(&lines);
    assert_eq!(audit::show(&engine, 0).unwrap().damage, []);
}

#[test]
fn a_window_in_use_is_never_cut_however_large_it_is() {
    let world = World::new();
    // 12 MB, all of it of today.
    long_log(&world, 0, 12_287, 100);
    assert!(std::fs::metadata(world.log()).unwrap().len() > 11 << 20);
    let engine = world.engine();
    assert_eq!(audit::record(&engine, &good_rows()[0]).unwrap().sequence_number, 12_288);
    assert_eq!(audit::show(&engine, 1).unwrap().total, 12_288);
}

#[test]
fn measures_come_from_counts() {
    let world = World::new();
    let engine = world.engine();
    for level in [0, 1, 5] {
        let mut row = good_rows().remove(1);
        row.recovery_level = Some(level);
        audit::record(&engine, &row).unwrap();
    }
    for action in [TriggerAction::Accepted, TriggerAction::Ignored] {
        for _ in 0..8 {
            let mut row = Row::new(Event::Trigger, "claude-code", Outcome::Success);
            row.trigger = Some(Trigger { id: "save-first".to_owned(), action, source: "spiral".to_owned() });
            audit::record(&engine, &row).unwrap();
        }
    }
    let mut row = Row::new(Event::DriftFeedback, "cli", Outcome::Success);
    row.drift_feedback = Some(DriftFeedback { correct: 9, incorrect: 1 });
    audit::record(&engine, &row).unwrap();
    audit::record(&engine, &Row::new(Event::HandoffExport, "cli", Outcome::Success)).unwrap();
    audit::record(&engine, &Row::new(Event::PatchApply, "codex", Outcome::Success)).unwrap();
    let report = audit::metrics(&engine, None).unwrap();
    let met = |id: &str| report.metrics.iter().find(|metric| metric.id == id).unwrap().met;
    assert_eq!(met("recovery_quality"), Some(true));
    assert_eq!(met("trigger_usefulness"), Some(false));
    assert_eq!(met("zone_accuracy"), Some(true));
    assert_eq!(met("handoff_speed"), Some(true));
    assert_eq!(met("mcp_adoption"), None);
    assert_eq!(report.recovery_levels.values().sum::<u64>(), 3);
}

/// An agent that edits with its own tools applies no patch: its edits are in the memory log.
#[test]
fn the_first_edit_of_the_next_agent_ends_a_handoff_and_one_of_the_agent_before_does_not() {
    let world = World::new();
    let engine = world.engine();
    audit::record(&engine, &Row::new(Event::HandoffExport, "cli", Outcome::Success)).unwrap();
    let now_ms = engine.context().now_ms();
    let edit = |time_ms: i64, session: &str, at: usize| {
        format!(
            "{{\"id\":\"0195a000-0000-7000-8000-00000000000{at}\",\"schema_version\":1,\"time_ms\":{time_ms},\"scope\":\"project\",\
             \"kind\":\"edit\",\"provenance\":\"observed\",\"agent\":\"codex\",\"task\":\"{session}\",\"body\":{{\"paths\":[\"a.txt\"]}}}}\n"
        )
    };
    let folder = engine.project().state().join("memory");
    std::fs::create_dir_all(&folder).unwrap();
    // The one who handed over goes on for a moment; the next one begins after three minutes.
    let log = [
        edit(now_ms - 60_000, "before", 1),
        edit(now_ms + 30_000, "before", 2),
        edit(now_ms + 180_000, "after", 3),
    ];
    std::fs::write(folder.join("project.jsonl"), log.concat()).unwrap();
    let report = audit::metrics(&engine, None).unwrap();
    let speed = report.metrics.iter().find(|metric| metric.id == "handoff_speed").unwrap();
    assert_eq!((speed.samples, speed.met), (1, Some(true)));
    assert!((speed.value.unwrap() - 3.0).abs() < 0.1, "{speed:?}");
}

#[test]
fn a_row_of_a_newer_vib_keeps_its_place_and_unknown_words_prove_nothing() {
    let world = World::new();
    let engine = world.good_rows();
    let mut lines = world.lines();
    lines[1] = lines[1].replacen("\"result\":\"success\"", "\"result\":\"postponed\",\"mood\":7", 1);
    lines[1] =
        lines[1].replacen("\"sandwich_checkpoint_id\":\"k3v9x2\"", "\"sandwich_checkpoint_id\":null", 1);
    world.write_lines(&lines);
    let report = slo(&engine);
    assert_eq!(report.damage, []);
    assert_eq!(verdict(&report, "sandwich_enforcement"), Verdict::NeedsReview);
    lines[1] = lines[1].replacen("\"schema\":1", "\"schema\":2", 1);
    world.write_lines(&lines);
    assert_eq!(slo(&engine).result, Verdict::Rejected);
}
