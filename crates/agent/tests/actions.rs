//! Actions one by one: what they answer, what they refuse, and when a person is asked.

use agent::script::{Script, Turn};
use agent::work::{WorkEnd, folder_of};
use engine::run::log::RunLog;
use engine::run::model::{CardStatus, RunEvent};
use serde_json::{Value, json};

use crate::world::{GOOD, How, Worked, World, begin, carry_on, done, edit, plan};

/// What the executor was told after each of its actions.
fn told(script: &Script) -> Vec<String> {
    let last = script.asked.iter().rev().find(|(name, _)| name == "c1/executor").unwrap();
    let parts = last.1.messages.iter().flat_map(|message| &message.parts);
    let results = parts.filter_map(|part| match part {
        providers::Part::Result { text, .. } => Some(text.clone()),
        _ => None,
    });
    results.collect()
}

fn play(world: &World, turns: Vec<Turn>, how: &How<'_>) -> (Worked, Vec<String>) {
    let engine = world.engine();
    let mut script = Script::new()
        .with("plan", [plan(&["Repair add"])])
        .with("c1/executor", turns)
        .with("c1/executor", [done("done")]);
    let worked = carry_on(&engine, begin(&engine, "Repair add"), &mut script, how);
    let told = told(&script);
    (worked, told)
}

fn call(name: &str, input: Value) -> Turn {
    Turn::call(name, input)
}

#[test]
fn read_numbers_lines_and_says_what_is_cut() {
    let world = World::new();
    world.write("project/long.txt", &(1..=5_000).map(|line| format!("line {line}\n")).collect::<String>());
    world.write("project/.env", "KEY=do-not-show\n");
    std::fs::write(world.path("project/photo.bin"), [0_u8, 159, 146, 150, 0, 1]).unwrap();
    std::os::unix::fs::symlink("/etc/hostname", world.path("project/away")).unwrap();
    let (_, told) = play(
        &world,
        vec![
            call("READ", json!({"path": "calc.py"})),
            call("READ", json!({"path": "long.txt", "offset": 4_000, "limit": 2})),
            call("READ", json!({"path": "long.txt", "tail": 1})),
            call("READ", json!({"path": "long.txt", "offset": 9_000})),
            call("READ", json!({"path": "photo.bin"})),
            call("READ", json!({"path": "away"})),
            call("READ", json!({"path": ".env"})),
            call("READ", json!({"path": "nothing.txt"})),
        ],
        &How::default(),
    );
    assert!(
        told[0].starts_with("calc.py: 6 lines, content ") && told[0].contains("     2\t    return a - b"),
        "{}",
        told[0]
    );
    assert!(
        told[1].contains("  4001\tline 4001\n… cut: 999 more lines, go on with offset 4002"),
        "{}",
        told[1]
    );
    assert!(told[2].contains("  5000\tline 5000") && !told[2].contains("4999"));
    for (at, code) in [(3, "out_of_range"), (4, "binary"), (5, "link"), (6, "sensitive"), (7, "not_found")] {
        assert!(
            told[at].starts_with(&format!("error: {code}\nmessage: ")) && told[at].contains("\nnext: "),
            "{}",
            told[at]
        );
    }
}

#[test]
fn grep_finds_in_order_and_leaves_out_what_is_ignored() {
    let world = World::new();
    world.write("project/.gitignore", "ignored.py\n");
    world.write("project/ignored.py", "needle\n");
    world.write("project/b.py", "first\nneedle one\nlast\n");
    world.write("project/a.py", "NEEDLE two\n");
    let (_, told) = play(
        &world,
        vec![
            call("GREP", json!({"q": "needle"})),
            call("GREP", json!({"q": "needle", "case": true, "context": 1})),
            call("GREP", json!({"q": "need(", "literal": false})),
            call("GREP", json!({"q": "n", "max": 1})),
            call("GREP", json!({"q": "needle", "globs": ["*.md"]})),
            call("GREP", json!({"q": "(((a{500}){500}){500})"})),
        ],
        &How::default(),
    );
    assert_eq!(told[0], "2 lines\na.py:1:NEEDLE two\nb.py:2:needle one\n");
    assert_eq!(told[1], "1 lines\nb.py-1-first\nb.py:2:needle one\nb.py-3-last\n");
    assert!(told[2].starts_with("error: bad_pattern"), "{}", told[2]);
    assert!(told[3].contains("… capped"), "{}", told[3]);
    assert_eq!(told[4], "nothing found\n");
    assert!(told[5].starts_with("error: bad_pattern"), "a pattern that is too large: {}", told[5]);
}

