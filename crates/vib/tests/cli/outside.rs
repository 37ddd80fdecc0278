//! What agents do outside their project (T8, S12): saved there, shown, taken back; or asked about.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use testkit::{Output, Sandbox};

use super::shop;

/// A world in which things lie beside the project: in the home, in another project, in a repository that vib has never seen.
struct Beside {
    shop: Sandbox,
    home: PathBuf,
    calls: std::cell::Cell<u32>,
    /// The request that calls belong to.
    turn: std::cell::Cell<&'static str>,
}

/// What vib answered before a call.
#[derive(Debug, PartialEq)]
enum Said {
    Nothing,
    Ask(String),
    Deny(String),
}

const CLIENTS: [&str; 5] = ["claude-code", "codex", "gemini", "opencode", "copilot"];

impl Beside {
    fn new() -> Self {
        let shop = shop().with_real_clock();
        shop.vib(&["checkpoint"]).ok();
        let home = shop.base().canonicalize().unwrap().join("home");
        Self { shop, home, calls: std::cell::Cell::new(0), turn: std::cell::Cell::new("p1") }
    }

    /// A file in the home.
    fn put(&self, path: &str, text: &str) -> PathBuf {
        let file = self.home.join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, text).unwrap();
        file
    }

    /// Another project of vib's in the home.
    fn other_project(&self, name: &str) -> PathBuf {
        let root = self.put(&format!("{name}/src/lib.rs"), "fn old() {}\n").parent().unwrap().join("..");
        let root = root.canonicalize().unwrap();
        self.vib_in(&root, &["checkpoint"]).ok();
        root
    }

    fn vib_in(&self, folder: &Path, arguments: &[&str]) -> Output {
        Sandbox::run(self.shop.command(arguments).current_dir(folder))
    }

    fn hook(&self, client: &str, event: &str, payload: &Value) -> Output {
        let arguments: Vec<&str> =
            if client == "copilot" { vec!["hook", client, event] } else { vec!["hook", client] };
        let mut command = self.shop.command(&arguments);
        let root = self.shop.root();
        command.env("CLAUDE_PROJECT_DIR", &root).env("GEMINI_PROJECT_DIR", &root);
        Sandbox::run_with_input(&mut command, &payload.to_string()).ok()
    }

    fn prompt(&self, text: &str) {
        let payload = json!({"session_id": "s", "prompt_id": self.turn.get(), "cwd": self.shop.root(),
            "hook_event_name": "UserPromptSubmit", "prompt": text});
        self.hook("claude-code", "", &payload);
    }

    /// A tool call: what vib said before it; it runs (`work`) unless vib said no; and vib hears of its end.
    fn call(&self, client: &str, tool: &str, input: &Value, work: impl FnOnce()) -> Said {
        self.call_in(client, &self.shop.root(), tool, input, work)
    }

    fn call_in(&self, client: &str, cwd: &Path, tool: &str, input: &Value, work: impl FnOnce()) -> Said {
        self.calls.set(self.calls.get() + 1);
        let id = format!("c{}", self.calls.get());
        let (before, after) = match client {
            "gemini" => ("BeforeTool", "AfterTool"),
            "opencode" => ("tool.execute.before", "tool.execute.after"),
            "copilot" => ("preToolUse", "postToolUse"),
            _ => ("PreToolUse", "PostToolUse"),
        };
        let mut payload = if client == "copilot" {
            json!({"sessionId": "s", "timestamp": 1_794_771_618_218_u64, "cwd": cwd, "toolName": tool, "toolArgs": input})
        } else {
            json!({"session_id": "s", "prompt_id": self.turn.get(), "turn_id": "t1", "cwd": cwd, "hook_event_name": before,
                "worktree": cwd, "tool_name": tool, "tool_input": input, "tool_use_id": id})
        };
        let said = said(&self.hook(client, before, &payload));
        if !matches!(said, Said::Deny(_)) {
            work();
            if client == "copilot" {
                payload["toolResult"] = json!({"resultType": "success", "textResultForLlm": "done"});
            } else {
                payload["hook_event_name"] = json!(after);
                payload["tool_response"] = json!({"output": "done", "metadata": {"exit": 0}});
            }
            self.hook(client, after, &payload);
        }
        said
    }

    /// The edit tool of each client, writing a whole file.
    fn write_with(&self, client: &str, path: &Path, text: &str) -> Said {
        let named = path.to_str().unwrap();
        let work = || std::fs::write(path, text).unwrap();
        match client {
            "codex" => {
                let old = std::fs::read_to_string(path).unwrap_or_default();
                let (old, new) = (with_sign(&old, '-'), with_sign(text, '+'));
                let patch = match old.as_str() {
                    "" => format!("*** Begin Patch\n*** Add File: {named}\n{new}*** End Patch"),
                    _ => format!("*** Begin Patch\n*** Update File: {named}\n@@\n{old}{new}*** End Patch"),
                };
                self.call(client, "apply_patch", &json!({"command": patch}), work)
            }
            "gemini" => self.call(client, "write_file", &json!({"file_path": named, "content": text}), work),
            "opencode" => self.call(client, "write", &json!({"filePath": named, "content": text}), work),
            "copilot" => self.call(client, "create", &json!({"path": named, "file_text": text}), work),
            _ => self.call(client, "Write", &json!({"file_path": named, "content": text}), work),
        }
    }

    fn write(&self, path: &Path, text: &str) -> Said {
        self.write_with("claude-code", path, text)
    }

    /// A command, which really runs.
    fn run_with(&self, client: &str, command: &str) -> Said {
        self.run_in(client, &self.shop.root(), command)
    }

    fn run_in(&self, client: &str, cwd: &Path, command: &str) -> Said {
        let tool = match client {
            "gemini" => "run_shell_command",
            "opencode" | "copilot" => "bash",
            _ => "Bash",
        };
        let work = || {
            let home = self.home.clone();
            std::process::Command::new("sh")
                .args(["-c", command])
                .current_dir(cwd)
                .env("HOME", home)
                .status()
                .unwrap();
        };
        self.call_in(client, cwd, tool, &json!({"command": command}), work)
    }

    fn run(&self, command: &str) -> Said {
        self.run_with("claude-code", command)
    }

    fn undo(&self, path: &Path) -> Output {
        self.shop.vib(&["undo", "--yes", path.to_str().unwrap()])
    }

    fn read(&self, path: &Path) -> String {
        std::fs::read_to_string(path).unwrap_or_else(|error| format!("({error})"))
    }

    fn check(&self) {
        self.shop.vib(&["store", "check"]).ok();
        self.shop.vib(&["store", "check", "--outside"]).ok();
    }
}

