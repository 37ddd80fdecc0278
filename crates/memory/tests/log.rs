//! The log: nothing that was acknowledged is lost, whoever else writes and whatever is cut off. (MM1, MM11)

use std::io::Write;
use std::process::Command;

use proptest::prelude::*;
use serde_json::{Value, json};
use vib_memory::log::{Event, Log, Provenance, Scope};

fn event(number: u64) -> Event {
    let mut random = [0; 10];
    random[..8].copy_from_slice(&number.to_le_bytes());
    Event::new(
        1_000 + number as i64,
        random,
        Scope::Project,
        "note",
        Provenance::Observed,
        json!({"n": number}),
    )
}

#[test]
fn events_come_back_in_order_and_unknown_fields_survive() {
    let folder = tempfile::tempdir().unwrap();
    let log = Log::at(folder.path().join("project.jsonl"));
    assert!(log.read().unwrap().events.is_empty());
    log.append(&[event(1), event(2), event(3)]).unwrap();
    let newer = r#"{"id":"x","schema_version":7,"time_ms":5,"scope":"project","kind":"of_next_year","provenance":"dreamt","body":[1],"wings":2}"#;
    std::fs::OpenOptions::new()
        .append(true)
        .open(log.path())
        .unwrap()
        .write_all(format!("{newer}\n").as_bytes())
        .unwrap();
    let contents = log.read().unwrap();
    assert_eq!(contents.events.len(), 4);
    assert!(contents.bad.is_empty() && !contents.torn);
    assert_eq!(contents.events[3].other["wings"], 2);
    assert_eq!(serde_json::to_value(&contents.events[3]).unwrap()["wings"], 2);
    assert!(Log::is_newer(&contents));
    let ids: std::collections::HashSet<&str> =
        contents.events.iter().map(|event| event.id.as_str()).collect();
    assert_eq!(ids.len(), 4);
}

/// Wherever the newer line stands, and whether this version can read the rest of it or not: nothing is added, moved or mended.
#[test]
fn a_log_of_a_newer_vib_is_only_read_mm11() {
    let readable = r#"{"id":"x","schema_version":7,"time_ms":5,"scope":"project","kind":"k","provenance":"explicit","body":1}"#;
    let strange = r#"{"id":{"new":1},"schema_version":8,"scope":"team"}"#;
    for newer in [readable, strange] {
        for before in [0_u64, 1, 2_000] {
            let folder = tempfile::tempdir().unwrap();
            let log = Log::at(folder.path().join("project.jsonl"));
            let put = |text: &str| {
                let mut file =
                    std::fs::OpenOptions::new().append(true).create(true).open(log.path()).unwrap();
                file.write_all(text.as_bytes()).unwrap();
            };
            for chunk in (0..before).collect::<Vec<_>>().chunks(500) {
                log.append(&chunk.iter().map(|number| event(*number)).collect::<Vec<_>>()).unwrap();
            }
            put(&format!("{newer}\n"));
            // An older vib went on here, as earlier versions did: the newer line is far from the end. And it was cut off.
            for number in 0..2_000 {
                put(&format!("{}\n", serde_json::to_string(&event(10_000 + number)).unwrap()));
            }
            put("{\"id\":\"to");
            let bytes = std::fs::read(log.path()).unwrap();
            for _ in 0..2 {
                let error = log.append(&[event(1)]).unwrap_err();
                assert_eq!(error.code(), "memory_newer");
                assert!(error.next().contains("update vib"), "{}", error.next());
                assert_eq!(log.writable().unwrap_err().code(), "memory_newer");
                let error = log.compact(&folder.path().join("archive"), |all| vec![false; all.len()]);
                assert_eq!(error.unwrap_err().code(), "memory_newer");
            }
            assert_eq!(std::fs::read(log.path()).unwrap(), bytes);
            assert!(!folder.path().join("archive").exists() && !log.path().with_extension("torn").exists());
            let contents = log.read().unwrap();
            assert_eq!((contents.newer, contents.bad.len()), (1, usize::from(newer == strange)));
        }
    }
}

