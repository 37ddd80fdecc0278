//! Honest work is not asked about where what it takes comes back: what is there is looked at, in the hook that an agent meets

use std::path::Path;

use serde_json::{Value, json};
use testkit::Sandbox;

use super::shop;

/// What the hook of a client says before this command: `allow` for nothing, and its reason.
fn answered(shop: &Sandbox, client: &str, folder: &Path, command: &str) -> (String, String) {
    let payload = json!({
        "session_id": "s", "transcript_path": "/nowhere.jsonl", "cwd": folder, "permission_mode": "default", "turn_id": "1",
        "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "t1",
    });
    let mut vib = shop.command(&["hook", client]);
    let output = Sandbox::run_with_input(vib.current_dir(folder), &payload.to_string());
    let answer: Value = serde_json::from_str(&output.stdout).unwrap_or_default();
    let said = &answer["hookSpecificOutput"];
    let word = |name: &str| said[name].as_str().unwrap_or_default().to_owned();
    match word("permissionDecision") {
        nothing if nothing.is_empty() => ("allow".to_owned(), String::new()),
        decision => (decision, word("permissionDecisionReason")),
    }
}

fn git(folder: &Path, words: &[&str]) {
    let mut command = std::process::Command::new("git");
    command.args(["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]).args(words);
    let output = command.current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{words:?}: {output:?}");
}

/// A repository with what builds leave behind.
fn built() -> Sandbox {
    let shop = shop();
    shop.write(".gitignore", "node_modules/\nbuild/\n*.log\n.env\n*.sqlite\n");
    git(&shop.root(), &["init", "-q", "-b", "main"]);
    git(&shop.root(), &["add", "-A"]);
    git(&shop.root(), &["commit", "-q", "-m", "one"]);
    for path in ["node_modules/z/i.js", "build/o.js", "server.log", ".env", "scratch.txt"] {
        shop.write(path, "PORT=1\n");
    }
    shop.vib(&["init", "--no-hooks", "--yes"]).ok();
    shop
}

#[test]
fn git_clean_is_judged_by_what_it_takes() {
    let shop = built();
    let root = shop.root();
    for command in
        ["git clean -fdx", "git clean -fdX", "git clean -xdf node_modules", "cd src && git clean -fdx"]
    {
        assert_eq!(answered(&shop, "claude-code", &root, command).0, "allow", "{command}");
    }
    // Little enough to be saved by name first; who saves nothing asks, and says what would go.
    shop.write("dev.sqlite", "rows");
    assert_eq!(answered(&shop, "claude-code", &root, "git clean -fdx").0, "allow");
    let asked = shop.vib(&["judge", "git clean -fdx"]);
    assert_eq!(asked.code, 1);
    assert!(asked.stdout.contains("cannot be brought back: dev.sqlite"), "{}", asked.stdout);
    // Too much for that.
    std::fs::File::create(root.join("dev.sqlite")).unwrap().set_len(60 << 20).unwrap();
    let (decision, why) = answered(&shop, "claude-code", &root, "git clean -fdx");
    assert!(decision == "ask" && why.contains("dev.sqlite"), "{decision} {why}");
    assert_eq!(answered(&shop, "claude-code", &root, "git clean -fdx -e dev.sqlite").0, "allow");
}

#[test]
fn a_branch_that_is_not_there_is_no_loss() {
    let shop = built();
    let root = shop.root();
    git(&root, &["branch", "done"]);
    git(&root, &["checkout", "-q", "-b", "lonely"]);
    git(&root, &["commit", "-q", "--allow-empty", "-m", "only here"]);
    git(&root, &["checkout", "-q", "main"]);
    for command in ["git branch -D done", "git branch -D no-such", "git branch -D done no-such"] {
        assert_eq!(answered(&shop, "claude-code", &root, command).0, "allow", "{command}");
    }
    for command in [
        "git branch -D lonely",
        "git branch -D no-such lonely",
        "git branch -D @{-1}",
        "git checkout -b new && git commit -am x && git checkout - && git branch -D new",
        "./make-branch.sh && git branch -D new",
    ] {
        assert_eq!(answered(&shop, "claude-code", &root, command).0, "ask", "{command}");
    }
}

#[test]
fn where_the_folder_is_not_known_that_is_the_reason_s3() {
    let shop = built();
    let root = shop.root();
    let whole = |name: &str| root.join(name).display().to_string();
    for command in
        ["rm README.md", "rm -rf build", "mkdir e && rmdir e", "git clean -fd", "git checkout -- ."]
    {
        let (decision, why) = answered(&shop, "codex", &root, command);
        assert_eq!(decision, "deny", "{command}: {why}");
        assert!(
            why.contains("not known in which folder") && !why.contains("brings them back"),
            "{command}: {why}"
        );
    }
    // The same by whole names: then the folder does not matter.
    for command in [format!("rm {}", whole("README.md")), format!("cd {} && rm README.md", root.display())] {
        assert_eq!(answered(&shop, "codex", &root, &command).0, "allow", "{command}");
    }
    let home = shop.base().join("home");
    for command in [
        format!("rm -rf {}", home.display()),
        format!("rm {} other", whole("README.md")),
        format!("rm -rf {}", root.display()),
        format!("rm -rf {}/.git", root.display()),
        "rm -rf ../other".to_owned(),
        "rm -rf ~/papers".to_owned(),
        "bash clean.sh && rm x".to_owned(),
    ] {
        assert_eq!(answered(&shop, "codex", &root, &command).0, "deny", "{command}");
    }
}

#[test]
fn a_new_file_in_the_home_folder_destroys_nothing() {
    let shop = built();
    let home = shop.base().join("home");
    std::fs::write(home.join("diary.txt"), "dear diary").unwrap();
    std::os::unix::fs::symlink(home.join(".bashrc"), home.join("notes.txt")).unwrap();
    for command in ["echo b > ~/stray.txt", "echo b > stray.txt", "mkdir -p play && echo x > play/a.txt"] {
        assert_eq!(answered(&shop, "claude-code", &home, command).0, "allow", "{command}");
    }
    for command in [
        "echo x > ~/diary.txt",
        "echo x > new.txt; rm diary.txt",
        "echo x > diar*",
        "echo x > ~/d?ary.txt",
        "for f in diary.txt; do echo x > $f; done",
        "cp .bashrc diary.txt",
        "touch $(cat list)",
        "echo x >> ~/.bashrc",
        "echo x > notes.txt",
        "echo x > ~/.ssh/authorized_keys",
        "echo x > ~/.config/autostart/a.desktop",
        "echo x > ~/.local/bin/ls",
        "echo x > ~/bin/ls",
        "echo x > ~/CLAUDE.md",
        "cp diary.txt /opt/x",
    ] {
        assert_ne!(answered(&shop, "claude-code", &home, command).0, "allow", "{command}");
    }
}