fn with_sign(text: &str, sign: char) -> String {
    text.lines().map(|line| format!("{sign}{line}\n")).collect()
}

fn said(output: &Output) -> Said {
    if output.stdout.is_empty() {
        return Said::Nothing;
    }
    let answer = output.json();
    let specific = &answer["hookSpecificOutput"];
    let decision = [&specific["permissionDecision"], &answer["permissionDecision"], &answer["decision"]];
    let reason =
        [&specific["permissionDecisionReason"], &answer["permissionDecisionReason"], &answer["reason"]];
    let reason = reason.iter().find_map(|reason| reason.as_str()).unwrap_or_default().to_owned();
    if let Some(reason) = answer["deny"].as_str() {
        return Said::Deny(reason.to_owned());
    }
    match decision.iter().find_map(|decision| decision.as_str()) {
        Some("ask") => Said::Ask(reason),
        Some("deny" | "block") => Said::Deny(reason),
        _ => Said::Nothing,
    }
}

#[test]
fn every_clients_edit_outside_every_project_is_saved_and_taken_back_t8() {
    for client in CLIENTS {
        let world = Beside::new();
        let file = world.put("Documents/notes.txt", "my notes\n");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
        assert_eq!(world.write_with(client, &file, "gone\n"), Said::Nothing, "{client}");
        assert_eq!(world.read(&file), "gone\n");
        world.undo(&file).ok();
        assert_eq!(world.read(&file), "my notes\n", "{client}");
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o640, "{client}");
        world.shop.vib(&["redo", "--yes", file.to_str().unwrap()]).ok();
        assert_eq!(world.read(&file), "gone\n", "{client}: forward again");
        world.check();
    }
}

#[test]
fn every_clients_edit_in_another_project_is_a_step_there_t8() {
    for client in CLIENTS {
        let world = Beside::new();
        let other = world.other_project("code/other");
        let file = other.join("src/lib.rs");
        assert_eq!(world.write_with(client, &file, "fn new() {}\n"), Said::Nothing, "{client}");
        let story = world.vib_in(&other, &["history"]).ok().stdout;
        assert!(story.contains("src/lib.rs"), "{client}: {story}");
        assert!(story.contains("from the project") && story.contains("project\n"), "{client}: {story}");
        world.vib_in(&other, &["undo", "--yes"]).ok();
        assert_eq!(world.read(&file), "fn old() {}\n", "{client}");
        // And the project of the session knows of it.
        let story = world.shop.vib(&["history"]).ok().stdout;
        assert!(story.contains("1 file outside this project: ~/code/other/src/lib.rs"), "{client}: {story}");
        assert!(!world.home.parent().unwrap().join("state/loose/files/store.db").exists(), "{client}");
    }
}

