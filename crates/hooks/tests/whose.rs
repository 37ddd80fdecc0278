//! Whose is a change? An edit owns what it announced, a command what can be shown to be its work, and everything else is by hand or said to
//! be doubtful: with refused, waiting, cut-off and interleaved calls of all kinds.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]
#![expect(clippy::needless_pass_by_value, reason = "payloads are made in place")]

use crate::world::World;
use engine::undo::{self, Options, Target};
use serde_json::{Value, json};
use store::{Actor, Ending, RequestNumber, Silent, StepNumber};
use vib_hooks::Client;

const F: &str = "f.txt";
const G: &str = "g.txt";

fn nine(name: &str) -> String {
    (1..=9).map(|line| format!("{name} {line}\n")).collect()
}

/// A project with two files of nine lines.
fn two_files() -> World {
    let world = World::new();
    world.write(F, &nine("f"));
    world.write(G, &nine("g"));
    world.claude("SessionStart", json!({"source": "startup"}));
    world.claude("UserPromptSubmit", json!({"prompt": "first"}));
    world
}

fn swap(world: &World, file: &str, old: &str, new: &str) {
    let text = std::fs::read_to_string(world.root.join(file)).unwrap();
    assert!(text.contains(old), "{text}");
    world.write(file, &text.replacen(old, new, 1));
}

fn read(world: &World, file: &str) -> String {
    std::fs::read_to_string(world.root.join(file)).unwrap_or_default()
}

fn edit(world: &World, file: &str, old: &str, new: &str, id: &str) -> Value {
    let input = json!({"file_path": world.root.join(file), "old_string": old, "new_string": new});
    json!({"tool_name": "Edit", "tool_use_id": id, "tool_input": input})
}

fn bash(command: &str, id: &str) -> Value {
    json!({"tool_name": "Bash", "tool_use_id": id, "tool_input": {"command": command}})
}

fn post(world: &World, call: &Value) {
    let mut call = call.clone();
    call["tool_response"] = json!({"stdout": "", "stderr": "", "interrupted": false});
    world.claude("PostToolUse", call);
}

/// A payload of Codex in a session of its own.
fn codex(world: &World, event: &str, more: Value) {
    let mut payload = json!({"session_id": "x", "turn_id": "x1", "cwd": world.root});
    payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    world.hook(Client::Codex, event, &payload);
}

fn codex_patch(world: &World, file: &str, old: &str, new: &str, id: &str) {
    let patch = format!("*** Begin Patch\n*** Update File: {file}\n@@\n-{old}\n+{new}\n*** End Patch");
    let call = json!({"tool_name": "apply_patch", "tool_use_id": id, "tool_input": {"command": patch}});
    codex(world, "PreToolUse", call.clone());
    swap(world, file, old, new);
    let mut call = call;
    call["tool_response"] = json!("Exit code: 0\nSuccess. Updated the following files:\nM f.txt\n");
    codex(world, "PostToolUse", call);
}

/// A path, and how many steps share the change of it.
type Changed = (String, usize);

/// What each step changed, and who it was.
fn told(world: &World) -> Vec<(String, Vec<Changed>)> {
    let engine = world.engine();
    let opened = engine.store(&Silent).unwrap();
    let steps = world.steps().into_iter().map(|(step, _)| {
        let who = match step.actor {
            Actor::ByHand => "hand".to_owned(),
            _ => format!(
                "{} {}",
                step.client.as_deref().unwrap_or("?"),
                step.call_id.as_deref().unwrap_or("?")
            ),
        };
        let changes = opened.store.changes_of(step.number).unwrap();
        let paths = changes.iter().map(|change| (change.path.to_string(), change.shared.len())).collect();
        (who, paths)
    });
    steps.collect()
}

fn changes_of(world: &World, who: &str) -> Vec<Changed> {
    told(world).into_iter().filter(|(name, _)| name == who).flat_map(|(_, paths)| paths).collect()
}

fn alone(paths: &[&str]) -> Vec<Changed> {
    paths.iter().map(|path| ((*path).to_owned(), 0)).collect()
}

/// Takes something back, and says which files were left.
fn take_back(world: &World, target: &Target) -> Result<Vec<String>, engine::Error> {
    let engine = world.engine();
    let preview = undo::preview(&engine, target, &Options::default(), &Silent)?;
    let yes = engine::person::require(&world.context(), engine::person::Act::GoBack, &engine::person::nobody);
    undo::apply(&engine, &preview, undo::Confirmation::Yes(yes.unwrap()), &Silent)?;
    Ok(preview.left().map(|conflict| conflict.path.to_string()).collect())
}

