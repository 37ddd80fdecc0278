//! Work trees and repositories inside a project (B1, B2).

use std::path::PathBuf;

use serde_json::{Value, json};
use testkit::{Output, Sandbox};

use super::shop;

const GIT: &str = "git -c user.name=a -c user.email=a@b -c init.defaultBranch=main";

/// A session of Claude Code that was started in a folder of the sandbox.
struct Chat<'s> {
    shop: &'s Sandbox,
    home: PathBuf,
    turn: u32,
}

impl<'s> Chat<'s> {
    fn started_in(shop: &'s Sandbox, folder: &str) -> Self {
        Self { shop, home: shop.root().join(folder).components().collect(), turn: 0 }
    }

    fn send(&self, event: &str, cwd: &str, fields: &Value) -> Output {
        let mut payload = json!({
            "session_id": format!("s-{}", self.home.display()), "prompt_id": format!("p-{}", self.turn),
            "cwd": self.home.join(cwd), "hook_event_name": event,
        });
        for (name, value) in fields.as_object().unwrap() {
            payload[name] = value.clone();
        }
        let mut command = self.shop.command(&["hook", "claude-code"]);
        command.env("CLAUDE_PROJECT_DIR", &self.home);
        Sandbox::run_with_input(&mut command, &payload.to_string()).ok()
    }

    fn prompt(&mut self, text: &str) -> Output {
        self.turn += 1;
        self.send("UserPromptSubmit", "", &json!({"prompt": text}))
    }

    /// The edit tool; what vib said against it.
    fn write(&self, path: &str, text: &str) -> String {
        let file = self.home.join(path);
        let input = json!({"file_path": file, "content": text});
        let said = self.send(
            "PreToolUse",
            "",
            &json!({"tool_name": "Write", "tool_input": input, "tool_use_id": "c"}),
        );
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, text).unwrap();
        self.send(
            "PostToolUse",
            "",
            &json!({"tool_name": "Write", "tool_input": input, "tool_response": {}}),
        );
        objection(&said)
    }

    /// What vib says against a command.
    fn shell(&self, cwd: &str, script: &str) -> String {
        let input = json!({"tool_name": "Bash", "tool_input": {"command": script}, "tool_use_id": "c"});
        objection(&self.send("PreToolUse", cwd, &input))
    }

    /// Goes back in the chat: what was shown, and the yes.
    fn roll_back(&mut self) -> String {
        let shown = self.prompt("/rollback").json()["reason"].as_str().unwrap_or_default().to_owned();
        if let Some(code) = shown.split("send: ").nth(1) {
            let code: String = code.chars().take_while(char::is_ascii_alphanumeric).collect();
            self.prompt(&code);
        }
        shown
    }
}

fn objection(output: &Output) -> String {
    if output.stdout.is_empty() {
        return String::new();
    }
    let answer = output.json();
    let specific = &answer["hookSpecificOutput"];
    match specific["permissionDecision"].as_str() {
        Some("deny" | "ask") => specific["permissionDecisionReason"].as_str().unwrap_or_default().to_owned(),
        _ => String::new(),
    }
}

/// The shop, in git, with a work tree inside that has committed files.
fn with_work_tree(folder: &str, ignored: bool) -> Sandbox {
    // With the clock of tests comes their chance, and with it one id for all projects.
    let shop = shop().with_real_clock();
    if ignored {
        shop.write(".gitignore", format!("{}/\n", folder.rsplit_once('/').unwrap().0));
    }
    shop.shell(&format!(
        "{GIT} init -q . && {GIT} add -A && {GIT} commit -qm one && {GIT} worktree add -q '{folder}' -b f1"
    ));
    shop
}

#[test]
fn a_work_tree_in_a_clients_folder_is_edited_like_any_code_b1() {
    for ignored in [true, false] {
        let shop = with_work_tree(".claude/worktrees/f1", ignored);
        shop.vib(&["checkpoint"]).ok();
        for home in ["", ".claude/worktrees/f1"] {
            let mut chat = Chat::started_in(&shop, home);
            chat.prompt("change the prices");
            let path = |file: &str| {
                if home.is_empty() { format!(".claude/worktrees/f1/{file}") } else { file.to_owned() }
            };
            for (file, asks) in [("src/new.js", false), ("README.md", false), (".claude/settings.json", true)]
            {
                assert_eq!(!chat.write(&path(file), "{}\n").is_empty(), asks, "{home}: {file}");
            }
            for command in ["sed -i s/a/b/ FILE", "touch FILE", "echo x >> FILE"] {
                let command = command.replace("FILE", &path("README.md"));
                assert_eq!(chat.shell("", &command), "", "{home}: {command}");
            }
            assert_ne!(chat.shell("", &format!("echo x > {}", path(".claude/settings.json"))), "", "{home}");
        }
        let mut chat = Chat::started_in(&shop, "");
        chat.prompt("settings");
        assert_ne!(chat.write(".claude/settings.json", "{}\n"), "");
    }
}