#[test]
fn a_sibling_repository_that_vib_has_never_seen_is_saved_too_t8() {
    let world = Beside::new();
    let file = world.put("code/sibling/main.py", "print(1)\n");
    std::fs::create_dir(world.home.join("code/sibling/.git")).unwrap();
    // A relative path with `..` that leads there.
    let relative = world.shop.root().join("../home/code/sibling/main.py");
    assert_eq!(world.write(&relative, "print(2)\n"), Said::Nothing);
    world.shop.vib(&["undo", "--yes", "../home/code/sibling/main.py"]).ok();
    assert_eq!(world.read(&file), "print(1)\n");
    assert!(!world.home.join("code/sibling/.vibelign").exists(), "vib leaves no mark in it");
    // Also where all of it lies among throw-away files.
    let beside = world.shop.base().canonicalize().unwrap().join("sibling");
    std::fs::create_dir_all(beside.join(".git")).unwrap();
    std::fs::write(beside.join("a.txt"), "a\n").unwrap();
    world.write(&beside.join("a.txt"), "b\n");
    world.undo(&beside.join("a.txt")).ok();
    assert_eq!(world.read(&beside.join("a.txt")), "a\n");
}

#[test]
fn a_new_file_outside_goes_again_with_the_folders_that_came_with_it_t8() {
    let world = Beside::new();
    let file = world.home.join("new/deep/file.txt");
    world.call("claude-code", "Write", &json!({"file_path": file, "content": "x\n"}), || {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, "x\n").unwrap();
    });
    world.undo(&file).ok();
    assert!(!file.exists());
    assert!(world.home.join("new").exists(), "only what is named goes");
    world.shop.vib(&["undo", "--yes", world.home.join("new").to_str().unwrap()]).ok();
    assert!(!world.home.join("new").exists() && world.home.exists());
}

#[test]
fn commands_that_name_files_outside_are_saved_and_not_asked_about_s12() {
    for (command, file, then) in [
        ("sed -i s/my/your/ ~/Documents/notes.txt", "Documents/notes.txt", "your notes\n"),
        ("echo x > ~/Documents/notes.txt", "Documents/notes.txt", "x\n"),
        ("echo x >> ../home/Documents/notes.txt", "Documents/notes.txt", "my notes\nx\n"),
        ("cp README.md ~/Documents/notes.txt", "Documents/notes.txt", "# Shop\n"),
        ("cp README.md ~/Documents", "Documents/README.md", "# Shop\n"),
        ("cd ~/Documents && truncate -s 0 notes.txt", "Documents/notes.txt", ""),
        (
            "mv ~/Documents/notes.txt taken.txt",
            "Documents/notes.txt",
            "(No such file or directory (os error 2))",
        ),
        ("mv README.md ~/Documents/notes.txt", "Documents/notes.txt", "# Shop\n"),
    ] {
        for client in ["claude-code", "gemini", "opencode", "copilot"] {
            let world = Beside::new();
            world.put("Documents/notes.txt", "my notes\n");
            world.put("Documents/old/letter.txt", "dear\n");
            world.put("Documents/README.md", "mine\n");
            let file = world.home.join(file);
            let before = world.read(&file);
            assert_eq!(world.run_with(client, command), Said::Nothing, "{client}: {command}");
            assert_eq!(world.read(&file), then, "{client}: {command}");
            world.undo(&file).ok();
            assert_eq!(world.read(&file), before, "{client}: {command}");
            world.check();
            if client == "claude-code" {
                let story = world.shop.vib(&["history"]).ok().stdout;
                assert!(story.contains("outside this project: ~/Documents"), "{command}: {story}");
            }
        }
    }
}

#[test]
fn what_is_deleted_outside_is_asked_about_and_saved_s12() {
    for (command, file) in [
        ("rm ~/Documents/notes.txt", "Documents/notes.txt"),
        ("rm ~/Documents/*.txt", "Documents/notes.txt"),
        ("cd ~/Documents && rm -f notes.txt", "Documents/notes.txt"),
        ("rm -rf ~/Documents/old", "Documents/old/letter.txt"),
        ("find ~/Documents/old -name '*.txt' -delete", "Documents/old/letter.txt"),
    ] {
        let world = Beside::new();
        world.put("Documents/notes.txt", "my notes\n");
        world.put("Documents/old/letter.txt", "dear\n");
        let file = world.home.join(file);
        let before = world.read(&file);
        let said = world.run(command);
        let promises = matches!(&said, Said::Ask(why) if why.contains("vib saves a copy first"));
        // What `find` finds nobody can name before; it is saved all the same.
        assert_eq!(promises, !command.starts_with("find"), "{command}: {said:?}");
        assert!(matches!(said, Said::Ask(_)) && !file.exists(), "{command}");
        world.undo(&file).ok();
        assert_eq!(world.read(&file), before, "{command}");
        // Where nobody can be asked it does not run.
        let said = world.run_with("gemini", command);
        assert!(matches!(said, Said::Deny(_)), "{command}: {said:?}");
        assert_eq!(world.read(&file), before, "{command}");
        world.check();
    }
    // In another project of vib's it is a step like any other.
    let world = Beside::new();
    let other = world.other_project("code/other");
    assert_eq!(world.run("rm ../home/code/other/src/lib.rs"), Said::Nothing);
    world.vib_in(&other, &["undo", "--yes"]).ok();
    assert_eq!(world.read(&other.join("src/lib.rs")), "fn old() {}\n");
}