fn request(number: i64) -> Target {
    Target::Request(RequestNumber(number))
}

/// A patch that moves a file is one change: the old name goes and the new one comes, and taking it back brings the old one back.
#[test]
fn a_file_that_a_patch_moves_comes_back_under_its_old_name() {
    let world = two_files();
    codex(&world, "UserPromptSubmit", json!({"prompt": "move it"}));
    let patch = "*** Begin Patch\n*** Update File: f.txt\n*** Move to: sub/moved.txt\n@@\n-f 3\n+AGENT 3\n*** End Patch";
    let mut call = json!({"tool_name": "apply_patch", "tool_use_id": "m1", "tool_input": {"command": patch}});
    codex(&world, "PreToolUse", call.clone());
    std::fs::create_dir(world.root.join("sub")).unwrap();
    world.write("sub/moved.txt", &read(&world, F).replace("f 3", "AGENT 3"));
    std::fs::remove_file(world.root.join(F)).unwrap();
    call["tool_response"] = json!("Exit code: 0\nSuccess. Updated the following files:\nM sub/moved.txt\n");
    codex(&world, "PostToolUse", call);
    assert_eq!(changes_of(&world, "hand"), []);
    let changed: Vec<String> = changes_of(&world, "codex m1").into_iter().map(|(path, _)| path).collect();
    assert!(changed.contains(&F.to_owned()) && changed.contains(&"sub/moved.txt".to_owned()), "{changed:?}");
    assert!(take_back(&world, &request(2)).unwrap().is_empty());
    assert_eq!(read(&world, F), nine("f"));
    assert!(!world.root.join("sub/moved.txt").exists());
}

#[test]
fn what_is_typed_after_a_no_is_by_hand_b2() {
    let world = two_files();
    let refused = edit(&world, F, "f 3", "AGENT 3", "c1");
    world.claude("PreToolUse", refused);
    swap(&world, F, "f 7", "MINE 7");
    world.claude("UserPromptSubmit", json!({"prompt": "second", "prompt_id": "p2"}));
    let mut call = edit(&world, G, "g 2", "AGENT g 2", "c2");
    call["prompt_id"] = json!("p2");
    world.claude("PreToolUse", call.clone());
    swap(&world, G, "g 2", "AGENT g 2");
    post(&world, &call);
    assert_eq!(changes_of(&world, "claude-code c1"), []);
    assert_eq!(changes_of(&world, "hand"), alone(&[F]));
    assert_eq!(changes_of(&world, "claude-code c2"), alone(&[G]));
    assert!(matches!(take_back(&world, &request(1)), Err(engine::Error::NothingToUndo(_))));
    assert!(read(&world, F).contains("MINE 7"));
}

#[test]
fn what_is_typed_into_the_very_line_of_a_refused_edit_is_by_hand_b2() {
    let world = two_files();
    world.claude("PreToolUse", edit(&world, F, "f 3", "AGENT 3", "c1"));
    swap(&world, F, "f 3", "MINE 3");
    world.claude("Stop", json!({}));
    assert_eq!(changes_of(&world, "claude-code c1"), []);
    assert_eq!(changes_of(&world, "hand"), alone(&[F]));
}

#[test]
fn a_waiting_edit_takes_nothing_that_others_write_meanwhile_b3() {
    let world = two_files();
    let waits = edit(&world, F, "f 3", "AGENT 3", "c1");
    world.claude("PreToolUse", waits.clone());
    codex(&world, "SessionStart", json!({"source": "startup"}));
    codex(&world, "UserPromptSubmit", json!({"prompt": "codex"}));
    codex_patch(&world, F, "f 5", "CODEX 5", "x1");
    let sed = bash("sed -i 's/f 6/CODEX 6/' f.txt", "x2");
    codex(&world, "PreToolUse", sed.clone());
    swap(&world, F, "f 6", "CODEX 6");
    let mut ended = sed;
    ended["tool_response"] = json!("");
    codex(&world, "PostToolUse", ended);
    swap(&world, F, "f 8", "MINE 8");
    codex(&world, "Stop", json!({}));
    assert_eq!(changes_of(&world, "claude-code c1"), []);
    assert_eq!(changes_of(&world, "codex x1"), alone(&[F]));
    assert_eq!(changes_of(&world, "codex x2"), alone(&[F]));
    assert_eq!(changes_of(&world, "hand"), alone(&[F]));
    // Now the person says yes, and types once more before vib looks.
    swap(&world, F, "f 3", "AGENT 3");
    swap(&world, F, "f 9", "MINE 9");
    post(&world, &waits);
    world.claude("Stop", json!({}));
    assert_eq!(changes_of(&world, "claude-code c1"), alone(&[F]));
    assert_eq!(changes_of(&world, "hand"), alone(&[F, F]));
    assert_eq!(take_back(&world, &request(1)).unwrap(), Vec::<String>::new());
    let text = read(&world, F);
    assert!(text.contains("f 3\n") && text.contains("CODEX 5\nCODEX 6\nf 7\nMINE 8\nMINE 9\n"), "{text}");
}