#[test]
fn commands_are_off_unless_a_person_switched_them_on() {
    let world = World::new();
    let turns = || vec![call("BASH", json!({"cmd": "printf made > made.txt"})), edit(GOOD)];
    let (worked, told) = play(&world, turns(), &How::default());
    assert!(told[0].starts_with("error: bash_is_off"), "{}", told[0]);
    assert_eq!(worked.count(|event| matches!(event, RunEvent::CommandRan { .. })), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_command_runs_in_the_lane_and_what_it_changed_is_written_down() {
    if !fence::kernel::kernel().is_there() {
        return;
    }
    let world = World::new();
    let engine = world.engine();
    let how = How { bash: true, ..How::default() };
    let (worked, told) = play(
        &world,
        vec![
            call("BASH", json!({"cmd": "printf 'made\\n' > made.txt; echo $HOME-${ANTHROPIC_API_KEY:-no}"})),
            call("BASH", json!({"cmd": "sleep 60", "seconds": 1})),
            call("BASH", json!({"cmd": "ls; false"})),
            edit(GOOD),
        ],
        &how,
    );
    assert!(told[0].starts_with("exit 0"), "{}", told[0]);
    assert!(told[1].starts_with("ended: it took too long"), "{}", told[1]);
    assert!(told[2].starts_with("exit 1") && told[2].contains("made.txt"), "{}", told[2]);
    assert_eq!(worked.patched(), 2, "the command's change, and the diff");
    let lane = folder_of(&engine, &worked.id).unwrap();
    assert_eq!(std::fs::read_to_string(lane.join("made.txt")).unwrap(), "made\n");
    assert!(!world.path("project/made.txt").exists());
    let commands = worked.run.cards[0].evidence.commands.clone();
    assert_eq!(commands.iter().map(|one| one.exit).collect::<Vec<_>>(), [Some(0), None, Some(1)]);
}

#[test]
fn a_diff_for_a_file_of_secrets_does_not_show_it() {
    let world = World::new();
    world.write("project/.env", "# settings\nDB_PASSWORD=sunshine\nDB_USER=somebody\n");
    let guess = "--- a/.env\n+++ b/.env\n@@ -1,3 +1,3 @@\n # settings\n-DB_PASSWORD=guess\n+DB_PASSWORD=other\n DB_USER=root\n";
    let (_, told) = play(&world, vec![edit(guess), edit(GOOD)], &How::default());
    assert!(told[0].starts_with("error: "), "{}", told[0]);
    assert!(!told[0].contains("sunshine") && !told[0].contains("somebody"), "{}", told[0]);
}

#[cfg(target_os = "linux")]
#[test]
fn no_command_shows_what_stands_in_a_file_of_secrets() {
    if !fence::kernel::kernel().is_there() {
        return;
    }
    let world = World::new();
    world.write("project/.env", "# settings\nDB_PASSWORD=sunshine\nPORT=8080\n");
    world.write("project/credentials.json", "{\n  \"pass\": \"blue-elephant\"\n}\n");
    world.write("project/show.sh", "f=.en\ncat ${f}v\n");
    let engine = world.engine();
    let refused = [
        "cat .env",
        "head -2 .env",
        "cat .e*",
        "git show HEAD:.env",
        "grep -h PASS .env",
        "node -e \"console.log(require('fs').readFileSync('.env','utf8'))\"",
        "a=.en; cat ${a}v",
    ];
    let filtered = ["grep -rh PASS .", "cat *", "sh show.sh", "cat * > all.txt; tail -n 40 all.txt"];
    let turns = refused.iter().chain(&filtered).map(|command| call("BASH", json!({"cmd": command})));
    let turns: Vec<Turn> = turns.chain([call("READ", json!({"path": "all.txt"})), edit(GOOD)]).collect();
    let count = turns.len() - 1;
    let mut script = Script::new()
        .with("plan", [plan(&["Repair add"])])
        .with("c1/executor", turns)
        .with("c1/executor", [done("done")]);
    let how = How { bash: true, ..How::default() };
    let worked = carry_on(&engine, begin(&engine, "Repair add"), &mut script, &how);
    assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Ready, "{:?}", worked.run.paused);
    let told = told(&script);
    for (command, told) in refused.iter().zip(&told) {
        assert!(told.starts_with("error: sensitive"), "{command}: {told}");
    }
    assert!(
        told[refused.len()..count].iter().any(|text| text.contains("[hidden: stands in .env]")),
        "{told:?}"
    );
    let asked = format!("{:?}", script.asked);
    let log =
        std::fs::read_to_string(engine.project().state().join("runs").join(&worked.id).join("events.jsonl"))
            .unwrap();
    for word in ["sunshine", "blue-elephant"] {
        assert!(!asked.contains(word), "the model is told {word}: {told:?}");
        assert!(!log.contains(word), "the log holds {word}: {log}");
    }
    let artifacts = world.path("project/.vibelign/artifacts").join(&worked.id);
    for file in std::fs::read_dir(artifacts).into_iter().flatten().flatten() {
        let text = std::fs::read_to_string(file.path()).unwrap();
        assert!(!text.contains("sunshine") && !text.contains("blue-elephant"), "{text}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_approved_is_what_is_run_also_where_its_text_names_places() {
    if !fence::kernel::kernel().is_there() {
        return;
    }
    let world = World::new();
    let engine = world.engine();
    let command = format!("echo made > {}/made.txt", world.path("home").display());
    let script = || {
        Script::new()
            .with("plan", [plan(&["Repair add"])])
            .with("c1/executor", [call("BASH", json!({"cmd": command})), edit(GOOD), done("done")])
    };
    let how = How { bash: true, ..How::default() };
    let worked = carry_on(&engine, begin(&engine, "Repair add"), &mut script(), &how);
    assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Paused, "{:?}", worked.events);
    let pause = worked.run.paused.clone().unwrap();
    assert!(pause.why.contains(&command), "the person sees all of it: {pause:?}");
    if person::require(engine.context(), "try it", &person::nobody).is_err() {
        return;
    }
    let mut again = script();
    let log = RunLog::open(&engine, &worked.id).unwrap();
    let worked = carry_on(&engine, log, &mut again, &How { answer: Some("yes"), ..how });
    assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Ready, "{:?}", worked.events);
    let ran = &worked.run.cards[0].evidence.commands;
    assert_eq!(ran.len(), 1, "it is run once, after the yes: {ran:?}");
    assert_eq!(ran[0].command, command);
    assert_eq!(again.asked.len(), 2, "and the model is not asked for it again");
}

#[cfg(target_os = "linux")]
#[test]
fn what_the_judge_asks_about_waits_for_a_person_and_the_fence_keeps_the_project() {
    if !fence::kernel::kernel().is_there() {
        return;
    }
    let world = World::new();
    let engine = world.engine();
    let outside = world.path("project/calc.py");
    // Text in a payload: it is judged, and behind the fence.
    let command = format!("echo broken > {}", outside.display());
    let mut script = Script::new()
        .with("plan", [plan(&["Repair add"])])
        .with("c1/executor", [call("BASH", json!({"cmd": command})), edit(GOOD), done("done")]);
    let how = How { bash: true, ..How::default() };
    let worked = carry_on(&engine, begin(&engine, "Repair add"), &mut script, &how);
    let before = std::fs::read(&outside).unwrap();
    let is_asked = worked.ended.as_ref().unwrap() == &WorkEnd::Paused;
    if is_asked {
        let pause = worked.run.paused.clone().unwrap();
        assert_eq!((pause.code.as_str(), pause.options.len()), ("approval", 2), "{pause:?}");
        let log = RunLog::open(&engine, &worked.id).unwrap();
        let how = How { bash: true, answer: Some("yes"), ..How::default() };
        let worked = carry_on(&engine, log, &mut script, &how);
        assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Ready);
    }
    assert_eq!(std::fs::read(&outside).unwrap(), before, "nothing outside the lane is written");
    let ran = told(&script);
    assert!(ran[0].starts_with("error: ") || !ran[0].starts_with("exit 0"), "{}", ran[0]);
}

