//! Many writers of one memory log, killed at any moment: what was acknowledged is there, once; views come back byte for byte (MM1, MM11)

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use memory::log::{Event, Log, Provenance, Scope};
use serde_json::{Value, json};
use testkit::Sandbox;

use super::{Dice, sandbox};

const WRITERS: u64 = 8;
const EACH: u64 = 1_000;
const KILLS_EACH: u64 = 25;

fn event(writer: u64, number: u64) -> Event {
    let mut random = [0; 10];
    random[..8].copy_from_slice(&(writer * 1_000_000 + number).to_le_bytes());
    // What a person says, and what is only seen: both kinds have to survive.
    let (kind, provenance, body) = if number.is_multiple_of(4) {
        ("decision", Provenance::Explicit, json!({"text": format!("{writer} decides {number}")}))
    } else {
        ("edit", Provenance::Observed, json!({"paths": [format!("src/{writer}/{number}.rs")]}))
    };
    let time = 1_767_268_800_000 + i64::try_from(number % 1_000).expect("small");
    Event::new(time, random, Scope::Project, kind, provenance, body)
}

/// Runs in processes of its own, started by the test below: appends, and says each id after it was acknowledged.
#[test]
fn writer_process() {
    let get = |name: &str| std::env::var(name).ok();
    let Some(path) = get("MEMORY_LOG") else {
        return;
    };
    let number = |name: &str| get(name).unwrap().parse::<u64>().unwrap();
    let (writer, from, count, pause) =
        (number("MEMORY_WRITER"), number("MEMORY_FROM"), number("MEMORY_COUNT"), number("MEMORY_PAUSE"));
    let log = Log::at(path);
    let mut out = std::io::stdout().lock();
    for number in from..from + count {
        let event = event(writer, number);
        log.append(std::slice::from_ref(&event)).unwrap();
        writeln!(out, "told {number} {}", event.id).unwrap();
        out.flush().unwrap();
        std::thread::sleep(std::time::Duration::from_micros(pause));
    }
}

/// One writer, killed and started again until it has told all; returns the ids that were acknowledged.
fn lane(log: &Path, writer: u64) -> Vec<String> {
    let mut dice = Dice(0x9e37_79b9 + writer);
    let (mut told, mut from, mut kills) = (Vec::new(), 0, 0);
    while kills < KILLS_EACH || (told.len() as u64) < EACH {
        let hunted = kills < KILLS_EACH;
        let count = EACH.saturating_sub(told.len() as u64).max(300);
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "memory_log::writer_process", "--nocapture"])
            .env("MEMORY_LOG", log)
            .env("MEMORY_WRITER", writer.to_string())
            .env("MEMORY_FROM", from.to_string())
            .env("MEMORY_COUNT", count.to_string())
            // The one who is hunted must not be done before the hunter has read its first words.
            .env("MEMORY_PAUSE", if hunted { "20" } else { "0" })
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let until = if hunted { 1 + dice.roll(15) } else { u64::MAX };
        let mut seen = 0;
        for line in BufReader::new(child.stdout.take().unwrap()).lines() {
            let Ok(line) = line else { break };
            // The first line of a test run stands before our own.
            let Some((_, words)) = line.split_once("told ") else { continue };
            let Some((_, id)) = words.split_once(' ').filter(|(_, id)| id.len() == 36) else { continue };
            told.push(id.to_owned());
            seen += 1;
            if seen == until {
                // At any moment of the next appends, not only right after a word.
                std::thread::sleep(std::time::Duration::from_micros(dice.roll(2_000)));
                let _ = child.kill();
            }
        }
        kills += u64::from(child.wait().unwrap().code().is_none());
        // What was written and not told any more was not acknowledged: the next process says something else.
        from += count;
    }
    told
}

#[test]
fn eight_writers_with_a_thousand_events_each_and_two_hundred_kills_mm1() {
    let project = sandbox();
    project.vib(&["memory", "intent", "survive"]).ok();
    let path = project.store().join("memory/project.jsonl");
    let told: Vec<String> = std::thread::scope(|scope| {
        let lanes: Vec<_> = (1..=WRITERS)
            .map(|writer| {
                let path = &path;
                scope.spawn(move || lane(path, writer))
            })
            .collect();
        lanes.into_iter().flat_map(|lane| lane.join().unwrap()).collect()
    });
    assert!(told.len() as u64 >= WRITERS * EACH, "{}", told.len());
    let contents = Log::at(&path).read().unwrap();
    assert!(contents.bad.is_empty(), "{:?}", contents.bad);
    let ids: HashSet<&str> = contents.events.iter().map(|event| event.id.as_str()).collect();
    assert_eq!(ids.len(), contents.events.len(), "every event is there once");
    eprintln!("{} acknowledged, {} in the log", told.len(), ids.len());
    for id in &told {
        assert!(ids.contains(id.as_str()), "{id} was acknowledged and is gone");
    }
    views_come_back_the_same(&project);
    // Compaction keeps every word of a person and every event somewhere.
    let explicit =
        |events: &[Event]| events.iter().filter(|event| event.provenance == Provenance::Explicit).count();
    let said = explicit(&contents.events);
    project.vib(&["memory", "compact"]).ok();
    assert_eq!(explicit(&Log::at(&path).read().unwrap().events), said);
    let exported = project.data(&["memory", "export", "--raw", "../all.jsonl"]);
    assert_eq!(exported["events"], contents.events.len());
    views_come_back_the_same(&project);
}

fn views_come_back_the_same(project: &Sandbox) {
    let view = project.store().join("memory/work_memory.json");
    project.vib(&["memory", "rebuild"]).ok();
    let first = std::fs::read(&view).unwrap();
    std::fs::remove_file(&view).unwrap();
    project.vib(&["memory", "rebuild"]).ok();
    assert_eq!(std::fs::read(&view).unwrap(), first);
    let shown: Value = serde_json::from_slice(&first).unwrap();
    assert_eq!(shown["decisions"].as_array().map(Vec::len), Some(50));
}

/// Compaction and writers at the same time: nothing falls between the log and its archive.
#[test]
fn a_log_that_is_compacted_while_others_write_loses_nothing_mm5() {
    let project = sandbox();
    project.vib(&["memory", "intent", "survive"]).ok();
    let (path, archive) =
        (project.store().join("memory/project.jsonl"), project.store().join("memory/archive"));
    std::thread::scope(|scope| {
        for writer in 1..=4 {
            let path = &path;
            scope.spawn(move || {
                for number in 0..300 {
                    Log::at(path).append(&[event(writer, number)]).unwrap();
                }
            });
        }
        for _ in 0..10 {
            project.vib(&["memory", "compact"]).ok();
        }
    });
    let mut all: Vec<String> =
        Log::at(&path).read().unwrap().events.into_iter().map(|event| event.id).collect();
    for entry in std::fs::read_dir(archive)
        .unwrap()
        .flatten()
        .filter(|entry| entry.path().extension().is_some_and(|end| end == "jsonl"))
    {
        all.extend(Log::at(entry.path()).read().unwrap().events.into_iter().map(|event| event.id));
    }
    let once: HashSet<&String> = all.iter().collect();
    assert_eq!((all.len(), once.len()), (1 + 4 * 300, 1 + 4 * 300));
}