#[test]
fn an_edit_whose_end_was_never_told_is_found_by_what_it_announced_m1() {
    let world = two_files();
    // The hook after it was killed.
    world.claude("PreToolUse", edit(&world, F, "f 3", "AGENT 3", "c1"));
    swap(&world, F, "f 3", "AGENT 3");
    let next = edit(&world, G, "g 2", "AGENT g 2", "c2");
    world.claude("PreToolUse", next.clone());
    swap(&world, G, "g 2", "AGENT g 2");
    post(&world, &next);
    swap(&world, G, "g 5", "MINE 5");
    world.command("echo hi > n.txt", || world.write("n.txt", "hi\n"));
    world.claude("Stop", json!({}));
    assert_eq!(changes_of(&world, "claude-code c1"), alone(&[F]));
    assert_eq!(changes_of(&world, "claude-code c2"), alone(&[G]));
    assert_eq!(changes_of(&world, "hand"), alone(&[G]));
}

#[test]
fn a_cut_off_edit_and_what_was_typed_after_it_are_told_apart_m1_b3() {
    let world = two_files();
    world.claude("PreToolUse", edit(&world, F, "f 3", "AGENT 3", "c1"));
    swap(&world, F, "f 3", "AGENT 3");
    swap(&world, F, "f 8", "MINE 8");
    world.claude("UserPromptSubmit", json!({"prompt": "second", "prompt_id": "p2"}));
    swap(&world, F, "f 1", "MINE 1");
    world.claude("Stop", json!({"prompt_id": "p2"}));
    assert_eq!(changes_of(&world, "claude-code c1"), alone(&[F]));
    assert_eq!(changes_of(&world, "hand"), alone(&[F, F]));
    take_back(&world, &request(1)).unwrap();
    let text = read(&world, F);
    assert!(text.contains("f 3\n") && text.contains("MINE 8") && text.contains("MINE 1"), "{text}");
}

#[test]
fn an_edit_that_ends_takes_only_its_own_of_what_happened_meanwhile_b3() {
    let world = two_files();
    let call = edit(&world, F, "f 3", "AGENT 3", "c1");
    world.claude("PreToolUse", call.clone());
    swap(&world, F, "f 4", "MINE 4");
    swap(&world, F, "f 3", "AGENT 3");
    post(&world, &call);
    assert_eq!(changes_of(&world, "claude-code c1"), alone(&[F]));
    assert_eq!(changes_of(&world, "hand"), alone(&[F]));
    take_back(&world, &request(1)).unwrap();
    assert!(read(&world, F).contains("f 3\nMINE 4\n"), "{}", read(&world, F));
}

#[test]
fn a_formatter_that_runs_behind_an_edit_is_no_person() {
    let world = two_files();
    let call = edit(&world, F, "f 3", "x=1", "c1");
    world.claude("PreToolUse", call.clone());
    swap(&world, F, "f 3", "x = 1");
    post(&world, &call);
    assert_eq!(changes_of(&world, "claude-code c1"), alone(&[F]));
    assert_eq!(changes_of(&world, "hand"), []);
}

#[test]
fn a_new_file_and_its_folder_belong_to_the_edit_that_announced_them_also_when_cut_off_m1() {
    let world = two_files();
    let file = world.root.join("new/deep/b.txt");
    let call = json!({"tool_name": "Write", "tool_use_id": "c1", "tool_input": {"file_path": file, "content": "b\n"}});
    world.claude("PreToolUse", call);
    world.write("new/deep/b.txt", "b\n");
    world.write("new/mine.txt", "mine\n");
    world.claude("Stop", json!({}));
    assert_eq!(changes_of(&world, "claude-code c1"), alone(&["new", "new/deep", "new/deep/b.txt"]));
    assert_eq!(changes_of(&world, "hand"), alone(&["new/mine.txt"]));
}