#[test]
fn what_moves_over_the_border_is_saved_on_both_sides_t8() {
    let world = Beside::new();
    let other = world.other_project("code/other");
    world.prompt("move it");
    assert_eq!(world.run("mv src/cart.js ../home/code/other/cart.js"), Said::Nothing);
    assert!(!world.shop.exists("src/cart.js"));
    let shown = world.shop.vib(&["undo", "--yes"]).ok().stdout;
    assert_eq!(world.shop.read("src/cart.js"), "let total = 0;\nlet count = 0;\n");
    assert!(shown.contains("`vib undo ~/code/other/cart.js`"), "{shown}");
    world.vib_in(&other, &["undo", "--yes"]).ok();
    assert!(!other.join("cart.js").exists());
    // The other way.
    assert_eq!(world.run("mv ../home/code/other/src/lib.rs src/lib.rs"), Said::Nothing);
    world.vib_in(&other, &["undo", "--yes"]).ok();
    assert_eq!(world.read(&other.join("src/lib.rs")), "fn old() {}\n");
    world.check();
}

#[test]
fn a_link_leads_to_what_it_leads_to_t8() {
    let world = Beside::new();
    let file = world.put("Documents/notes.txt", "my notes\n");
    symlink(world.home.join("Documents"), world.shop.root().join("docs")).unwrap();
    symlink(&file, world.shop.root().join("note")).unwrap();
    for (path, command) in [("docs/notes.txt", "echo x > docs/notes.txt"), ("note", "echo x > note")] {
        world.write(&world.shop.root().join(path), "x\n");
        assert_eq!(world.read(&file), "x\n");
        world.undo(&file).ok();
        assert_eq!(world.read(&file), "my notes\n", "the edit tool through {path}");
        world.run(command);
        assert_eq!(world.read(&file), "x\n");
        world.undo(&file).ok();
        assert_eq!(world.read(&file), "my notes\n", "{command}");
    }
}

#[test]
fn a_tool_that_nobody_knows_is_saved_for_too_t8() {
    let world = Beside::new();
    let file = world.put("Documents/notes.txt", "my notes\n");
    let input = json!({"path": file, "content": "x\n"});
    let work = || std::fs::write(&file, "x\n").unwrap();
    assert_eq!(world.call("claude-code", "mcp__files__write_file", &input, work), Said::Nothing);
    world.undo(&file).ok();
    assert_eq!(world.read(&file), "my notes\n");
}

#[test]
fn a_command_that_runs_in_another_project_has_its_tree_looked_at_t8() {
    let world = Beside::new();
    let other = world.other_project("code/other");
    let script = "for f in src/*.rs; do echo broken > $f; done";
    world.run(&format!("cd ../home/code/other && {script}"));
    assert_eq!(world.read(&other.join("src/lib.rs")), "broken\n");
    world.vib_in(&other, &["undo", "--yes"]).ok();
    assert_eq!(world.read(&other.join("src/lib.rs")), "fn old() {}\n");
    // The tool's own folder says so.
    assert_eq!(world.run_in("claude-code", &other.join("src"), "rm lib.rs"), Said::Nothing);
    world.vib_in(&other, &["undo", "--yes"]).ok();
    assert_eq!(world.read(&other.join("src/lib.rs")), "fn old() {}\n");
    world.vib_in(&other, &["store", "check"]).ok();
}

#[test]
fn another_projects_protected_files_bind_t8() {
    let world = Beside::new();
    let other = world.other_project("code/other");
    world.vib_in(&other, &["protect", "src/lib.rs"]).ok();
    for client in CLIENTS {
        let said = world.write_with(client, &other.join("src/lib.rs"), "x\n");
        assert!(matches!(&said, Said::Deny(why) if why.contains("protected")), "{client}: {said:?}");
    }
    for command in
        ["rm ../home/code/other/src/lib.rs", "cd ../home/code/other && sed -i s/old/new/ src/lib.rs"]
    {
        let said = world.run(command);
        assert!(matches!(&said, Said::Deny(why) if why.contains("protected")), "{command}: {said:?}");
    }
    assert_eq!(world.read(&other.join("src/lib.rs")), "fn old() {}\n");
}