#[test]
fn a_rollback_of_the_main_session_removes_nothing_in_a_work_tree_b2() {
    for ignored in [true, false] {
        let shop = with_work_tree(".worktrees/f1", ignored);
        let before = shop.read(".worktrees/f1/README.md");
        shop.vib(&["checkpoint"]).ok();
        let mut chat = Chat::started_in(&shop, "");
        chat.prompt("change the page");
        assert_eq!(chat.write(".worktrees/f1/README.md", "changed\n"), "");
        assert_eq!(chat.write("README.md", "changed too\n"), "");
        assert_eq!(chat.shell("", "sed -i s/a/b/ .worktrees/f1/README.md"), "");
        let shown = chat.roll_back();
        // What was done there is named, and is no part of what would change.
        let (changes, stays) = shown.split_once("Outside this project").unwrap_or((&shown, ""));
        assert!(!changes.contains(".worktrees"), "{shown}");
        assert!(stays.contains("README.md") && stays.contains("stays as it is"), "{shown}");
        assert_eq!(shop.read(".worktrees/f1/README.md"), "changed\n", "ignored: {ignored}");
        assert_eq!(shop.read("README.md"), before, "its own file comes back");
        // The work tree has a history of its own, with what was there before.
        let mut undo = shop.command(&["undo", "--yes", "README.md"]);
        Sandbox::run(undo.current_dir(shop.root().join(".worktrees/f1"))).ok();
        assert_eq!(shop.read(".worktrees/f1/README.md"), before);
    }
}

#[test]
fn a_rollback_in_the_work_tree_takes_nothing_of_the_main_tree_b2() {
    for ignored in [true, false] {
        let shop = with_work_tree(".worktrees/f1", ignored);
        shop.vib(&["checkpoint"]).ok();
        let before = shop.read("README.md");
        let mut chat = Chat::started_in(&shop, ".worktrees/f1");
        chat.prompt("change the page");
        assert_eq!(chat.write("README.md", "changed\n"), "");
        shop.write("README.md", "by hand, in the main tree\n");
        let shown = chat.roll_back();
        assert!(shown.contains("README.md"), "{shown}");
        assert_eq!(shop.read(".worktrees/f1/README.md"), before);
        assert_eq!(shop.read("README.md"), "by hand, in the main tree\n", "ignored: {ignored}");
        let mut status = shop.command(&["status", "--json"]);
        let status = Sandbox::run(status.current_dir(shop.root().join(".worktrees/f1"))).ok();
        assert!(status.stdout.contains(".worktrees/f1"), "{}", status.stdout);
    }
}

#[test]
fn an_undo_of_everything_leaves_work_trees_and_known_clones_alone_b2() {
    let shop = with_work_tree(".worktrees/f1", false);
    shop.write("libs/known/a.js", "1\n");
    shop.write("libs/new/a.js", "1\n");
    shop.shell(&format!("{GIT} -C libs/known init -q && {GIT} -C libs/new init -q"));
    shop.checkpoint("one");
    // Somebody works in one of the clones; from then on it is a project of its own.
    let mut inside = shop.command(&["checkpoint"]);
    Sandbox::run(inside.current_dir(shop.root().join("libs/known"))).ok();
    for file in
        ["README.md", ".worktrees/f1/README.md", "libs/known/a.js", "libs/new/a.js", "libs/known/b.js"]
    {
        shop.write(file, "changed\n");
    }
    shop.checkpoint("two");
    shop.write("README.md", "once more\n");
    shop.vib(&["undo", "--yes", &id_of(&shop, "one")]).ok();
    assert_ne!(shop.read("README.md"), "once more\n");
    assert_eq!(shop.read("libs/new/a.js"), "1\n", "a clone that nobody works in is a part of the project");
    for file in [".worktrees/f1/README.md", "libs/known/a.js", "libs/known/b.js"] {
        assert_eq!(shop.read(file), "changed\n", "{file}");
    }
}

fn id_of(shop: &Sandbox, message: &str) -> String {
    let data = shop.data(&["history", "--checkpoints", "-n", "0"]);
    let groups = data["groups"].as_array().unwrap();
    let mut all = groups.iter().flat_map(|group| group["checkpoints"].as_array().unwrap());
    let found = all.find(|checkpoint| checkpoint["message"] == message).unwrap();
    found["id"].as_str().unwrap().to_owned()
}

