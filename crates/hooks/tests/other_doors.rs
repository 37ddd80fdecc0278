//! Ways past the guard through other doors: marks and ignore rules that an agent writes, large files that no checkpoint holds, deletes
//! and secrets in the arguments of tools that nobody knows.
//!
//! `data/other-doors-tools*.jsonl`: one call on each line, with what must come of it. `{ROOT}` is the project, `{HOME}` the home folder.
//! Written before the code; the second half was not looked at while it was written.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use std::path::Path;

use crate::world::World;
use engine::undo::{self, Options, Target};
use serde_json::{Value, json};
use store::Silent;
use vib_hooks::Client;
use vib_hooks::router::{World as Surroundings, answer};

const MARK: &str = "Signature: 8a477f597d28d172789f06886806bc55\n";

/// Writes a file with the edit tool, with both hooks around it.
fn edit(world: &World, path: &str, text: &str) -> Value {
    let call = json!({"tool_name": "Write", "tool_use_id": format!("{path}{}", text.len()),
        "tool_input": {"file_path": world.root.join(path), "content": text}});
    let before = world.claude("PreToolUse", call.clone());
    if before["hookSpecificOutput"]["permissionDecision"].is_null() {
        world.write(path, text);
        world.claude("PostToolUse", call);
    }
    before
}

/// Takes back the last step.
fn undo_last(world: &World) -> undo::Preview {
    let engine = world.engine();
    let preview = undo::preview(&engine, &Target::LastStep, &Options::default(), &Silent).unwrap();
    let by = engine::person::require(&world.context(), engine::person::Act::GoBack, &engine::person::nobody)
        .unwrap();
    undo::apply(&engine, &preview, undo::Confirmation::Yes(by), &Silent).unwrap();
    preview
}

fn read(world: &World, path: &str) -> Option<String> {
    std::fs::read_to_string(world.root.join(path)).ok()
}

fn git(world: &World, words: &[&str]) {
    let mut git = std::process::Command::new("git");
    git.args(["-c", "user.name=a", "-c", "user.email=a@b.example"]).args(words).current_dir(&world.root);
    assert!(git.output().unwrap().status.success(), "{words:?}");
}

#[test]
fn a_mark_of_a_cache_that_an_agent_puts_beside_sources_takes_nothing_out_b5() {
    for (mark, text) in [("src/CACHEDIR.TAG", MARK), ("src/pyvenv.cfg", "home = /usr\n")] {
        let world = World::new();
        world.claude("UserPromptSubmit", json!({"prompt": "tidy up"}));
        edit(&world, mark, text);
        world.command("./build.sh", || world.write("src/made.txt", "made by a program\n"));
        world.claude("Stop", json!({"stop_hook_active": false}));
        world.claude("UserPromptSubmit", json!({"prompt": "and now?", "prompt_id": "q"}));
        world.command("rm -rf src", || std::fs::remove_dir_all(world.root.join("src")).unwrap());
        undo_last(&world);
        assert_eq!(read(&world, "src/a.txt").as_deref(), Some("a\n"), "{mark}");
        assert_eq!(read(&world, "src/made.txt").as_deref(), Some("made by a program\n"), "{mark}");
    }
}

#[test]
fn what_git_tracks_is_no_cache_whatever_it_is_called_b5() {
    for (file, mark, text) in [
        ("lib/notes.txt", "lib/CACHEDIR.TAG", MARK),
        ("node_modules/mine/index.txt", "node_modules/x", "x"),
        ("env/notes.txt", "env/pyvenv.cfg", "home = /usr\n"),
    ] {
        let world = World::new();
        world.write(file, "somebody wrote this\n");
        world.write(mark, text);
        std::fs::create_dir_all(world.root.join("env/bin")).unwrap();
        git(&world, &["init", "-q"]);
        git(&world, &["add", "-A"]);
        git(&world, &["commit", "-qm", "x"]);
        world.claude("UserPromptSubmit", json!({"prompt": "tidy up"}));
        let folder = Path::new(file).iter().next().unwrap().to_str().unwrap();
        world.command(&format!("rm -rf {folder}"), || {
            std::fs::remove_dir_all(world.root.join(folder)).unwrap();
        });
        undo_last(&world);
        assert_eq!(read(&world, file).as_deref(), Some("somebody wrote this\n"), "{file}");
    }
}