#[test]
fn the_gate_looks_only_at_what_is_new_and_notices_another_log() {
    let folder = tempfile::tempdir().unwrap();
    let log = Log::at(folder.path().join("project.jsonl"));
    log.append(&(0..2_000).map(event).collect::<Vec<_>>()).unwrap();
    log.append(&[event(2_000)]).unwrap();
    let mark = log.path().with_extension("schema");
    let first = std::fs::read_to_string(&mark).unwrap();
    log.append(&[event(2_001)]).unwrap();
    assert_eq!(std::fs::read_to_string(&mark).unwrap(), first, "one line is not worth a new mark");
    // What stands before the mark was looked at and is not looked at again.
    let whole = std::fs::read_to_string(log.path()).unwrap();
    let changed = whole.replacen("\"schema_version\":1", "\"schema_version\":7", 1);
    std::fs::write(log.path(), &changed).unwrap();
    log.append(&[event(2_002)]).unwrap();
    // Another log in its place is looked at as a whole, and so is one whose mark was lost or makes no sense.
    std::fs::write(log.path(), format!("{}\n{changed}", changed.lines().next_back().unwrap())).unwrap();
    assert_eq!(log.append(&[event(2_003)]).unwrap_err().code(), "memory_newer");
    std::fs::write(log.path(), &changed).unwrap();
    for strange in ["", "99999999999 00", "-1 zz", "12"] {
        std::fs::write(&mark, strange).unwrap();
        assert_eq!(log.append(&[event(2_004)]).unwrap_err().code(), "memory_newer", "{strange}");
    }
}

#[test]
fn a_foreign_line_is_named_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let log = Log::at(folder.path().join("project.jsonl"));
    log.append(&[event(1)]).unwrap();
    std::fs::OpenOptions::new()
        .append(true)
        .open(log.path())
        .unwrap()
        .write_all(b"not json\n\xff\xfe\n{}\n")
        .unwrap();
    log.append(&[event(2)]).unwrap();
    let contents = log.read().unwrap();
    assert_eq!(contents.events.len(), 2);
    assert_eq!(contents.bad.iter().map(|bad| bad.line).collect::<Vec<_>>(), [2, 3, 4]);
    assert!(std::fs::read(log.path()).unwrap().windows(8).any(|part| part == b"not json"));
}

#[test]
fn too_long_is_refused_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let log = Log::at(folder.path().join("project.jsonl"));
    let mut long = event(1);
    long.body = Value::String("x".repeat(5 << 20));
    let error = log.append(&[event(2), long]).unwrap_err();
    assert_eq!(error.code(), "memory_too_long");
    assert!(log.read().unwrap().events.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Wherever a crash cuts the file, the whole events before the cut stay, the rest is set aside, and writing goes on.
    #[test]
    fn a_cut_loses_only_what_was_cut(count in 1_u64..12, cut in 0.0_f64..1.0) {
        let folder = tempfile::tempdir().unwrap();
        let log = Log::at(folder.path().join("project.jsonl"));
        for number in 0..count {
            log.append(&[event(number)]).unwrap();
        }
        let text = std::fs::read(log.path()).unwrap();
        let keep = (text.len() as f64 * cut) as usize;
        std::fs::write(log.path(), &text[..keep]).unwrap();
        let whole = text[..keep].iter().filter(|&&byte| byte == b'\n').count();
        let torn = keep > 0 && text[keep - 1] != b'\n';

        prop_assert_eq!(log.read().unwrap().torn, torn);
        let repaired = log.append(&[event(99)]).unwrap();
        prop_assert_eq!(repaired.is_some(), torn);
        let contents = log.read().unwrap();
        prop_assert_eq!(contents.events.len(), whole + 1);
        prop_assert!(contents.bad.is_empty() && !contents.torn);
        if let Some(repaired) = repaired {
            prop_assert!(repaired.bytes > 0 && repaired.kept_in.exists());
        }
    }
}