fn gemini(world: &World, event: &str, more: Value) {
    let mut payload = json!({"session_id": "m", "cwd": world.root, "timestamp": "2026-11-17T16:30:00.000Z"});
    payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    world.hook(Client::Gemini, event, &payload);
}

#[test]
fn two_edits_of_gemini_at_once_are_told_apart_m2() {
    for order in [[F, G], [G, F]] {
        let world = two_files();
        gemini(&world, "SessionStart", json!({"source": "startup"}));
        gemini(&world, "BeforeAgent", json!({"prompt": "one"}));
        let call = |file: &str| {
            let old = if file == F { "f 3" } else { "g 3" };
            let path = world.root.join(file);
            json!({"tool_name": "replace", "tool_input": {"file_path": path, "old_string": old, "new_string": "GEM", "instruction": "x"}})
        };
        gemini(&world, "BeforeTool", call(F));
        gemini(&world, "BeforeTool", call(G));
        swap(&world, F, "f 3", "GEM");
        swap(&world, G, "g 3", "GEM");
        for file in order {
            let mut call = call(file);
            call["tool_response"] = json!({"llmContent": "Successfully modified file", "returnDisplay": ""});
            gemini(&world, "AfterTool", call);
        }
        let steps: Vec<(String, Ending, Vec<String>)> = world
            .steps()
            .into_iter()
            .filter(|(step, _)| step.client.as_deref() == Some("gemini"))
            .map(|(step, paths)| (step.what.unwrap_or_default(), step.ending, paths))
            .collect();
        assert_eq!(steps.len(), 2, "{steps:?}");
        for (what, ending, paths) in &steps {
            assert_eq!((*ending, paths.len()), (Ending::Ran, 1), "{steps:?}");
            assert!(what.contains(&paths[0]), "{steps:?}");
        }
    }
}

#[test]
fn calls_at_once_in_any_order_keep_their_own_files_m5() {
    for ids in [true, false] {
        let world = two_files();
        let mut calls = [
            edit(&world, F, "f 1", "A 1", "c1"),
            bash("./gen.sh", "c3"),
            edit(&world, G, "g 1", "A g1", "c2"),
        ];
        if !ids {
            calls.iter_mut().for_each(|call| drop(call.as_object_mut().unwrap().remove("tool_use_id")));
        }
        for call in &calls {
            world.claude("PreToolUse", call.clone());
        }
        swap(&world, F, "f 1", "A 1");
        swap(&world, G, "g 1", "A g1");
        world.write("h.txt", "h\n");
        for call in [&calls[1], &calls[2], &calls[0]] {
            post(&world, call);
        }
        let steps: Vec<(Option<String>, Ending, Vec<String>)> =
            world.steps().into_iter().map(|(step, paths)| (step.tool, step.ending, paths)).collect();
        let step = |tool: &str, path: &str| (Some(tool.to_owned()), Ending::Ran, vec![path.to_owned()]);
        assert_eq!(steps, [step("Edit", F), step("Bash", "h.txt"), step("Edit", G)], "{ids}");
    }
}

#[test]
fn what_is_typed_while_tests_run_is_doubtful_and_asked_about_b4() {
    let world = two_files();
    world.command("npm test", || {
        swap(&world, F, "f 7", "MINE 7");
        world.write("mine.txt", "mine\n");
        world.write("package-lock.json", "{}\n");
    });
    world.claude("Stop", json!({}));
    let doubt = vec![(F.to_owned(), 2), ("mine.txt".to_owned(), 2), ("package-lock.json".to_owned(), 0)];
    assert_eq!(changes_of(&world, "claude-code c0"), doubt);
    assert_eq!(changes_of(&world, "hand"), doubt[..2]);
    let left = take_back(&world, &Target::Last(1)).unwrap();
    assert_eq!(left, [F, "mine.txt"]);
    assert!(read(&world, F).contains("MINE 7") && !world.root.join("package-lock.json").exists());
    // Chosen, they go back too, and nobody has them any more.
    let engine = world.engine();
    let options = Options { choices: undo::Choices::Take, ..Options::default() };
    let preview = undo::preview(&engine, &request(1), &options, &Silent).unwrap();
    let yes = engine::person::require(&world.context(), engine::person::Act::GoBack, &engine::person::nobody);
    undo::apply(&engine, &preview, undo::Confirmation::Yes(yes.unwrap()), &Silent).unwrap();
    assert!(read(&world, F).contains("f 7") && !world.root.join("mine.txt").exists());
}