/// What stands between backticks, as a shell would take it apart, without the program's name.
fn as_printed(text: &str, begins: &str) -> Vec<String> {
    let command = text.split('`').find(|part| part.starts_with(begins));
    assert!(command.is_some(), "{begins}: {text}");
    let command = command.unwrap();
    let script = format!("printf '%s\\n' {}", command.strip_prefix("vib ").unwrap());
    let output = std::process::Command::new("sh").args(["-c", &script]).env_remove("HOME").output().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

fn run_as_printed(shop: &Sandbox, text: &str, begins: &str) -> Output {
    let mut words = as_printed(text, begins);
    words.push("--yes".to_owned());
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    shop.vib(&words).ok()
}

/// A clone that vib knows and a work tree, each inside the project, with a name that a shell would take apart.
fn with_projects_inside() -> Sandbox {
    let shop = with_work_tree("work trees/f1", false);
    shop.write("libs/it's known/src/a.js", "one\ntwo\nthree\n");
    shop.shell(&format!("{GIT} -C \"libs/it's known\" init -q"));
    let mut inside = shop.command(&["checkpoint"]);
    Sandbox::run(inside.current_dir(shop.root().join("libs/it's known"))).ok();
    shop.vib(&["checkpoint"]).ok();
    shop
}

#[test]
fn history_names_what_was_done_in_a_project_inside_and_its_command_works_as_printed_b2() {
    for (path, text) in
        [("libs/it's known/src/a.js", "one\nTWO\nthree\n"), ("work trees/f1/README.md", "changed\n")]
    {
        let shop = with_projects_inside();
        let before = shop.read(path);
        let mut chat = Chat::started_in(&shop, "");
        chat.prompt("change it there");
        assert_eq!(chat.write(path, text), "");
        let history = shop.vib(&["history"]).ok().stdout;
        assert!(history.contains("1 file in the project "), "{history}");
        assert!(!history.contains("looked once"), "{history}");
        let step = shop.data(&["history"])["entries"][0]["steps"][0].clone();
        assert_eq!(step["in_projects"][0]["paths"].as_array().unwrap().len(), 1, "{step}");
        // Nothing of it was done in this project, and what to type instead is said.
        let refused = shop.vib(&["undo", "--yes"]);
        assert!(refused.stderr.contains("vib undo '"), "{}", refused.stderr);
        let done = run_as_printed(&shop, &history, "vib undo ");
        assert_eq!(shop.read(path), before, "{}", done.stdout);
        let history = shop.vib(&["history"]).ok().stdout;
        assert!(history.contains("(taken back)"), "{history}");
        // And what that command prints works as well.
        run_as_printed(&shop, &done.stdout, "vib redo ");
        assert_eq!(shop.read(path), text);
        assert!(!shop.vib(&["history"]).ok().stdout.contains("(taken back)"));
        let words = as_printed(&done.stdout, "vib undo ");
        shop.vib(&[&words[0], &words[1], &words[2], "--dry-run"]);
    }
}

#[test]
fn history_undo_and_diff_of_a_path_inside_another_project_are_about_that_project_b2() {
    let shop = with_projects_inside();
    let path = "libs/it's known/src/a.js";
    let mut chat = Chat::started_in(&shop, "");
    chat.prompt("here first");
    assert_eq!(chat.write("README.md", "changed here\n"), "");
    chat.prompt("then there");
    assert_eq!(chat.write(path, "one\nTWO\nthree\n"), "");
    let history = shop.vib(&["history", path]).ok().stdout;
    assert!(history.contains("The numbers below are its own"), "{history}");
    // Its numbers count together with the path, as the history says.
    let diff = as_printed(&history, "vib diff ");
    let words: Vec<&str> = diff.iter().map(String::as_str).collect();
    let patch = shop.vib(&words).ok().stdout;
    assert!(patch.contains("-two\n+TWO\n") && !patch.contains("README"), "{patch}");
    run_as_printed(&shop, &history, "vib undo ");
    assert_eq!(shop.read(path), "one\ntwo\nthree\n");
    assert_eq!(shop.read("README.md"), "changed here\n");
}

#[test]
fn a_command_in_a_project_inside_is_told_in_both_b2() {
    let shop = with_projects_inside();
    let mut chat = Chat::started_in(&shop, "");
    chat.prompt("generate it");
    let call = json!({"tool_name": "Bash", "tool_input": {"command": "python3 gen.py"}, "tool_use_id": "g"});
    let folder = "libs/it's known";
    chat.send("PreToolUse", folder, &call);
    shop.write("libs/it's known/src/gen.js", "made\n");
    let mut ended = call;
    ended["tool_response"] = json!({"stdout": "", "stderr": "", "interrupted": false});
    chat.send("PostToolUse", folder, &ended);
    let history = shop.vib(&["history"]).ok().stdout;
    assert!(history.contains("1 file in the project ") && history.contains("gen.js"), "{history}");
    run_as_printed(&shop, &history, "vib undo ");
    assert!(!shop.exists("libs/it's known/src/gen.js"));
}

#[test]
fn an_id_of_the_project_around_is_meant_there_also_with_a_path_inside_another_b2() {
    let shop = shop().with_real_clock();
    shop.write("libs/later/a.js", "1\n");
    shop.checkpoint("one");
    // From here on it is a project of its own, with a change of its own.
    shop.shell(&format!("{GIT} -C libs/later init -q"));
    let inside = |words: &[&str]| {
        Sandbox::run(shop.command(words).current_dir(shop.root().join("libs/later"))).ok();
    };
    inside(&["checkpoint"]);
    shop.write("libs/later/a.js", "2\n");
    inside(&["checkpoint"]);
    let id = id_of(&shop, "one");
    let said = shop.vib(&["undo", &id, "libs/later/a.js", "--yes"]);
    assert!(said.stderr.contains(&format!("already as they were in `{id}`")), "{}", said.stderr);
    // Without it the path is that of the project it lies in.
    shop.vib(&["undo", "libs/later/a.js", "--yes"]).ok();
    assert_eq!(shop.read("libs/later/a.js"), "1\n");
}
