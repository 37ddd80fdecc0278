//! `vib run`: what becomes of what was done in cards. The run itself is played through the public API. (AG2)

use std::path::Path;

use engine::run::evidence;
use engine::run::log::RunLog;
use engine::run::model::{CardStatus, RunEvent};
use engine::verification::{Caller, VerifyQuery};
use serde_json::Value;
use testkit::{Photo, Sandbox};

use super::played_run::{Played, engine};
use super::shop;

const LIST: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";

/// Replaces one line of the list.
fn change(line: usize, to: &str) -> String {
    let lines: Vec<&str> = LIST.lines().collect();
    let word = lines[line - 1];
    let context = |at: usize| lines.get(at).map(|line| format!(" {line}\n")).unwrap_or_default();
    let before = if line > 1 { context(line - 2) } else { String::new() };
    let after = context(line);
    let count = 1 + usize::from(!before.is_empty()) + usize::from(!after.is_empty());
    let start = if before.is_empty() { line } else { line - 1 };
    format!(
        "--- a/list.txt\n+++ b/list.txt\n@@ -{start},{count} +{start},{count} @@\n{before}-{word}\n+{to}\n{after}"
    )
}

/// Three cards on one file, each with its own line.
fn three_cards(shop: &Sandbox) -> String {
    let mut played = Played::begin(shop, &["c1", "c2", "c3"]);
    played.by_diffs("c1", &[&change(2, "TWO by c1")]);
    played.by_diffs("c2", &[&change(5, "FIVE by c2")]);
    played.by_diffs("c3", &[&change(9, "NINE by c3")]);
    played.end()
}

fn list_shop() -> Sandbox {
    let shop = shop().with_real_clock();
    shop.write("list.txt", LIST);
    shop
}

/// Without vib's own folder.
fn photo(root: &Path) -> Photo {
    let copy = tempfile::tempdir().unwrap();
    let tree = copy.path().join("tree");
    let status = std::process::Command::new("cp").arg("-a").arg(root).arg(&tree).status().unwrap();
    assert!(status.success());
    let _ = std::fs::remove_dir_all(tree.join(".vibelign"));
    Photo::of(&tree)
}

fn card<'v>(shown: &'v Value, id: &str) -> &'v Value {
    let cards = shown["cards"].as_array().unwrap();
    cards.iter().find(|card| card["id"] == id).unwrap()
}

#[test]
fn ag2_reverting_a_card_keeps_what_came_later_and_one_undo_takes_each_back() {
    let shop = list_shop();
    let start = photo(&shop.root());
    let run = three_cards(&shop);
    start.assert_same(&photo(&shop.root()));
    assert_eq!(shop.vib(&["run", "apply", &run]).code, 1, "nobody is there to say yes");
    let preview = shop.data(&["run", "apply", &run, "--dry-run"]);
    assert_eq!(preview["cards"].as_array().unwrap().len(), 3, "{preview}");
    start.assert_same(&photo(&shop.root()));
    let done = shop.data(&["run", "apply", &run, "--yes"]);
    assert_eq!((&done["paths"], &done["left"]), (&1.into(), &serde_json::json!([])), "{done}");
    let all = shop.read("list.txt");
    assert!(all.contains("TWO by c1") && all.contains("FIVE by c2") && all.contains("NINE by c3"), "{all}");
    let shown = shop.data(&["run", "show", &run]);
    assert_eq!(card(&shown, "c2")["status"], "done");
    assert_eq!(shop.error(&["run", "apply", &run, "--yes"])["code"], "nothing_waits");
    assert_eq!(shop.error(&["run", "apply", &format!("{run}/c2"), "--yes"])["code"], "already_applied");
    let landed = photo(&shop.root());

    let c2 = format!("{run}/c2");
    let preview = shop.data(&["run", "revert", &c2, "--dry-run"]);
    assert_eq!(preview["later"], serde_json::json!(["c3"]), "{preview}");
    shop.vib(&["run", "revert", &c2, "--yes"]).ok();
    let now = shop.read("list.txt");
    assert!(now.contains("TWO by c1") && now.contains("\nfive\n") && now.contains("NINE by c3"), "{now}");
    assert_eq!(card(&shop.data(&["run", "show", &run]), "c2")["status"], "reverted");
    // One step each, and one undo for each.
    shop.vib(&["undo", "--yes"]).ok();
    landed.assert_same(&photo(&shop.root()));
    shop.vib(&["undo", "--yes"]).ok();
    start.assert_same(&photo(&shop.root()));
    // What was taken back can be applied again.
    shop.vib(&["run", "apply", &c2, "--yes"]).ok();
    assert!(shop.read("list.txt").contains("FIVE by c2"));
}