#[test]
fn a_request_of_which_nothing_is_certain_names_the_files_b4() {
    let world = two_files();
    world.command("cargo test", || swap(&world, F, "f 7", "MINE 7"));
    let Err(engine::Error::NothingToUndo(why)) = take_back(&world, &Target::Last(1)) else { panic!("taken") };
    assert!(why.contains("`f.txt`") && why.contains("--take-conflicts"), "{why}");
}

#[test]
fn ordinary_commands_are_not_doubted_b4() {
    let world = two_files();
    for (command, file) in [
        ("cargo fmt", F),
        ("npx prettier --write .", G),
        ("eslint --fix src", "src/a.txt"),
        ("python3 gen.py", "gen.txt"),
        ("npm install left-pad", "package.json"),
        ("npm test > report.txt", "report.txt"),
        ("cargo test", "tests/snapshots/a.snap"),
    ] {
        world.command(command, || world.write(file, command));
        let (_, paths) = world.steps().pop().unwrap();
        assert!(paths.contains(&file.to_owned()), "{command}: {paths:?}");
    }
    assert_eq!(changes_of(&world, "hand"), []);
}

#[test]
fn a_command_that_was_refused_gives_back_what_was_typed_meanwhile_b4() {
    let world = two_files();
    world.claude("PreToolUse", bash("python3 gen.py", "c1"));
    swap(&world, F, "f 7", "MINE 7");
    world.claude("UserPromptSubmit", json!({"prompt": "second", "prompt_id": "p2"}));
    // Nobody said how it ended: it may have run.
    assert_eq!(changes_of(&world, "claude-code c1"), [(F.to_owned(), 2)]);
    assert_eq!(changes_of(&world, "hand"), [(F.to_owned(), 2)]);
    assert!(take_back(&world, &request(1)).is_err());
    assert!(read(&world, F).contains("MINE 7"));
}

#[test]
fn a_file_that_is_open_in_an_editor_is_doubtful_b4() {
    let world = two_files();
    world.write(".gitignore", "*.swp\n");
    world.command("python3 gen.py", || {
        world.write(".f.txt.swp", "vim");
        swap(&world, F, "f 7", "MINE 7");
        swap(&world, G, "g 7", "generated");
    });
    assert_eq!(changes_of(&world, "claude-code c0"), [(F.to_owned(), 2), (G.to_owned(), 0)]);
}

#[test]
fn what_was_written_before_a_waiting_command_could_run_is_by_hand_b4() {
    let world = two_files();
    world.claude("PreToolUse", bash("python3 gen.py", "c1"));
    swap(&world, F, "f 7", "MINE 7");
    // The person reads, types, and says yes at last.
    std::thread::sleep(std::time::Duration::from_millis(2_600));
    swap(&world, G, "g 7", "generated");
    let mut call = bash("python3 gen.py", "c1");
    call["tool_response"] = json!({"stdout": "", "stderr": "", "interrupted": false});
    call["duration_ms"] = json!(100);
    world.claude("PostToolUse", call);
    assert_eq!(changes_of(&world, "claude-code c1"), alone(&[G]));
    assert_eq!(changes_of(&world, "hand"), alone(&[F]));
}

#[test]
fn what_another_session_announced_is_not_a_running_commands_b4() {
    let world = two_files();
    let tests = bash("npm test", "c1");
    world.claude("PreToolUse", tests.clone());
    codex(&world, "SessionStart", json!({"source": "startup"}));
    codex(&world, "UserPromptSubmit", json!({"prompt": "codex"}));
    codex_patch(&world, F, "f 5", "CODEX 5", "x1");
    let call = bash("python3 gen.py", "x2");
    codex(&world, "PreToolUse", call.clone());
    world.write("gen.txt", "gen\n");
    let mut ended = call;
    ended["tool_response"] = json!("");
    codex(&world, "PostToolUse", ended);
    post(&world, &tests);
    assert_eq!(changes_of(&world, "codex x1"), alone(&[F]));
    assert_eq!(changes_of(&world, "codex x2"), alone(&["gen.txt"]));
    assert_eq!(changes_of(&world, "claude-code c1"), []);
}

