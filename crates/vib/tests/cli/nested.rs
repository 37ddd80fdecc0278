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
        "{GIT} init -q . && {GIT} add -A && {GIT} commit -qm one && {GIT} worktree add -q {folder} -b f1"
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
        assert!(!shown.contains(".worktrees"), "{shown}");
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