#[test]
fn what_cannot_be_saved_is_asked_about_with_the_reason_s12() {
    let world = Beside::new();
    let big = world.put("Documents/big.iso", "");
    std::fs::File::options().write(true).open(&big).unwrap().set_len(65 << 20).unwrap();
    let hidden = world.put("Documents/hidden.txt", "x\n");
    std::fs::set_permissions(&hidden, std::fs::Permissions::from_mode(0o200)).unwrap();
    let input = |path: &Path| json!({"file_path": path, "content": "y\n"});
    let said = world.call("claude-code", "Write", &input(&big), || {});
    assert!(
        matches!(&said, Said::Ask(why) if why.contains("~/Documents/big.iso") && why.contains("65 MB")),
        "{said:?}"
    );
    if std::fs::read(&hidden).is_err() {
        let said = world.call("claude-code", "Write", &input(&hidden), || {});
        assert!(matches!(&said, Said::Ask(why) if why.contains("hidden.txt")), "{said:?}");
    }
    world.put("code/repo/a.txt", "a\n");
    std::fs::create_dir_all(world.home.join("code/repo/.git")).unwrap();
    let said = world.call("claude-code", "Bash", &json!({"command": "rm ~/Documents/big.iso"}), || {});
    assert!(matches!(&said, Said::Ask(why) if why.contains("65 MB")), "{said:?}");
    for command in [
        "tar xf a.tar -C ~/Documents/old",
        "python3 make.py > ~/Documents/notes.txt",
        // Its history would be gone.
        "rm -rf ~/code/repo",
        // A good part of what somebody has.
        "rm -rf ~/Documents",
        "rm -rf ~",
        "rm -rf ~/*",
        "rm /etc/hosts",
        "rm -rf ~/.ssh",
        "rm ~/Documents/$SOMETHING",
    ] {
        let input = json!({"command": command});
        let said = world.call("claude-code", "Bash", &input, || {});
        assert!(!matches!(said, Said::Nothing), "{command}: {said:?}");
    }
}

#[test]
fn an_agents_own_notes_are_ordinary_work_and_its_settings_are_not_t8() {
    let world = Beside::new();
    for (path, asks) in [
        (".claude/plans/shop.md", false),
        (".claude/projects/-shop/memory/MEMORY.md", false),
        (".claude/todos/1.json", false),
        (".claude/settings.json", true),
        (".claude/CLAUDE.md", true),
        (".claude/commands/x.md", true),
        (".claude/skills/x/SKILL.md", true),
    ] {
        let file = world.put(path, "old\n");
        let said = world.write(&file, "new\n");
        assert_eq!(matches!(said, Said::Ask(_)), asks, "{path}: {said:?}");
        // Whatever was answered: it is saved.
        world.undo(&file).ok();
        assert_eq!(world.read(&file), "old\n", "{path}");
    }
}

#[test]
fn history_diff_and_show_tell_of_files_outside_t8() {
    let world = Beside::new();
    let file = world.put("Documents/notes.txt", "my notes\n");
    world.prompt("tidy my notes");
    world.write(&file, "tidy\n");
    let path = file.to_str().unwrap();
    for folder in [world.shop.root(), world.home.clone(), world.home.join("Documents")] {
        let story = world.vib_in(&folder, &["history", path]).ok().stdout;
        assert!(story.contains(path) && story.contains("tidy my notes"), "{story}");
        let diff = world.vib_in(&folder, &["diff", path]).ok().stdout;
        assert!(diff.contains("-my notes") && diff.contains("+tidy"), "{diff}");
        let shown = world.vib_in(&folder, &["undo", "--dry-run", "~/Documents/notes.txt"]).ok().stdout;
        assert!(shown.contains(path), "{shown}");
    }
    let then = world.vib_in(&world.home, &["show", "s1", path]).ok().stdout;
    assert_eq!(then, "tidy\n");
    // The last request changed nothing here: going back says where.
    let refused = world.shop.vib(&["undo", "--yes"]);
    assert!(refused.stderr.contains("`vib undo ~/Documents/notes.txt`"), "{}", refused.stderr);
    let stats = world.shop.vib(&["store", "stats"]).ok().stdout;
    assert!(stats.contains("outside"), "{stats}");
    let error = world.shop.error(&["undo", "--yes", "~/Documents/other.txt"]);
    assert_eq!(error["code"], "path_outside_project", "of this one nothing is saved: {error}");
}