#[test]
fn two_sub_agents_in_one_file_are_taken_back_with_their_request_m3() {
    for told_apart in [true, false] {
        let world = two_files();
        let sub = |event: &str, agent: &str, mut call: Value| {
            call["agent_id"] = json!(agent);
            call["agent_type"] = json!("general-purpose");
            if event == "PostToolUse" {
                call["tool_response"] = json!({"stdout": "", "stderr": "", "interrupted": false});
            }
            world.claude(event, call);
        };
        let calls = if told_apart {
            [edit(&world, F, "f 3", "ONE 3", "c1"), edit(&world, F, "f 4", "TWO 4", "c2")]
        } else {
            // Nobody can tell which of them it was.
            [bash("python3 one.py", "c1"), bash("python3 two.py", "c2")]
        };
        sub("PreToolUse", "a1", calls[0].clone());
        sub("PreToolUse", "a2", calls[1].clone());
        swap(&world, F, "f 3", "ONE 3");
        swap(&world, F, "f 4", "TWO 4");
        sub("PostToolUse", "a1", calls[0].clone());
        sub("PostToolUse", "a2", calls[1].clone());
        let shared = if told_apart { 0 } else { 2 };
        for who in ["claude-code c1", "claude-code c2"] {
            assert_eq!(changes_of(&world, who), [(F.to_owned(), shared)], "{told_apart}");
        }
        if !told_apart {
            assert!(take_back(&world, &Target::Step(StepNumber(1))).is_err());
        }
        assert_eq!(take_back(&world, &request(1)).unwrap(), Vec::<String>::new());
        assert_eq!(read(&world, F), nine("f"));
    }
}

#[test]
fn what_a_command_does_in_a_work_tree_inside_the_project_is_a_step_there_m6() {
    let world = two_files();
    // A work tree as git makes one.
    std::fs::create_dir_all(world.root.join(".git/worktrees/feat")).unwrap();
    world.write("wt/.git", &format!("gitdir: {}\n", world.root.join(".git/worktrees/feat").display()));
    world.write(".gitignore", "wt/\n");
    world.write("wt/f.txt", &nine("f"));
    world.write("wt/g.txt", &nine("g"));
    let nested = world.root.join("wt");
    let steps_there = || {
        let engine = engine::Engine::open(world.context().beside(&nested).unwrap()).unwrap();
        let opened = engine.store(&Silent).unwrap();
        let mut steps = opened.store.steps(&store::StepFilter::default()).unwrap();
        steps.reverse();
        let told = steps.into_iter().map(|step| {
            let paths = opened.store.changes_of(step.number).unwrap();
            (step.actor, paths.into_iter().map(|change| change.path.to_string()).collect::<Vec<_>>())
        });
        told.collect::<Vec<_>>()
    };
    let call = edit(&world, "wt/f.txt", "f 1", "AGENT 1", "e1");
    world.claude("PreToolUse", call.clone());
    swap(&world, "wt/f.txt", "f 1", "AGENT 1");
    post(&world, &call);
    world.command("cd wt && echo b > b.txt && rm g.txt", || {
        world.write("wt/b.txt", "b\n");
        std::fs::remove_file(world.root.join("wt/g.txt")).unwrap();
    });
    // It is the second thing that ever happens there: what was there before is nobody's work.
    let (first, b) =
        ((Actor::Agent, vec![F.to_owned()]), (Actor::Agent, vec!["b.txt".to_owned(), G.to_owned()]));
    assert_eq!(steps_there(), [first, b]);
    // What is not known completely has the whole tree there looked at.
    world.command("cd wt && python3 gen.py", || swap(&world, "wt/f.txt", "f 3", "generated"));
    assert_eq!(steps_there().pop().unwrap(), (Actor::Agent, vec![F.to_owned()]));
    let here: Vec<Vec<String>> = world.steps().into_iter().map(|(_, paths)| paths).collect();
    assert!(here.iter().flatten().all(|path| !path.starts_with("wt")), "{here:?}");
    // Both come back there.
    let engine = engine::Engine::open(world.context().beside(&nested).unwrap()).unwrap();
    let preview = undo::preview(&engine, &Target::Last(1), &Options::default(), &Silent).unwrap();
    let yes = engine::person::require(&world.context(), engine::person::Act::GoBack, &engine::person::nobody);
    undo::apply(&engine, &preview, undo::Confirmation::Yes(yes.unwrap()), &Silent).unwrap();
    assert_eq!((read(&world, "wt/g.txt"), read(&world, "wt/f.txt")), (nine("g"), nine("f")));
    assert!(!world.root.join("wt/b.txt").exists());
}

