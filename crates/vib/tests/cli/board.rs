//! `vib board`: the board of runs, printed and in a terminal.

use std::path::PathBuf;

use engine::run::model::{
    By, CardRisk, CardStatus, CheckEvidence, FileChange, Limits, Logged, PlannedCard, RunEvent,
};
use testkit::Sandbox;

use super::shop;
use super::terminal::Terminal;

/// Writes a run down as whoever works on it does.
fn write_run(shop: &Sandbox, name: &str, events: Vec<RunEvent>) {
    shop.vib(&["checkpoint", "-m", "works"]).ok();
    let projects = shop.state().join("projects");
    let mut ids = std::fs::read_dir(projects).unwrap().flatten().map(|entry| entry.path());
    let project: PathBuf = ids.find(|path| path.join("store.db").exists()).unwrap();
    let folder = project.join("runs").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let mut text = String::new();
    for event in events {
        text.push_str(&serde_json::to_string(&Logged { at_ms: 1_000, event }).unwrap());
        text.push('\n');
    }
    std::fs::write(folder.join("events.jsonl"), text).unwrap();
}

fn a_run() -> Vec<RunEvent> {
    let (card, attempt) = ("c1".to_owned(), "a1".to_owned());
    let planned = |id: &str, title: &str| PlannedCard {
        id: id.to_owned(),
        title: title.to_owned(),
        acceptance: Vec::new(),
        steps: Vec::new(),
    };
    vec![
        RunEvent::Started {
            task: "Make the shop better".to_owned(),
            from: "bcdfghjk".to_owned(),
            by: vec![By::Client { name: "codex".to_owned() }],
            attempts: 1,
            limits: Limits::default(),
        },
        RunEvent::Planned { cards: vec![planned("c1", "Add a total"), planned("c2", "Show prices")] },
        RunEvent::AttemptBegan {
            card: card.clone(),
            attempt: attempt.clone(),
            by: By::Client { name: "codex".to_owned() },
            lane: "run1".to_owned(),
            before: "bcdfghjk".to_owned(),
        },
        RunEvent::AttemptEnded {
            card: card.clone(),
            attempt: attempt.clone(),
            ended: "done".to_owned(),
            text: "done".to_owned(),
            after: "bcdfghjl".to_owned(),
            tree: "t".to_owned(),
            files: vec![FileChange { path: "src/cart.js".to_owned(), added: 3, removed: 1 }],
            tokens: None,
            dollars: Some(0.12),
            milliseconds: 1_000,
        },
        RunEvent::Checked {
            card: card.clone(),
            attempt,
            tree: "t".to_owned(),
            checks: vec![CheckEvidence {
                command: "npm test".to_owned(),
                status: "passed".to_owned(),
                exit: Some(0),
                milliseconds: 900,
                tail: String::new(),
            }],
            findings: Vec::new(),
            weakened: Vec::new(),
        },
        RunEvent::Meta {
            card: card.clone(),
            risk: CardRisk::Low,
            note: "fine".to_owned(),
            assumptions: Vec::new(),
        },
        RunEvent::Status { card, status: CardStatus::Preview, code: None, why: None },
        RunEvent::Paused {
            card: Some("c2".to_owned()),
            code: "question".to_owned(),
            why: "Which currency?".to_owned(),
            options: Vec::new(),
        },
    ]
}

/// Without the ages, which depend on the day.
fn without_ages(text: &str) -> String {
    let line = |line: &str| match line.rfind(" · ") {
        Some(at) if line.ends_with("ago") => line[..at].to_owned(),
        _ => line.to_owned(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn ui6_where_there_is_no_terminal_the_board_is_printed() {
    let shop = shop();
    let text = shop.vib(&["board"]).ok().stdout;
    assert!(text.starts_with("There are no runs yet."), "{text}");
    write_run(&shop, "run1", a_run());
    insta::assert_snapshot!(without_ages(&shop.vib(&["board"]).ok().stdout), @r"
    ! run1 · Which currency? · vib run resume run1
    To do 1
      Show prices
        run1/c2
    Preview 1
      Add a total
        run1/c1 · 1 file +3 −1 · ✓ checks pass · low risk · $0.12
    ");
}

#[test]
fn ui6_programs_get_one_object() {
    let shop = shop();
    write_run(&shop, "run1", a_run());
    let board = shop.vib(&["board", "--json"]).ok().json();
    let columns = board["data"]["columns"].as_array().unwrap();
    let words: Vec<_> = columns.iter().map(|column| column["status"].as_str().unwrap()).collect();
    assert_eq!(words, ["todo", "running", "preview", "review", "done", "blocked"]);
    let card = &columns[2]["cards"][0];
    assert_eq!((card["title"].as_str(), card["check"].as_str()), (Some("Add a total"), Some("passed")));
    assert_eq!((card["added"].as_u64(), card["dollars"].as_f64()), (Some(3), Some(0.12)));
    assert_eq!(board["data"]["waiting"][0]["why"], "Which currency?");
    assert_eq!(board["data"]["put_away"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_log_that_was_cut_off_or_is_from_later_is_no_error() {
    let shop = shop();
    write_run(&shop, "run1", a_run());
    write_run(&shop, "run2", Vec::new());
    write_run(&shop, "run3", vec![RunEvent::Ended { why: "stopped".to_owned() }]);
    let board = shop.vib(&["board", "--json"]).ok().json();
    let runs: Vec<_> =
        board["data"]["runs"].as_array().unwrap().iter().map(|run| run["id"].clone()).collect();
    assert_eq!(runs, ["run3", "run1"]);
}

const ENTERED: &str = "\u{1b}[?1049h";
const LEFT: &str = "\u{1b}[?1049l";

#[test]
fn ui6_in_a_terminal_it_is_walked_with_keys_and_given_back() {
    let shop = shop();
    write_run(&shop, "run1", a_run());
    // Left, right, open the card, back, help, out of it, end.
    let seen = Terminal::new(24, 80).run_with_keys(&mut shop.command(&["board"]), "hl\r\u{1b}[D??q");
    assert!(seen.contains(ENTERED) && seen.contains(LEFT), "{seen:?}");
    // Only what changes is written, word by word: the question, the evidence, the help, the command.
    for word in ["currency?", "codex", "PgDn"] {
        assert!(seen.contains(word), "{word}: {seen:?}");
    }
    let after = seen.rsplit(LEFT).next().unwrap();
    assert!(!after.contains("Add a total"), "nothing is left on the usual screen: {after:?}");
}

#[test]
fn no_color_is_honoured_in_the_terminal() {
    let shop = shop();
    write_run(&shop, "run1", a_run());
    let seen = |plain: &str| {
        let mut command = shop.command(&["board"]);
        command.env("TERM", "xterm-256color").env("NO_COLOR", plain);
        Terminal::new(24, 80).run_with_keys(&mut command, "q")
    };
    let is_painted = |seen: &str| seen.contains("\u{1b}[38;5;") || seen.contains("\u{1b}[32m");
    assert!(is_painted(&seen("")), "else this test could not fail");
    let plain = seen("1");
    assert!(!is_painted(&plain) && plain.contains("total"), "{plain:?}");
}

#[test]
fn a_signal_gives_the_terminal_back() {
    let shop = shop();
    write_run(&shop, "run1", a_run());
    let mut command = shop.command(&["board"]);
    let seen = Terminal::new(24, 80).run_and_end(&mut command, "currency?");
    assert!(seen.contains(ENTERED) && seen.trim_end().contains(LEFT), "{seen:?}");
}