#[test]
fn what_git_tracks_is_saved_before_it_goes_though_rules_leave_it_out_b5() {
    let world = World::new();
    world.write("build/notes.txt", "somebody wrote this\n");
    world.write(".gitignore", "build/\n");
    git(&world, &["init", "-q"]);
    git(&world, &["add", "-Af"]);
    git(&world, &["commit", "-qm", "x"]);
    world.claude("UserPromptSubmit", json!({"prompt": "tidy up"}));
    world.command("rm -rf build", || std::fs::remove_dir_all(world.root.join("build")).unwrap());
    undo_last(&world);
    assert_eq!(read(&world, "build/notes.txt").as_deref(), Some("somebody wrote this\n"));
}

#[test]
fn a_real_cache_stays_out_b5() {
    let world = World::new();
    world.write("cache/CACHEDIR.TAG", MARK);
    world.write("cache/blob", "x");
    world.write("venv/pyvenv.cfg", "home = /usr\n");
    world.write("venv/bin/python", "x");
    world.claude("UserPromptSubmit", json!({"prompt": "tidy up"}));
    for (path, is_saved) in [("src/a.txt", true), ("cache/blob", false), ("venv/bin/python", false)] {
        world.write(path, "changed\n");
        let engine = world.engine();
        let seen = undo::preview(&engine, &Target::Last(1), &Options::default(), &Silent);
        assert_eq!(
            seen.is_ok_and(|seen| seen.changes.files.iter().any(|file| file.path == path)),
            is_saved,
            "{path}"
        );
        if is_saved {
            undo_last(&world);
        }
    }
}

#[test]
fn ignore_rules_that_come_in_mid_session_do_not_break_undo_m1() {
    for rules in [".gitignore", ".vibignore"] {
        let world = World::new();
        world.write("src/b.txt", "b\n");
        world.claude("UserPromptSubmit", json!({"prompt": "tidy up"}));
        edit(&world, rules, "*\n");
        // An edit of what is left out now: it is changed back, not taken away.
        edit(&world, "src/a.txt", "changed\n");
        let preview = undo_last(&world);
        assert_eq!(read(&world, "src/a.txt").as_deref(), Some("a\n"), "{rules}");
        assert!(
            preview.notices.iter().any(|notice| matches!(notice, engine::Notice::LeftOut { paths } if paths.contains(&"src/b.txt".to_owned()))),
            "{rules}: what is not covered is said"
        );
        world.claude("UserPromptSubmit", json!({"prompt": "and now?", "prompt_id": "q"}));
        world.command("rm -rf src", || std::fs::remove_dir_all(world.root.join("src")).unwrap());
        undo_last(&world);
        assert_eq!(read(&world, "src/a.txt").as_deref(), Some("a\n"), "{rules}");
        assert_eq!(read(&world, "src/b.txt").as_deref(), Some("b\n"), "{rules}");
    }
}

#[test]
fn an_edit_of_a_large_file_that_no_checkpoint_holds_is_asked_about_m2() {
    let world = World::new();
    world.write(".gitignore", "*.sqlite\n");
    world.write("small.sqlite", "the data of a month\n");
    let large = std::fs::File::create(world.root.join("large.sqlite")).unwrap();
    large.set_len(300 << 20).unwrap();
    world.claude("UserPromptSubmit", json!({"prompt": "tidy up"}));
    let answer = edit(&world, "large.sqlite", "x");
    let told = &answer["hookSpecificOutput"];
    assert_eq!(told["permissionDecision"], "ask", "{answer}");
    let why = told["permissionDecisionReason"].as_str().unwrap();
    assert!(
        why.contains("`vib checkpoint large.sqlite` saves it by name") && why.contains("300 MB"),
        "{why}"
    );
    // A small one is saved first.
    let answer = edit(&world, "small.sqlite", "x");
    assert!(answer["hookSpecificOutput"]["permissionDecision"].is_null(), "{answer}");
    undo_last(&world);
    assert_eq!(read(&world, "small.sqlite").as_deref(), Some("the data of a month\n"));
}