/// The client waits for the person's yes: what they write meanwhile is theirs, whatever the command may write or names. (M1)
#[test]
fn what_is_typed_while_a_command_waits_for_a_yes_is_by_hand_m1() {
    let world = two_files();
    world.write("h.txt", &nine("h"));
    world.write("gone.txt", "mine\n");
    world.claude("UserPromptSubmit", json!({"prompt": "again", "prompt_id": "p2"}));
    let asks = bash("python3 gen.py", "c1");
    let names = bash("sed -i 's/nothing/something/' h.txt", "c2");
    world.claude("PreToolUse", asks.clone());
    swap(&world, F, "f 7", "MINE 7");
    std::fs::remove_file(world.root.join("gone.txt")).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(3_200));
    world.write("src/made.txt", "made\n");
    let mut ended = asks;
    ended["duration_ms"] = json!(150);
    post(&world, &ended);
    world.claude("PreToolUse", names.clone());
    swap(&world, "h.txt", "h 7", "MINE 7");
    std::thread::sleep(std::time::Duration::from_millis(3_200));
    let mut ended = names;
    ended["duration_ms"] = json!(20);
    post(&world, &ended);
    world.claude("Stop", json!({"prompt_id": "p2"}));
    assert_eq!(changes_of(&world, "claude-code c1"), alone(&["src/made.txt"]));
    assert_eq!(changes_of(&world, "claude-code c2"), []);
    let by_hand = changes_of(&world, "hand");
    for path in [F, "h.txt"] {
        assert!(by_hand.contains(&(path.to_owned(), 0)), "{by_hand:?}");
    }
}

/// A client that asks and does not tell how long a command ran: then nobody knows, and that is said. (M1)
#[test]
fn a_command_that_waited_for_nobody_knows_how_long_is_not_sure_m1() {
    let world = two_files();
    codex(&world, "SessionStart", json!({"source": "startup"}));
    codex(&world, "UserPromptSubmit", json!({"prompt": "codex"}));
    for (waits, id) in [(false, "x1"), (true, "x2")] {
        let call = bash("python3 gen.py", id);
        codex(&world, "PreToolUse", call.clone());
        if waits {
            let asked = json!({"tool_name": "Bash", "tool_input": {"command": "python3 gen.py"}});
            codex(&world, "PermissionRequest", asked);
            std::thread::sleep(std::time::Duration::from_millis(5_300));
        }
        world.write(F, &format!("{id}\n"));
        let mut ended = call;
        ended["tool_response"] = json!("");
        codex(&world, "PostToolUse", ended);
    }
    assert_eq!(changes_of(&world, "codex x1"), alone(&[F]));
    assert_eq!(changes_of(&world, "codex x2"), [(F.to_owned(), 2)]);
}

/// Editors leave files beside those that are open: they are nobody's work, and no step. (M7)
#[test]
fn what_editors_leave_is_no_step_m7() {
    let world = two_files();
    let marks = [
        ".f.txt.swp",
        ".f.txt.swo",
        "4913",
        "f.txt~",
        "#f.txt#",
        ".#f.txt",
        "f.txt___jb_tmp___",
        "g.txt.vsctmp",
        "src/.a.txt.swx",
        "f.txt.tmp.4711.1763412345678",
    ];
    let before = told(&world).len();
    for mark in marks {
        world.write(mark, if mark == "4913" { "" } else { "x" });
    }
    world.claude("UserPromptSubmit", json!({"prompt": "second", "prompt_id": "p2"}));
    assert_eq!(told(&world).len(), before, "{:?}", told(&world));
    let engine = world.engine();
    assert!(matches!(
        undo::preview(&engine, &Target::Last(1), &Options::default(), &Silent),
        Err(engine::Error::NothingToUndo(_))
    ));
    // They go by themselves, and the file that was written is the person's.
    for mark in marks {
        std::fs::remove_file(world.root.join(mark)).unwrap();
    }
    swap(&world, F, "f 7", "MINE 7");
    world.claude("Stop", json!({"prompt_id": "p2"}));
    assert_eq!(changes_of(&world, "hand"), alone(&[F]));
    // A name like that without the file beside it is somebody's.
    world.write("notes~", "mine\n");
    world.write("4913", "mine\n");
    world.claude("UserPromptSubmit", json!({"prompt": "third", "prompt_id": "p3"}));
    assert_eq!(changes_of(&world, "hand"), alone(&[F, "4913", "notes~"]));
}