#[test]
fn what_has_landed_through_its_run_is_not_asked_about_again_by_its_lane() {
    let shop = list_shop();
    let run = three_cards(&shop);
    shop.vib(&["run", "apply", &run, "--yes"]).ok();
    assert_eq!(shop.error(&["land", &run, "--yes"])["code"], "nothing_to_land");
    // Work goes on at the same line in the lane, and at another in the project.
    let lane = shop.data(&["lane", "open", &run])["folder"].as_str().unwrap().to_owned();
    let file = Path::new(&lane).join("list.txt");
    let text = std::fs::read_to_string(&file).unwrap().replace("FIVE by c2", "FIVE again");
    std::fs::write(&file, text).unwrap();
    shop.write("list.txt", shop.read("list.txt").replace("seven", "SEVEN"));
    shop.vib(&["land", &run, "--yes"]).ok();
    let now = shop.read("list.txt");
    assert!(now.contains("FIVE again") && now.contains("SEVEN") && now.contains("TWO by c1"), "{now}");
    // What was taken away by hand, and not by undo or revert, can be applied again.
    shop.write("list.txt", shop.read("list.txt").replace("TWO by c1", "two"));
    shop.vib(&["run", "apply", &format!("{run}/c1"), "--yes"]).ok();
    assert!(shop.read("list.txt").contains("TWO by c1"));
}

#[test]
fn files_of_every_kind_come_and_go_back_to_the_byte() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let shop = list_shop();
    shop.write("bin/tool", "#!/bin/sh\n");
    shop.write("old/deep/one.bin", b"\0\x01old");
    let start = photo(&shop.root());
    let mut played = Played::begin(&shop, &["c1"]);
    let lane = played.trunk();
    played.by_hand("c1", "a1", &lane, &|folder| {
        std::fs::remove_file(folder.join("README.md")).unwrap();
        std::fs::remove_dir_all(folder.join("old")).unwrap();
        let tool = folder.join("bin/tool");
        std::fs::set_permissions(&tool, std::fs::Permissions::from_mode(0o755)).unwrap();
        std::fs::create_dir_all(folder.join("new/deep")).unwrap();
        std::fs::write(folder.join("new/deep/two.bin"), b"\0\xff\xfenew").unwrap();
        symlink("deep/two.bin", folder.join("new/link")).unwrap();
        std::fs::rename(folder.join("src/login.js"), folder.join("src/로그인.js")).unwrap();
        std::fs::write(folder.join("no-end.txt"), "no newline at the end").unwrap();
    });
    let there = photo(&played.folder(&lane));
    let run = played.end();
    let c1 = format!("{run}/c1");
    shop.vib(&["run", "apply", &c1, "--yes"]).ok();
    there.assert_same(&photo(&shop.root()));
    shop.vib(&["run", "revert", &c1, "--yes"]).ok();
    start.assert_same(&photo(&shop.root()));
    assert_eq!(shop.data(&["run", "replay", &run])["same"], true);
}