#[test]
fn secrets_outside_come_back_and_are_never_shown_t8() {
    let world = Beside::new();
    let key = world.put(".ssh/config", "Host old-secret-host\n");
    assert!(matches!(world.write(&key, "Host new\n"), Said::Ask(_)));
    let path = key.to_str().unwrap();
    let diff = world.shop.vib(&["diff", path]).ok().stdout;
    assert!(!diff.contains("old-secret-host"), "{diff}");
    world.undo(&key).ok();
    assert_eq!(world.read(&key), "Host old-secret-host\n");
    let mode = world.shop.state().join("loose").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o077, 0, "nobody else may look");
}

#[test]
fn a_link_that_was_swapped_in_is_not_followed_and_nothing_is_lost_t8() {
    let world = Beside::new();
    let file = world.put("Documents/deep/notes.txt", "my notes\n");
    let victim = world.put("victim/notes.txt", "victim\n");
    world.write(&file, "x\n");
    std::fs::rename(world.home.join("Documents/deep"), world.home.join("aside")).unwrap();
    symlink(world.home.join("victim"), world.home.join("Documents/deep")).unwrap();
    let refused = world.undo(&file);
    assert_ne!(refused.code, 0, "{}", refused.stdout);
    assert!(refused.stdout.contains("link"), "{}{}", refused.stdout, refused.stderr);
    assert_eq!(world.read(&victim), "victim\n");
    // A folder that is gone comes back with its file.
    std::fs::remove_file(world.home.join("Documents/deep")).unwrap();
    world.undo(&file).ok();
    assert_eq!(world.read(&file), "x\n", "as it was last");
    world.undo(&file).ok();
    assert_eq!(world.read(&file), "my notes\n");
}

#[test]
fn only_what_agents_did_is_taken_back_and_later_work_of_a_person_stays_t8() {
    let world = Beside::new();
    let file = world.put("Documents/notes.txt", "one\ntwo\nthree\nfour\nfive\n");
    world.write(&file, "ONE\ntwo\nthree\nfour\nfive\n");
    std::fs::write(&file, "ONE\ntwo\nthree\nfour\nmine\n").unwrap();
    world.undo(&file).ok();
    assert_eq!(world.read(&file), "one\ntwo\nthree\nfour\nmine\n");
    let refused = world.undo(&file);
    assert_ne!(refused.code, 0, "{}", refused.stdout);
    assert_eq!(world.read(&file), "one\ntwo\nthree\nfour\nmine\n", "nothing of a person's is taken back");
    // A file that vib never saved is left alone, whatever is typed.
    let own = world.put("Documents/own.txt", "mine\n");
    assert_ne!(world.undo(&own).code, 0);
    assert_eq!(world.read(&own), "mine\n");
    assert_ne!(world.undo(&world.home.join("Documents")).code, 0);
    assert_eq!(world.read(&own), "mine\n");
}

#[test]
fn two_agents_and_a_person_are_told_apart_t8() {
    let world = Beside::new();
    let other = world.other_project("code/other");
    let own = |event: &str, call: &str, file: &str| {
        json!({"session_id": "own", "cwd": other, "hook_event_name": event, "tool_name": "Write", "tool_use_id": call,
            "tool_input": {"file_path": other.join(file), "content": "own\n"}, "tool_response": {}})
    };
    let hook = |payload: &Value| {
        let mut command = world.shop.command(&["hook", "claude-code"]);
        command.env("CLAUDE_PROJECT_DIR", &other);
        Sandbox::run_with_input(&mut command, &payload.to_string()).ok();
    };
    // The other project's own agent is in the middle of a step while ours reaches over.
    hook(&own("PreToolUse", "o1", "src/own.rs"));
    world.write(&other.join("src/lib.rs"), "fn new() {}\n");
    std::fs::write(other.join("src/own.rs"), "own\n").unwrap();
    hook(&own("PostToolUse", "o1", "src/own.rs"));
    let story = world.vib_in(&other, &["history", "--json"]).ok().json();
    let mut steps: Vec<(String, String)> = Vec::new();
    for entry in story["data"]["entries"].as_array().unwrap() {
        for step in entry["steps"].as_array().into_iter().flatten() {
            for change in step["changes"].as_array().unwrap() {
                let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
                steps.push((text(&step["session"]), text(&change["path"])));
            }
        }
    }
    steps.sort();
    assert_eq!(
        steps,
        [("own".to_owned(), "src/own.rs".to_owned()), ("s".to_owned(), "src/lib.rs".to_owned())]
    );
}