/// Called by the test below in processes of its own: appends until it is killed, telling each one that was acknowledged.
#[test]
fn writer_process() {
    let (Ok(path), Ok(name)) = (std::env::var("MEMORY_LOG"), std::env::var("MEMORY_WRITER")) else {
        return;
    };
    let log = Log::at(path);
    let base: u64 = name.parse::<u64>().unwrap() * 1_000_000;
    let mut told = std::fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(std::env::var("MEMORY_TOLD").unwrap())
        .unwrap();
    for number in 0..250 {
        log.append(&[event(base + number)]).unwrap();
        told.write_all(format!("{}\n", base + number).as_bytes()).unwrap();
    }
}

#[test]
fn many_writers_and_kills_lose_nothing_that_was_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let log = Log::at(folder.path().join("project.jsonl"));
    let mut children = Vec::new();
    for writer in 1..=8_u64 {
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "log::writer_process"])
            .env("MEMORY_LOG", log.path())
            .env("MEMORY_WRITER", writer.to_string())
            .env("MEMORY_TOLD", folder.path().join(format!("told-{writer}")))
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        children.push(child);
    }
    // Half of them are killed in the middle of their work.
    for (number, child) in children.iter_mut().enumerate() {
        if number % 2 == 0 {
            std::thread::sleep(std::time::Duration::from_millis(15));
            let _ = child.kill();
        }
    }
    for child in &mut children {
        let _ = child.wait();
    }
    log.append(&[event(7)]).unwrap();
    let contents = log.read().unwrap();
    assert!(contents.bad.is_empty(), "{:?}", contents.bad);
    let mut seen: Vec<u64> = contents.events.iter().map(|event| event.body["n"].as_u64().unwrap()).collect();
    let all = seen.len();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), all, "every event is there once");
    let mut told_in_all = 0;
    for writer in 1..=8 {
        let told = std::fs::read_to_string(folder.path().join(format!("told-{writer}"))).unwrap_or_default();
        for number in told.split_terminator('\n').filter_map(|line| line.parse::<u64>().ok()) {
            told_in_all += 1;
            assert!(seen.binary_search(&number).is_ok(), "{number} was acknowledged and is gone");
        }
    }
    assert!(told_in_all >= 4 * 250, "{told_in_all}");
}

#[test]
fn what_came_since_a_mark_is_read_and_another_log_is_read_anew() {
    let folder = tempfile::tempdir().unwrap();
    let log = Log::at(folder.path().join("project.jsonl"));
    let first = log.read_since(Default::default()).unwrap();
    assert!(first.contents.events.is_empty());
    log.append(&[event(1), event(2)]).unwrap();
    let two = log.read_since(first.mark).unwrap();
    assert_eq!((two.contents.events.len(), two.anew), (2, true));
    for number in 3..200 {
        log.append(&[event(number)]).unwrap();
    }
    let more = log.read_since(two.mark).unwrap();
    assert_eq!((more.contents.events.len(), more.anew), (197, false));
    let last = log.read_since(more.mark).unwrap();
    assert_eq!((last.contents.events.len(), last.anew, last.mark), (0, false, more.mark));
    // A torn line is not counted as read.
    let whole = std::fs::read(log.path()).unwrap();
    std::fs::write(log.path(), [&whole[..], b"{\"id\":\"to"].concat()).unwrap();
    let torn = log.read_since(more.mark).unwrap();
    assert_eq!((torn.contents.events.len(), torn.contents.torn, torn.mark), (0, true, more.mark));
    // Compaction puts another log in its place.
    log.compact(&folder.path().join("archive"), |events| {
        events.iter().map(|one| one.body["n"] == 7).collect()
    })
    .unwrap();
    let anew = log.read_since(more.mark).unwrap();
    assert_eq!((anew.contents.events.len(), anew.anew), (1, true));
}