#[test]
fn eight_cards_in_any_order_and_back_in_any_other() {
    let shop = list_shop();
    let long: String = (0..80).map(|line| format!("line {line}\n")).collect();
    shop.write("long.txt", &long);
    let start = photo(&shop.root());
    let ids: Vec<String> = (1..=8).map(|number| format!("c{number}")).collect();
    let names: Vec<&str> = ids.iter().map(String::as_str).collect();
    let mut played = Played::begin(&shop, &names);
    let lane = played.trunk();
    for (at, id) in names.iter().enumerate() {
        played.by_hand(id, "a1", &lane, &|folder| {
            let file = folder.join("long.txt");
            let text = std::fs::read_to_string(&file).unwrap();
            // Some change a line, some bring lines, some take one away.
            let (old, new) = match at % 3 {
                0 => (format!("line {}\n", at * 9 + 3), format!("changed by {id}\n")),
                1 => (format!("line {}\n", at * 9 + 3), format!("line {}\nmore\nby {id}\n", at * 9 + 3)),
                _ => (format!("line {}\n", at * 9 + 3), String::new()),
            };
            assert!(text.contains(&old));
            std::fs::write(&file, text.replace(&old, &new)).unwrap();
        });
    }
    let there = photo(&played.folder(&lane));
    let run = played.end();
    let (mut order, mut dice) = (names.clone(), 0x2545_f491_u64);
    let mut mix = |order: &mut Vec<&str>| {
        for at in (1..order.len()).rev() {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            order.swap(at, (dice >> 33) as usize % (at + 1));
        }
    };
    mix(&mut order);
    for id in &order {
        shop.vib(&["run", "apply", &format!("{run}/{id}"), "--yes", "--no-check"]).ok();
    }
    there.assert_same(&photo(&shop.root()));
    mix(&mut order);
    for id in &order {
        shop.vib(&["run", "revert", &format!("{run}/{id}"), "--yes"]).ok();
    }
    start.assert_same(&photo(&shop.root()));
}