#[test]
fn many_agents_at_once_lose_nothing_t8() {
    let world = Beside::new();
    let files: Vec<PathBuf> =
        (0..6).map(|n| world.put(&format!("Documents/{n}.txt"), &format!("{n}\n"))).collect();
    std::thread::scope(|scope| {
        for (n, file) in files.iter().enumerate() {
            let shop = &world.shop;
            scope.spawn(move || {
                for (event, is_after) in [("PreToolUse", false), ("PostToolUse", true)] {
                    if is_after {
                        std::fs::write(file, "changed\n").unwrap();
                    }
                    let payload = json!({"session_id": format!("s{n}"), "cwd": shop.root(), "hook_event_name": event,
                        "tool_name": "Write", "tool_use_id": "c", "tool_response": {},
                        "tool_input": {"file_path": file, "content": "changed\n"}});
                    let mut command = shop.command(&["hook", "claude-code"]);
                    command.env("CLAUDE_PROJECT_DIR", shop.root());
                    Sandbox::run_with_input(&mut command, &payload.to_string()).ok();
                }
            });
        }
    });
    for (n, file) in files.iter().enumerate() {
        assert_eq!(world.read(file), "changed\n");
        world.undo(file).ok();
        assert_eq!(world.read(file), format!("{n}\n"));
    }
    world.check();
}

#[test]
fn an_edit_inside_opens_no_other_store_t8() {
    let world = Beside::new();
    world.write(&world.shop.root().join("src/cart.js"), "x\n");
    assert_eq!(world.run("echo x > src/cart.js && cat README.md"), Said::Nothing);
    assert!(!world.shop.state().join("loose").exists());
}

#[test]
fn hooks_never_write_outside_the_project_t8() {
    let world = Beside::new();
    let other = world.other_project("code/other");
    for n in 0..4 {
        world.put(&format!("Documents/{n}.txt"), "x\n");
    }
    world.put("code/sibling/a.txt", "x\n");
    let photo = |folder: &Path| -> Vec<(PathBuf, Vec<u8>, i64)> {
        use std::os::unix::fs::MetadataExt;
        let mut found = Vec::new();
        let mut open = vec![folder.to_path_buf()];
        while let Some(path) = open.pop() {
            let facts = path.symlink_metadata().unwrap();
            if facts.is_dir() {
                open.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            }
            found.push((
                path.clone(),
                std::fs::read(&path).unwrap_or_default(),
                facts.mtime_nsec() + facts.mtime(),
            ));
        }
        found.sort();
        found
    };
    let before = photo(&world.home);
    let home = world.home.display();
    let nothing = || {};
    for command in [
        format!("rm {home}/Documents/*.txt"),
        format!("sed -i s/x/y/ {home}/Documents/1.txt {home}/code/sibling/a.txt"),
        format!("cd {home}/code/other && rm -rf src && make"),
        format!("mv {home}/Documents/1.txt . && cp README.md {home}/Documents/"),
        format!("find {home}/Documents -name '*.txt' -delete"),
        format!("rm -rf {home}/Documents {home}/code"),
    ] {
        for client in ["claude-code", "gemini", "opencode", "copilot"] {
            let tool = match client {
                "gemini" => "run_shell_command",
                "claude-code" => "Bash",
                _ => "bash",
            };
            world.call(client, tool, &json!({"command": command}), nothing);
        }
    }
    for client in CLIENTS {
        for file in ["Documents/1.txt", "Documents/new.txt", "code/other/src/lib.rs", "code/sibling/a.txt"] {
            let input = json!({"file_path": world.home.join(file), "filePath": world.home.join(file),
                "path": world.home.join(file), "content": "z", "file_text": "z"});
            let tool = match client {
                "gemini" => "write_file",
                "opencode" => "write",
                "copilot" => "create",
                _ => "Write",
            };
            world.call(client, tool, &input, nothing);
        }
    }
    assert_eq!(photo(&world.home), before);
    assert_eq!(world.read(&other.join("src/lib.rs")), "fn old() {}\n");
    world.check();
}