#[test]
fn lines_that_are_kept_wait_for_a_person() {
    let world = World::new();
    let engine = world.engine();
    world.write("project/kept.py", "# VIBE-KEEP START price\nPRICE = 10\n# VIBE-KEEP END price\n");
    let diff = "--- a/kept.py\n+++ b/kept.py\n@@ -1,3 +1,3 @@\n # VIBE-KEEP START price\n-PRICE = 10\n+PRICE = 12\n # VIBE-KEEP END price\n";
    let script = || {
        Script::new().with("plan", [plan(&["Change the price"])]).with(
            "c1/executor",
            [
                edit(diff),
                call("EDIT_DIFF", json!({"diff": diff, "keepRegions": false, "reason": "the price changed"})),
                edit(GOOD),
                done("done"),
            ],
        )
    };
    let worked = carry_on(&engine, begin(&engine, "Change the price"), &mut script(), &How::default());
    assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Paused, "{:?}", worked.events);
    let pause = worked.run.paused.clone().unwrap();
    assert_eq!(pause.code, "keep_region", "{pause:?}");
    assert_eq!(worked.patched(), 0);
    let log = RunLog::open(&engine, &worked.id).unwrap();
    let mut again = script();
    let how = How { answer: Some("no, leave it"), ..How::default() };
    let worked = carry_on(&engine, log, &mut again, &how);
    assert_eq!((worked.ended.as_ref().unwrap(), worked.patched()), (&WorkEnd::Ready, 1));
    assert_eq!(worked.run.cards[0].status, CardStatus::Preview, "{:?}", worked.run.cards[0]);
    assert!(told(&again)[1].starts_with("error: declined"), "{:?}", told(&again));
    if person::require(engine.context(), "try it", &person::nobody).is_ok() {
        let worked = carry_on(&engine, begin(&engine, "Change the price"), &mut script(), &How::default());
        let log = RunLog::open(&engine, &worked.id).unwrap();
        let how = How { answer: Some("yes"), ..How::default() };
        let worked = carry_on(&engine, log, &mut script(), &how);
        assert_eq!((worked.ended.as_ref().unwrap(), worked.patched()), (&WorkEnd::Ready, 2));
    }
}