#[test]
fn runs_that_begin_at_once_have_numbers_of_their_own() {
    let shop = list_shop();
    let from = shop.checkpoint("start");
    let ids: std::collections::BTreeSet<String> = std::thread::scope(|scope| {
        let begin = || {
            let started = RunEvent::Started {
                task: "at once".to_owned(),
                from: from.clone(),
                by: Vec::new(),
                attempts: 1,
                limits: engine::run::model::Limits::default(),
            };
            RunLog::create(&engine(&shop), started).unwrap().id().to_owned()
        };
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(begin)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(ids.len(), 8);
    assert_eq!(shop.data(&["run", "list"])["runs"].as_array().unwrap().len(), 8);
}

#[test]
fn ag2_a_hand_edit_in_between_is_named_and_nothing_is_changed() {
    let shop = list_shop();
    let run = three_cards(&shop);
    shop.vib(&["run", "apply", &run, "--yes"]).ok();
    let edited = shop.read("list.txt").replace("FIVE by c2", "five, by hand");
    shop.write("list.txt", &edited);
    let before = photo(&shop.root());
    let c2 = format!("{run}/c2");
    let error = shop.error(&["run", "revert", &c2, "--yes"]);
    let message = error["message"].as_str().unwrap();
    assert_eq!(error["code"], "overlaps");
    assert!(message.contains("`list.txt` line 5") && message.contains("by hand"), "{message}");
    before.assert_same(&photo(&shop.root()));
    assert_eq!(card(&shop.data(&["run", "show", &run]), "c2")["status"], "done");
    // Another place is no hindrance, and the edit stays.
    shop.vib(&["run", "revert", &format!("{run}/c1"), "--yes"]).ok();
    let now = shop.read("list.txt");
    assert!(now.contains("five, by hand") && now.contains("\ntwo\n"), "{now}");
}

#[test]
fn ag2_a_replay_gives_the_same_files_and_twice_one_hash() {
    let shop = list_shop();
    let run = three_cards(&shop);
    let before = photo(&shop.root());
    let one = shop.data(&["run", "replay", &run]);
    let two = shop.data(&["run", "replay", &run]);
    assert_eq!((&one["same"], &one["tree"]), (&true.into(), &two["tree"]), "{one} {two}");
    let shown = shop.data(&["run", "show", &run]);
    assert_eq!(one["tree"], card(&shown, "c3")["attempts"][0]["tree"]);
    assert_eq!(one["cards"][0]["diffs"], 1);
    before.assert_same(&photo(&shop.root()));
    let only = shop.data(&["run", "replay", &run, "--card", "c2"]);
    assert_eq!((only["cards"].as_array().unwrap().len(), &only["same"]), (1, &true.into()), "{only}");
    assert_eq!(only["tree"], card(&shown, "c2")["attempts"][0]["tree"]);
    // On another state the same is done, and nothing is said to be the same.
    shop.write("list.txt", LIST.replace("seven", "SEVEN"));
    let onto = shop.data(&["run", "replay", &run, "--onto", "now"]);
    assert_eq!((&onto["same"], &onto["cards"][2]["outcome"]), (&false.into(), &"done".into()), "{onto}");
}

#[test]
fn a_replay_that_differs_names_the_first_file() {
    let shop = list_shop();
    let mut played = Played::begin(&shop, &["c1"]);
    played.by_diffs("c1", &[&change(2, "TWO")]);
    let trunk = played.trunk();
    // A command changed a file, too, and no diff tells of it.
    played.by_hand("c1", "a1", &trunk, &|folder| std::fs::write(folder.join("src/zz.js"), "z\n").unwrap());
    let run = played.end();
    let output = shop.vib(&["run", "replay", &run, "--json"]);
    let outcome = &output.json()["data"]["cards"][0];
    assert_eq!(
        (output.code, &outcome["outcome"], &outcome["path"]),
        (1, &"differs".into(), &"src/zz.js".into())
    );
}

#[test]
fn a_card_out_of_order_comes_alone_where_it_can_and_says_what_it_comes_without() {
    let shop = list_shop();
    let run = three_cards(&shop);
    let preview = shop.data(&["run", "apply", &format!("{run}/c3"), "--dry-run"]);
    assert_eq!(preview["without"], serde_json::json!(["c1", "c2"]), "{preview}");
    shop.vib(&["run", "apply", &format!("{run}/c3"), "--yes"]).ok();
    let now = shop.read("list.txt");
    assert!(now.contains("NINE by c3") && now.contains("\ntwo\n") && now.contains("\nfive\n"), "{now}");
    shop.vib(&["run", "apply", &run, "--yes"]).ok();
    let now = shop.read("list.txt");
    assert!(now.contains("TWO by c1") && now.contains("FIVE by c2") && now.contains("NINE by c3"), "{now}");
}

#[test]
fn a_card_that_builds_on_another_is_refused_with_the_command_that_works() {
    let shop = list_shop();
    let mut played = Played::begin(&shop, &["c1", "c2"]);
    played.by_diffs("c1", &[&change(5, "FIVE by c1")]);
    played.by_diffs(
        "c2",
        &[&change(5, "FIVE by c1").replace("-five", "-FIVE by c1").replace("+FIVE by c1", "+5 by c2")],
    );
    let run = played.end();
    let error = shop.error(&["run", "apply", &format!("{run}/c2"), "--yes"]);
    assert_eq!(error["code"], "overlaps");
    assert!(error["next"].as_str().unwrap().contains(&format!("`vib run apply {run}`")), "{error}");
    assert_eq!(shop.read("list.txt"), LIST);
    shop.vib(&["run", "apply", &run, "--yes"]).ok();
    assert!(shop.read("list.txt").contains("5 by c2"));
    // The other way round it is the later card that is in the way.
    let error = shop.error(&["run", "revert", &format!("{run}/c1"), "--yes"]);
    assert_eq!(error["code"], "overlaps");
    assert!(error["next"].as_str().unwrap().contains(&format!("vib run revert {run}/c2")), "{error}");
}

#[test]
fn a_card_that_never_landed_is_taken_back_in_its_lane() {
    let shop = list_shop();
    let run = three_cards(&shop);
    let before = photo(&shop.root());
    let done = shop.data(&["run", "revert", &format!("{run}/c2"), "--yes"]);
    assert_eq!(done["in_lane"], run.as_str(), "{done}");
    before.assert_same(&photo(&shop.root()));
    let lane = shop.vib(&["lane", "diff", &run]).ok().stdout;
    assert!(lane.contains("NINE by c3") && !lane.contains("FIVE by c2"), "{lane}");
    shop.vib(&["run", "apply", &run, "--yes"]).ok();
    let now = shop.read("list.txt");
    assert!(now.contains("TWO by c1") && now.contains("\nfive\n") && now.contains("NINE by c3"), "{now}");
}

#[test]
fn best_of_two_lands_the_chosen_one_and_the_other_comes_back_bit_for_bit() {
    let shop = list_shop();
    let mut played = Played::begin(&shop, &["c1"]);
    let run = played.trunk();
    let (one, two) = (format!("{run}-c1-a1"), format!("{run}-c1-a2"));
    for lane in [&one, &two] {
        played.make(lane);
    }
    played.by_hand("c1", "a1", &one, &|folder| {
        std::fs::write(folder.join("list.txt"), "short\n").unwrap();
        std::fs::remove_file(folder.join("README.md")).unwrap();
    });
    played.by_hand("c1", "a2", &two, &|folder| std::fs::write(folder.join("made.txt"), "made\n").unwrap());
    let kept = photo(&played.folder(&one));
    assert_eq!(played.end(), run);
    assert_eq!(shop.error(&["run", "apply", &format!("{run}/c1"), "--yes"])["code"], "choose_attempt");
    shop.vib(&["run", "apply", &format!("{run}/c1/a2"), "--yes"]).ok();
    assert_eq!((shop.read("made.txt").as_str(), shop.exists("README.md")), ("made\n", true));
    let dropped = shop.data(&["run", "drop", &format!("{run}/c1/a1")]);
    assert_eq!(dropped["attempts"], serde_json::json!(["c1/a1"]), "{dropped}");
    assert_eq!(shop.error(&["run", "drop", &format!("{run}/c1/a1")])["code"], "nothing_to_drop");
    let back = shop.data(&["lane", "open", &one]);
    kept.assert_same(&photo(Path::new(back["folder"].as_str().unwrap())));
    // The rest of the run, and back again.
    shop.vib(&["run", "drop", &run]).ok();
    let back = shop.data(&["lane", "open", &one]);
    kept.assert_same(&photo(Path::new(back["folder"].as_str().unwrap())));
    assert_eq!(card(&shop.data(&["run", "show", &run]), "c1")["status"], "done");
}

#[test]
fn a_dropped_attempt_can_still_be_applied_from_what_is_kept() {
    let shop = list_shop();
    let run = three_cards(&shop);
    assert_eq!(shop.error(&["run", "drop", &format!("{run}/c2")])["code"], "shared_lane");
    shop.vib(&["run", "drop", &run]).ok();
    assert_eq!(card(&shop.data(&["run", "show", &run]), "c2")["status"], "dropped");
    shop.vib(&["run", "apply", &format!("{run}/c2"), "--yes"]).ok();
    assert!(shop.read("list.txt").contains("FIVE by c2"));
}

#[test]
fn somebody_at_work_is_named_and_can_be_asked_to_end() {
    let shop = list_shop();
    let mut played = Played::begin(&shop, &["c1"]);
    played.by_diffs("c1", &[&change(2, "TWO")]);
    let run = played.trunk();
    let error = shop.error(&["run", "apply", &run, "--yes"]);
    assert_eq!(error["code"], "run_busy");
    assert!(error["message"].as_str().unwrap().contains(&std::process::id().to_string()), "{error}");
    assert_eq!(shop.data(&["run", "list"])["runs"][0]["running"], true);
    assert!(!played.log.stop_requested());
    assert_eq!(shop.data(&["run", "stop", &run])["asked"], true);
    assert!(played.log.stop_requested());
    // Whoever was at work has died without a word.
    drop(played);
    assert_eq!(shop.data(&["run", "stop", &run])["asked"], false);
    assert_eq!(shop.data(&["run", "show", &run])["ended"], "stopped");
    assert_eq!(shop.error(&["run", "stop", &run])["code"], "run_not_running");
    shop.vib(&["run", "apply", &run, "--yes"]).ok();
}

#[test]
fn what_is_not_there_is_said_with_a_next_step() {
    let shop = list_shop();
    assert_eq!(shop.vib(&["run", "list"]).ok().stdout, "There are no runs.\n");
    assert_eq!(shop.error(&["run", "show", "run7"])["code"], "no_such_run");
    assert_eq!(shop.error(&["run", "show", "../run7"])["code"], "bad_run_name");
    let run = three_cards(&shop);
    assert_eq!(shop.error(&["run", "apply", &format!("{run}/c9"), "--yes"])["code"], "no_such_card");
    assert_eq!(shop.error(&["run", "apply", &format!("{run}/c1/a9"), "--yes"])["code"], "no_such_attempt");
    assert_eq!(shop.vib(&["run", "revert", &run, "--yes"]).code, 2);
    assert_eq!(shop.vib(&["run"]).code, 2);
}

#[test]
fn ag2_a_card_without_anything_to_show_cannot_be_done() {
    let shop = list_shop();
    let mut played = Played::begin(&shop, &["c1"]);
    let done = |why: Option<&str>| RunEvent::Status {
        card: "c1".to_owned(),
        status: CardStatus::Done,
        code: None,
        why: why.map(str::to_owned),
    };
    assert_eq!(played.log.append(done(None)).unwrap_err().code(), "no_evidence");
    played.tell(done(Some("it is so already")));
    assert_eq!(played.log.run().cards[0].status, CardStatus::Done);
}

#[test]
fn the_log_goes_on_after_a_torn_line_and_after_one_of_a_newer_vib() {
    let shop = list_shop();
    let run = three_cards(&shop);
    let engine = engine(&shop);
    let file = engine.project().state().join("runs").join(&run).join("events.jsonl");
    let mut text = std::fs::read(&file).unwrap();
    let lines = text.iter().filter(|byte| **byte == b'\n').count();
    text.extend_from_slice(
        b"{\"at_ms\":1,\"event\":\"dreamt\",\"of\":\"sheep\"}\n{\"at_ms\":2,\"event\":\"end",
    );
    std::fs::write(&file, &text).unwrap();
    assert_eq!(card(&shop.data(&["run", "show", &run]), "c3")["status"], "preview");
    let mut log = RunLog::open(&engine, &run).unwrap();
    assert_eq!(log.events().len(), lines);
    log.append(RunEvent::Resumed { answer: None }).unwrap();
    drop(log);
    let after = std::fs::read(&file).unwrap();
    assert!(after.starts_with(&text), "nothing that was there is gone");
    assert_eq!(RunLog::open(&engine, &run).unwrap().events().len(), lines + 1);
    // Each run has a number of its own, and lanes of somebody else keep theirs.
    shop.vib(&["lane", "new", "run2"]).ok();
    let next = Played::begin(&shop, &["c1"]);
    assert_eq!(next.trunk(), "run3");
}

#[test]
fn artifacts_are_clean_small_and_written_anew() {
    let shop = list_shop();
    let mut played = Played::begin(&shop, &["c1"]);
    played.by_diffs("c1", &[&change(2, "TWO")]);
    // Put together here, so that no file of ours holds what looks like a key.
    let key = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    for n in 10..40 {
        played.tell(RunEvent::CommandRan {
            card: "c1".to_owned(),
            n,
            command: "make".to_owned(),
            exit: Some(1),
            milliseconds: 3,
            tail: format!("token {key}\n{}", "a long line of a log\n".repeat(2_000)),
        });
    }
    let run = played.end();
    let log = shop.read(&format!("../state/projects/{}/runs/{run}/events.jsonl", id(&shop)));
    assert!(!log.contains(&key));
    shop.vib(&["run", "apply", &run, "--yes"]).ok();
    for end in ["json", "md"] {
        let path = format!(".vibelign/artifacts/{run}/c1.{end}");
        let text = shop.read(&path);
        assert!(text.len() <= 256 * 1024 && text.contains("left out"), "{path}: {}", text.len());
        assert!(!text.contains(&key) && text.contains("list.txt"), "{path}");
        shop.remove(&path);
    }
    engine::run::artifacts::write(&engine(&shop), &run).unwrap();
    let text = shop.read(&format!(".vibelign/artifacts/{run}/c1.json"));
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["status"], "done");
    // Whoever puts a link there does not say where vib writes.
    let folder = shop.root().join(".vibelign/artifacts");
    std::fs::remove_dir_all(&folder).unwrap();
    std::os::unix::fs::symlink(shop.base().join("home"), &folder).unwrap();
    assert!(engine::run::artifacts::write(&engine(&shop), &run).is_err());
    assert_eq!(std::fs::read_dir(shop.base().join("home")).unwrap().count(), 0);
}

fn id(shop: &Sandbox) -> String {
    engine(shop).project().id().to_string()
}

#[test]
fn evidence_is_what_vib_found_itself() {
    let shop = list_shop();
    shop.write("Makefile", "test:\n\t@sh check.sh\n");
    shop.write("check.sh", "grep -q ok a.txt || { echo 'not ok 1 - a'; exit 1; }\n");
    shop.write("a.txt", "ok\n");
    shop.write(
        "test_list.py",
        "def test_one():\n    assert 1 + 1 == 2\n\n\ndef test_two():\n    assert 2 + 2 == 4\n",
    );
    shop.vib(&["verify", "--profile", "standard", "--yes"]).ok();
    let mut played = Played::begin(&shop, &["c1"]);
    let lane = played.trunk();
    let found = |played: &Played| {
        let query = VerifyQuery { caller: Caller::of_process(), ..VerifyQuery::default() };
        let run = played.log.run();
        let before = run.cards[0].attempts[0].before.clone().unwrap();
        evidence::collect(&played.engine, &played.trunk(), &before, &query, &|| false, &store::Silent)
            .unwrap()
    };
    played.by_hand("c1", "a1", &lane, &|folder| std::fs::write(folder.join("b.txt"), "new\n").unwrap());
    let good = found(&played);
    assert_eq!((good.checks[0].status.as_str(), good.weakened.len()), ("passed", 0), "{good:?}");
    assert_eq!(good.files[0].path, "b.txt");
    played.tell(good.checked("c1", "a1"));
    assert!(played.log.run().cards[0].attempts[0].is_proven());
    // The cheat deletes a test, the breaker breaks what the check looks at.
    let folder = played.folder(&lane);
    std::fs::write(folder.join("test_list.py"), "def test_one():\n    assert 1 + 1 == 2\n").unwrap();
    std::fs::write(folder.join("a.txt"), "bad\n").unwrap();
    let bad = found(&played);
    assert_eq!(bad.checks[0].status, "failed", "{bad:?}");
    assert!(bad.weakened.iter().any(|one| one.starts_with("test-deleted test_list.py")), "{bad:?}");
    assert_ne!(good.tree, bad.tree);
}

#[test]
fn checks_decide_where_nobody_looks() {
    let shop = list_shop();
    shop.write("Makefile", "test:\n\t@grep -q ten list.txt\n");
    shop.vib(&["verify", "--profile", "standard", "--yes"]).ok();
    let mut played = Played::begin(&shop, &["c1"]);
    played.by_diffs("c1", &[&change(10, "eleven")]);
    let run = played.end();
    assert_eq!(shop.error(&["run", "apply", &run, "--yes"])["code"], "checks_fail");
    assert_eq!(shop.read("list.txt"), LIST);
    shop.vib(&["run", "apply", &run, "--yes", "--no-check"]).ok();
    assert!(shop.read("list.txt").contains("eleven"));
}

#[test]
fn an_agent_may_look_and_nothing_else() {
    let shop = list_shop();
    let run = three_cards(&shop);
    let c1 = format!("{run}/c1");
    let as_agent = |words: &[&str]| Sandbox::run(shop.command(words).env("CLAUDECODE", "1"));
    for words in [
        &["run", "apply", &run, "--yes", "--json"][..],
        &["run", "revert", &c1, "--yes", "--json"],
        &["run", "drop", &run, "--json"],
    ] {
        let output = as_agent(words);
        assert_eq!((output.code, &output.json()["error"]["code"]), (1, &"needs_person".into()), "{words:?}");
    }
    assert_eq!(shop.read("list.txt"), LIST);
    as_agent(&["run", "apply", &run, "--dry-run"]).ok();
    as_agent(&["run", "show", &run]).ok();
}

/// The first line without the age.
fn without_age(text: &str) -> String {
    let (first, rest) = text.split_once('\n').unwrap();
    format!("{}\n{rest}", first.split_whitespace().next().unwrap())
}

#[test]
fn what_a_person_reads() {
    let shop = list_shop();
    let run = three_cards(&shop);
    let mut told = without_age(&shop.vib(&["run", "list"]).ok().stdout);
    told.push_str("----\n");
    told.push_str(&without_age(&shop.vib(&["run", "show", &run]).ok().stdout));
    told.push_str("----\n");
    told.push_str(&shop.vib(&["run", "apply", &format!("{run}/c2"), "--dry-run"]).ok().stdout);
    told.push_str("----\n");
    let replayed = shop.vib(&["run", "replay", &run]).ok().stdout;
    told.extend(replayed.lines().filter(|line| line.len() != 64).map(|line| format!("{line}\n")));
    told.push_str("----\n");
    told.push_str(&shop.vib(&["run", "drop", &run]).ok().stdout);
    insta::assert_snapshot!(told, @"
    run1
      make the list longer
      0 of 3 cards done; 3 wait for you; ended: done
    ----
    run1
    make the list longer
    ended: done

    run1/c1  waits for your yes  card c1
      a1  vib (scripted/one); done; 1 file (+1 −1)

    run1/c2  waits for your yes  card c2
      a1  vib (scripted/one); done; 1 file (+1 −1)

    run1/c3  waits for your yes  card c3
      a1  vib (scripted/one); done; 1 file (+1 −1)
    `vib run apply run1` shows what waits and brings it to your project.
    ----
    c2  card c2
    Applying run1/c2 would change in your project:
      changed  list.txt  +1 -1
    1 file, 1 line added, 1 line removed
    Changed since as well, and put together from both: list.txt
    note: c1 came before and is not in your project: this comes without it. `vib run apply run1` lands all that waits together.
    Nothing was changed. Run it again without `--dry-run` to do it.
    ----
    c1  the same files came out  card c1
    c2  the same files came out  card c2
    c3  the same files came out  card c3
    Nothing of your project was touched. The lane run1-replay-1 is put away; `vib lane open run1-replay-1` brings it back.
    ----
    run1 is put away, and everything of it is kept: c1/a1, c2/a1, c3/a1
      `vib lane open run1` brings it back.
    ");
}