#[test]
fn a_protected_file_that_a_command_names_stays_as_it_is_m6() {
    let world = World::new();
    world.write("README.md", "# mine\n");
    world.write("src/b.md", "b\n");
    git(&world, &["init", "-q"]);
    git(&world, &["add", "-A"]);
    git(&world, &["commit", "-qm", "x"]);
    world.claude("UserPromptSubmit", json!({"prompt": "tidy up"}));
    engine::protect::add(&world.engine(), &["README.md".into()], false).unwrap();
    let answer = |line: &str| {
        let call = json!({"tool_name": "Bash", "tool_use_id": line, "tool_input": {"command": line}});
        world.claude("PreToolUse", call)["hookSpecificOutput"]["permissionDecision"].clone()
    };
    for line in [
        "git checkout -- README.md",
        "git checkout HEAD~1 -- README.md",
        "git restore README.md",
        "git restore --source=HEAD~2 README.md src/b.md",
        "git stash push README.md",
        "npx prettier --write README.md",
        "prettier -w src/b.md README.md",
        "markdownlint --fix README.md",
        "sed -i s/a/b/ README.md",
    ] {
        assert_eq!(answer(line), "deny", "{line}");
    }
    for line in [
        "git checkout -- src/b.md",
        "git restore --staged README.md",
        "npx prettier --check README.md",
        "prettier --write src/b.md",
        "git stash push src/b.md",
        "cat README.md",
    ] {
        assert_eq!(answer(line), Value::Null, "{line}");
    }
}

/// What comes of each call of a list, where that is not what must.
fn wrong(list: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().canonicalize().unwrap();
    let (home, root) = (base.join("u"), base.join("u/shop"));
    for path in [
        "shop/src/app.js",
        "shop/.git/HEAD",
        "shop/a.tar",
        "shop/.env",
        "shop/package.json",
        "Documents/thesis.txt",
        ".bashrc",
        ".local/bin/x",
    ] {
        std::fs::create_dir_all(home.join(path).parent().unwrap()).unwrap();
        std::fs::write(home.join(path), "x\n").unwrap();
    }
    std::fs::write(root.join(".gitignore"), ".env\n").unwrap();
    let get = |name: &str| match name {
        "VIBELIGN_STATE" => Some(base.join("state").into_os_string()),
        "VIBELIGN_CONFIG" => Some(base.join("config").into_os_string()),
        "HOME" => Some(home.clone().into_os_string()),
        _ => None,
    };
    let context = project::Context::with_environment(root.clone(), &get);
    let mut found = Vec::new();
    for (number, line) in list.lines().enumerate() {
        let line = line.replace("{HOME}", home.to_str().unwrap()).replace("{ROOT}", root.to_str().unwrap());
        let call: Value = serde_json::from_str(&line).unwrap();
        let payload = json!({"session_id": "s", "prompt_id": "p", "cwd": root, "tool_name": call["tool"],
            "tool_input": call["input"], "tool_use_id": format!("t{number}")});
        let text = payload.to_string();
        let reply = answer(
            &context,
            &Surroundings::default(),
            Client::ClaudeCode,
            Some("PreToolUse"),
            text.as_bytes(),
        );
        let told: Value = serde_json::from_str(&reply.stdout).unwrap_or_default();
        let word = told["hookSpecificOutput"]["permissionDecision"].as_str().unwrap_or("allow");
        if (word == "allow") != (call["want"] == "allow") {
            let why = told["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap_or_default();
            found.push(format!("{word}: {} {}\n      {why}", call["tool"], call["input"]));
        }
    }
    found
}

#[test]
fn deletes_and_secrets_in_the_arguments_of_tools_are_asked_about_m3_m4_m5_m6() {
    let mut found = wrong(include_str!("data/other-doors-tools.jsonl"));
    found.extend(wrong(include_str!("data/other-doors-tools-again.jsonl")));
    assert!(found.is_empty(), "{} wrong:\n{}", found.len(), found.join("\n"));
}