#[test]
fn each_request_has_its_own_files_outside_and_none_is_passed_over_t8() {
    let world = Beside::new();
    let (first, second) = (world.put("notes.txt", "one\n"), world.put("Documents/x", "two\n"));
    let ask = |turn: &'static str, text: &str| {
        world.turn.set(turn);
        world.prompt(text);
    };
    let write = |file: &Path, text: &str| {
        let input = json!({"file_path": file, "content": text});
        world.call("claude-code", "Write", &input, || std::fs::write(file, text).unwrap());
    };
    ask("p1", "change my notes");
    write(&first, "1\n");
    ask("p2", "work here");
    let inside = world.shop.root().join("src/login.js");
    write(&inside, "let free = 1;\n");
    ask("p3", "and the document");
    write(&second, "2\n");
    // The last request worked outside only: the one before it is not taken back in its place.
    let error = world.shop.error(&["undo", "--yes"]);
    assert!(error["message"].to_string().contains("~/Documents/x"), "{error}");
    assert_eq!(std::fs::read_to_string(&inside).unwrap(), "let free = 1;\n");
    // A request that changed nothing here names its own file.
    let error = world.shop.error(&["undo", "r1", "--yes"]);
    let message = error["message"].to_string();
    assert!(message.contains("~/notes.txt") && !message.contains("Documents"), "{message}");
    let done = world.shop.vib(&["undo", "r2", "--yes"]).ok();
    assert!(!done.stdout.contains("outside this project"), "{}", done.stdout);
}

/// The history of the project says when what was done outside is taken back, and that numbers of another store are its own.
#[test]
fn what_is_taken_back_outside_counts_in_the_history_t8() {
    let world = Beside::new();
    let notes = world.put("my notes.txt", "mine\n");
    world.prompt("write it down");
    assert_eq!(world.write_with("claude-code", &notes, "the agent's\n"), Said::Nothing);
    let story = world.shop.vib(&["history"]).ok().stdout;
    assert!(story.contains("(`vib undo '~/my notes.txt'`)") && !story.contains("(taken back)"), "{story}");
    let there = world.shop.vib(&["history", "~/my notes.txt"]).ok().stdout;
    assert!(there.contains("~/my notes.txt lies in no project"), "{there}");
    assert!(there.contains("`vib undo s1 '~/my notes.txt'`"), "{there}");
    let patch = world.shop.vib(&["diff", "s1", "~/my notes.txt"]).ok().stdout;
    assert!(patch.contains("-mine\n+the agent's\n"), "{patch}");
    world.shop.vib(&["undo", "s1", "~/my notes.txt", "--yes"]).ok();
    assert_eq!(world.read(&notes), "mine\n");
    let story = world.shop.vib(&["history"]).ok().stdout;
    assert!(story.contains("(taken back)"), "{story}");
    assert_eq!(world.shop.data(&["history"])["entries"][0]["undone"], json!(true));
}

#[test]
fn what_never_said_that_it_ended_outside_is_looked_at_when_it_is_asked_for_m2() {
    for later in ["nothing", "session end"] {
        let world = Beside::new();
        let file = world.put("notes/todo.txt", "buy milk\n");
        let before = |id: &str, command: &str| {
            json!({"session_id": "s", "prompt_id": "p1", "cwd": world.shop.root(), "hook_event_name": "PreToolUse",
                "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": id})
        };
        let said = said(&world.hook("claude-code", "", &before("c1", &format!("> {}", file.display()))));
        assert_eq!(said, Said::Nothing);
        std::fs::remove_file(&file).unwrap();
        if later == "session end" {
            let end = json!({"session_id": "s", "cwd": world.shop.root(), "hook_event_name": "SessionEnd", "reason": "other"});
            world.hook("claude-code", "", &end);
        }
        world.undo(&file).ok();
        assert_eq!(world.read(&file), "buy milk\n", "{later}");
        world.check();
    }
}

#[test]
fn what_a_tool_or_a_patch_deletes_outside_is_asked_about_like_a_command_m4() {
    let world = Beside::new();
    let file = world.put("notes/diary.md", "dear\n");
    let named = file.to_str().unwrap();
    let patch = json!({"command": format!("*** Begin Patch\n*** Delete File: {named}\n*** End Patch")});
    let moved = json!({"command": format!("*** Begin Patch\n*** Update File: {named}\n*** Move to: src/d.md\n@@\n-dear\n+x\n*** End Patch")});
    for (client, tool, input) in [
        ("codex", "apply_patch", &patch),
        ("codex", "apply_patch", &moved),
        ("cursor", "Delete", &json!({"path": named})),
    ] {
        let payload = json!({"session_id": "s", "conversation_id": "s", "turn_id": "t1", "cwd": world.shop.root(), "workspace_roots": [world.shop.root()],
            "hook_event_name": if client == "cursor" { "preToolUse" } else { "PreToolUse" }, "tool_name": tool, "tool_input": input, "tool_use_id": "c1"});
        let answer = world.hook(client, "", &payload).stdout;
        assert!(answer.contains("deny"), "{client} {input}: {answer}");
    }
    // In the project it comes back.
    let inside = json!({"command": "*** Begin Patch\n*** Delete File: README.md\n*** End Patch"});
    assert_eq!(world.call("codex", "apply_patch", &inside, || ()), Said::Nothing);
}