#[test]
fn a_compaction_that_was_cut_off_is_done_again_without_a_double() {
    let folder = tempfile::tempdir().unwrap();
    let (log, archive) = (Log::at(folder.path().join("project.jsonl")), folder.path().join("archive"));
    log.append(&(0..10).map(event).collect::<Vec<_>>()).unwrap();
    let before = std::fs::read(log.path()).unwrap();
    let keep = |events: &[Event]| events.iter().map(|one| one.body["n"].as_u64().unwrap() >= 6).collect();
    log.compact(&archive, keep).unwrap();
    // As if the machine had stopped before the log was replaced.
    std::fs::write(log.path(), &before).unwrap();
    log.append(&[event(10)]).unwrap();
    let done = log.compact(&archive, keep).unwrap();
    assert_eq!((done.kept, done.archived), (5, 6));
    let mut all: Vec<u64> = Vec::new();
    for entry in std::fs::read_dir(&archive).unwrap() {
        let old = Log::at(entry.unwrap().path());
        all.extend(old.read().unwrap().events.iter().map(|one| one.body["n"].as_u64().unwrap()));
    }
    all.extend(log.read().unwrap().events.iter().map(|one| one.body["n"].as_u64().unwrap()));
    all.sort_unstable();
    assert_eq!(all, (0..=10).collect::<Vec<u64>>());
}

/// What happens to a log: somebody appends, a writer is cut off in the middle of a line, old events are archived.
#[derive(Debug, Clone)]
enum Happens {
    Append { writer: u64, events: u64 },
    CutOff { bytes: usize },
    Compact { keep_one_in: u64 },
}

fn happens() -> impl Strategy<Value = Happens> {
    prop_oneof![
        4 => (0_u64..4, 1_u64..4).prop_map(|(writer, events)| Happens::Append { writer, events }),
        1 => (1_usize..80).prop_map(|bytes| Happens::CutOff { bytes }),
        1 => (1_u64..5).prop_map(|keep_one_in| Happens::Compact { keep_one_in }),
    ]
}

proptest! {
    /// No writer can lose another writer's fact, whatever else happens to the log.
    #[test]
    fn every_fact_of_every_writer_is_there_once(story in prop::collection::vec(happens(), 1..40)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("project.jsonl");
        let archive = folder.path().join("archive");
        let mut told: Vec<u64> = Vec::new();
        for (at, one) in story.iter().enumerate() {
            match one {
                Happens::Append { writer, events } => {
                    let numbers: Vec<u64> =
                        (0..*events).map(|one| writer * 1_000_000 + at as u64 * 10 + one).collect();
                    Log::at(&path).append(&numbers.iter().map(|one| event(*one)).collect::<Vec<_>>()).unwrap();
                    told.extend(numbers);
                }
                Happens::CutOff { bytes } => {
                    let line = serde_json::to_vec(&event(999)).unwrap();
                    let cut = &line[..(*bytes).min(line.len() - 1)];
                    let mut file = std::fs::OpenOptions::new().append(true).create(true).open(&path).unwrap();
                    file.write_all(cut).unwrap();
                }
                Happens::Compact { keep_one_in } => {
                    let keep = |events: &[Event]| -> Vec<bool> {
                        events.iter().map(|one| one.body["n"].as_u64().unwrap().is_multiple_of(*keep_one_in)).collect()
                    };
                    Log::at(&path).compact(&archive, keep).unwrap();
                }
            }
        }
        let mut found: Vec<u64> = Vec::new();
        let mut take = |log: &Log| found.extend(log.read().unwrap().events.iter().map(|one| one.body["n"].as_u64().unwrap()));
        take(&Log::at(&path));
        for entry in std::fs::read_dir(&archive).into_iter().flatten().flatten() {
            take(&Log::at(entry.path()));
        }
        found.sort_unstable();
        told.sort_unstable();
        prop_assert_eq!(found, told);
    }
}