/// One file, changed in many goes by one request and once by a person: what they did is asked about once, in true words. (M5)
#[test]
fn conflicts_are_told_place_by_place_m5() {
    use engine::undo::{LaterWork, Why};
    let world = two_files();
    for (number, line) in [2, 4, 6, 8].into_iter().enumerate() {
        let call = edit(&world, F, &format!("f {line}"), &format!("AGENT {line}"), &format!("c{number}"));
        world.claude("PreToolUse", call.clone());
        swap(&world, F, &format!("f {line}"), &format!("AGENT {line}"));
        post(&world, &call);
    }
    swap(&world, F, "AGENT 4", "MINE 4");
    swap(&world, F, "AGENT 8\n", "");
    world.claude("UserPromptSubmit", json!({"prompt": "second", "prompt_id": "p2"}));
    let engine = world.engine();
    let preview = undo::preview(&engine, &request(1), &Options::default(), &Silent).unwrap();
    let told: Vec<(usize, LaterWork, &str, &str, &str)> = preview
        .conflicts
        .iter()
        .map(|conflict| match &conflict.why {
            Why::Lines { line, since, wrote, now, back } => (*line, *since, &**wrote, &**now, &**back),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        told,
        [
            (4, LaterWork::Changed, "AGENT 4\n", "MINE 4\n", "f 4\n"),
            (8, LaterWork::Gone, "AGENT 8\n", "", "f 8\n"),
        ]
    );
    // All else is taken back.
    assert_eq!(take_back(&world, &request(1)).unwrap(), [F, F]);
    let text = read(&world, F);
    assert_eq!(text, "f 1\nf 2\nf 3\nMINE 4\nf 5\nf 6\nf 7\nf 9\n");
}

#[test]
fn a_file_that_was_made_and_changed_since_says_where_m5() {
    use engine::undo::Why;
    let world = two_files();
    let content = nine("new");
    let input = json!({"file_path": world.root.join("new.txt"), "content": content});
    let call = json!({"tool_name": "Write", "tool_use_id": "c1", "tool_input": input});
    world.claude("PreToolUse", call.clone());
    world.write("new.txt", &content);
    post(&world, &call);
    let other = edit(&world, G, "g 2", "AGENT g 2", "c2");
    world.claude("PreToolUse", other.clone());
    swap(&world, G, "g 2", "AGENT g 2");
    post(&world, &other);
    swap(&world, "new.txt", "new 5", "MINE 5");
    world.claude("UserPromptSubmit", json!({"prompt": "second", "prompt_id": "p2"}));
    let engine = world.engine();
    let preview = undo::preview(&engine, &request(1), &Options::default(), &Silent).unwrap();
    let [conflict] = &preview.conflicts[..] else { panic!("{:?}", preview.conflicts) };
    let places = vec![(5, "MINE 5\n".to_owned())];
    assert_eq!(conflict.why, Why::MadeAndChangedSince { places });
}

#[test]
fn what_is_typed_while_a_patch_that_moves_its_file_waits_is_by_hand_m2() {
    let world = two_files();
    let patch = "*** Begin Patch\n*** Update File: f.txt\n*** Move to: h.txt\n@@\n f 2\n-f 3\n+AGENT 3\n f 4\n*** End Patch";
    let call = json!({"tool_name": "apply_patch", "tool_use_id": "c1", "tool_input": {"command": patch}});
    codex(&world, "PreToolUse", call.clone());
    world.write("h.txt", &(nine("f").replace("f 3\n", "AGENT 3\n") + "MINE\n"));
    std::fs::remove_file(world.root.join(F)).unwrap();
    let mut call = call;
    call["tool_response"] = json!("Exit code: 0\nSuccess.");
    codex(&world, "PostToolUse", call);
    assert_eq!(changes_of(&world, "hand"), alone(&["h.txt"]), "{:?}", told(&world));
}

#[test]
fn two_commands_that_never_ran_do_not_own_what_is_typed_afterwards() {
    let world = two_files();
    world.claude("PreToolUse", bash("sed -i 1d f.txt", "c1"));
    world.claude("PreToolUse", bash("sed -i '1,2d' f.txt", "c2"));
    swap(&world, F, "f 7", "MINE 7");
    world.claude("UserPromptSubmit", json!({"prompt": "no, do not", "prompt_id": "p2"}));
    assert_eq!(changes_of(&world, "hand").iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(), [F]);
    assert!(take_back(&world, &request(1)).is_err(), "it is not certain that an agent made it");
    assert!(read(&world, F).contains("MINE 7"));
}

#[test]
fn what_is_typed_while_an_errand_runs_is_not_certainly_its_own() {
    for command in ["npm install", "git fetch", "git add -A", "docker build -t x .", "pip install -r r.txt"] {
        let world = two_files();
        world.command(command, || swap(&world, F, "f 7", "MINE 7"));
        let typed = changes_of(&world, "hand");
        assert!(typed.iter().any(|(path, _)| path == F), "{command}: {typed:?}");
    }
}
