//! One answer for every surface: what is protected, kept or vib's own is so for edit tools, commands, strange tools and patches, by
//! whatever name. (S2, S13, G2)

use serde_json::{Value, json};
use testkit::Sandbox;

use super::lesson::on_a_terminal;
use super::shop;

const KEPT: &str = "// VIBE-KEEP START prices\nconst price = 1\n// VIBE-KEEP END prices\nlet other = 2\n";
const SETTINGS: &str = "{\"hooks\": {\"PreToolUse\": [\n\"test -x '/opt/vib' && exec '/opt/vib' hook claude-code || true\"\n]}}\n";

/// What Claude Code's hook says before this tool runs: `deny`, `ask` or nothing.
#[expect(clippy::needless_pass_by_value, reason = "`json!` reads best as an argument")]
fn before(sandbox: &Sandbox, tool: &str, input: Value) -> Option<String> {
    let payload = json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": sandbox.root(), "tool_name": tool, "tool_input": input,
        "tool_use_id": "c-1",
    });
    let output =
        Sandbox::run_with_input(&mut sandbox.command(&["hook", "claude-code"]), &payload.to_string()).ok();
    let answer: Value = serde_json::from_str(&output.stdout).unwrap_or_default();
    answer["hookSpecificOutput"]["permissionDecision"].as_str().map(str::to_owned)
}

fn guarded_shop() -> Sandbox {
    let shop = shop();
    shop.write("docs/law.md", "one\n");
    shop.write("kept.js", KEPT);
    shop.write(".claude/settings.json", SETTINGS);
    shop.write("vibelign.toml", "[protect]\npaths = [\"team.md\"]\n");
    shop.write("team.md", "ours\n");
    shop.vib(&["protect", "README.md", "docs"]).ok();
    shop
}

/// A patch that changes one line, from a file beside the project.
fn patch(sandbox: &Sandbox, path: &str, old: &str, new: &str) -> &'static str {
    let text = format!("--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-{old}\n+{new}\n");
    std::fs::write(sandbox.base().join("edit.patch"), text).unwrap();
    "../edit.patch"
}

#[cfg(unix)]
#[test]
fn another_name_of_a_protected_file_is_the_same_file_s13() {
    let shop = guarded_shop();
    let at = |path: &str| shop.root().join(path);
    let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, at(name)).unwrap();
    link("README.md", "file-link.md");
    link("docs", "folder-link");
    link("docs/new.md", "link-to-nothing.md");
    link("kept.js", "kept-link.js");
    link(".claude/settings.json", "settings-link.json");
    link(".claude/settings.local.json", "new-settings.json");
    std::fs::hard_link(at("README.md"), at("hard.md")).unwrap();
    std::fs::hard_link(at("docs/law.md"), at("law-twin.md")).unwrap();
    std::fs::hard_link(at(".claude/settings.json"), at("twin.json")).unwrap();
    for path in [
        "file-link.md",
        "folder-link/law.md",
        "folder-link/new.md",
        "link-to-nothing.md",
        "hard.md",
        "law-twin.md",
    ] {
        let word = before(&shop, "Write", json!({"file_path": at(path), "content": "x"}));
        assert_eq!(word.as_deref(), Some("deny"), "edit of {path}");
        let word = before(&shop, "Bash", json!({"command": format!("echo x > {path}")}));
        assert_eq!(word.as_deref(), Some("deny"), "command on {path}");
        let word = before(&shop, "mcp__fs__write_file", json!({"path": at(path), "content": "x"}));
        assert_eq!(word.as_deref(), Some("deny"), "tool on {path}");
    }
    for path in ["settings-link.json", "new-settings.json", "twin.json"] {
        for (tool, input) in [
            ("Write", json!({"file_path": at(path), "content": "{}"})),
            ("Bash", json!({"command": format!("echo x > {path}")})),
            ("mcp__fs__write_file", json!({"path": at(path), "content": "x"})),
        ] {
            let word = before(&shop, tool, input);
            assert!(matches!(word.as_deref(), Some("deny" | "ask")), "{tool} on {path}: {word:?}");
        }
    }
    let lose = json!({"file_path": at("kept-link.js"), "old_string": "price = 1", "new_string": "price = 9"});
    assert_eq!(before(&shop, "Edit", lose).as_deref(), Some("deny"), "a keep region behind a link");
    // A link goes without what it leads to.
    assert_eq!(before(&shop, "Bash", json!({"command": "rm file-link.md"})), None);
}

#[test]
fn a_tool_that_takes_a_folder_takes_what_is_protected_in_it_s13() {
    let shop = guarded_shop();
    for (tool, input) in [
        ("mcp__fs__delete_directory", json!({"path": shop.root().join("docs")})),
        ("mcp__fs__move_file", json!({"source": "docs", "destination": "old"})),
        ("mcp__fs__move_file", json!({"source": shop.root().join("README.md"), "destination": "old.md"})),
        ("Bash", json!({"command": "rm -r docs"})),
        ("Bash", json!({"command": "mv docs old"})),
    ] {
        assert_eq!(before(&shop, tool, input.clone()).as_deref(), Some("deny"), "{tool} {input}");
    }
    for (tool, input) in [
        ("mcp__fs__create_directory", json!({"path": shop.root().join("src/new")})),
        ("mcp__git__remove_branch", json!({"repo_path": shop.root(), "branch": "old"})),
        ("mcp__fs__delete_directory", json!({"path": shop.root().join("src")})),
    ] {
        assert_eq!(before(&shop, tool, input.clone()), None, "{tool} {input}");
    }
}

#[test]
fn a_harmless_edit_of_settings_is_a_question_and_one_of_our_entries_a_no_s13() {
    let shop = guarded_shop();
    let file = shop.root().join(".claude/settings.json");
    let edit = |old: &str, new: &str| {
        before(&shop, "Edit", json!({"file_path": file, "old_string": old, "new_string": new}))
    };
    assert_eq!(edit("PreToolUse", "Stop").as_deref(), Some("ask"));
    assert_eq!(edit("hook claude-code", "--version").as_deref(), Some("deny"));
    // The person's own settings are computed too, though they lie outside the project.
    let home = shop.base().join("home").join(".claude/settings.json");
    std::fs::create_dir_all(home.parent().unwrap()).unwrap();
    std::fs::write(&home, SETTINGS).unwrap();
    for (old, new, want) in [("PreToolUse", "Stop", "ask"), ("hook claude-code", "--version", "deny")] {
        let word = before(&shop, "Edit", json!({"file_path": home, "old_string": old, "new_string": new}));
        assert_eq!(word.as_deref(), Some(want), "{old}");
    }
    // As a tool without a shell writes it.
    let word = before(&shop, "mcp__fs__write_file", json!({"path": "~/.profile", "content": "x"}));
    assert_eq!(word.as_deref(), Some("ask"));
}

#[test]
fn a_patch_of_a_program_is_bound_like_an_edit_tool_s13() {
    let shop = guarded_shop();
    for (path, old, code) in [
        ("README.md", "# Shop", "protected"),
        ("docs/law.md", "one", "protected"),
        ("team.md", "ours", "protected"),
        (".claude/settings.json", "{\"hooks\": {\"PreToolUse\": [", "needs_person"),
        ("vibelign.toml", "[protect]", "needs_person"),
    ] {
        let was = shop.read(path);
        let error = shop.error(&["patch", patch(&shop, path, old, "other"), "--yes"]);
        assert_eq!(error["code"], code, "{path}: {error}");
        assert_eq!(shop.read(path), was, "{path}");
    }
    let entry = "--- a/.claude/settings.json\n+++ b/.claude/settings.json\n@@ -2 +2 @@\n-\"test -x '/opt/vib' && exec '/opt/vib' \
                 hook claude-code || true\"\n+\"true\"\n";
    std::fs::write(shop.base().join("edit.patch"), entry).unwrap();
    assert_eq!(shop.error(&["patch", "../edit.patch", "--yes"])["code"], "hook_entries");
    // A new file where everything is protected, a deletion, and a rename out of it.
    for text in [
        "--- /dev/null\n+++ b/docs/new.md\n@@ -0,0 +1 @@\n+x\n",
        "--- a/docs/law.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n",
        "diff --git a/docs/law.md b/law.md\nsimilarity index 100%\nrename from docs/law.md\nrename to law.md\n",
    ] {
        std::fs::write(shop.base().join("edit.patch"), text).unwrap();
        assert_eq!(shop.error(&["patch", "../edit.patch", "--yes"])["code"], "protected", "{text}");
    }
    // One file by name is no way around it.
    let diff = patch(&shop, "src/login.js", "check(user);", "free();");
    let by_name = |output: &str| shop.error(&["patch", diff, "--input", "src/login.js", "--output", output]);
    assert_eq!(by_name("README.md")["code"], "protected");
    assert_eq!(by_name(".claude/settings.json")["code"], "hook_entries");
    assert_eq!(by_name(".git/hooks/pre-commit")["code"], "git_hook");
    assert_eq!(shop.read("README.md"), "# Shop\n");
    shop.vib(&["patch", diff, "--input", "src/login.js", "--output", "src/free.js"]).ok();
    // Everything else goes on as before.
    shop.vib(&["patch", patch(&shop, "src/login.js", "check(user);", "check(user, now);"), "--yes"]).ok();
}

#[test]
fn what_vib_writes_by_name_is_no_way_around_it_s13() {
    let shop = guarded_shop();
    for (file, code) in [
        ("README.md", "protected"),
        (".claude/settings.json", "hook_entries"),
        ("vibelign.toml", "project_policy"),
    ] {
        let was = shop.read(file);
        assert_eq!(shop.error(&["transfer", "--handoff", "--out", file, "--yes"])["code"], code, "{file}");
        assert_eq!(
            shop.error(&["secrets", "scan", "--write-baseline", "--baseline", file])["code"],
            code,
            "{file}"
        );
        assert_eq!(shop.read(file), was, "{file}");
    }
    shop.vib(&["transfer", "--handoff", "--out", "page.md", "--yes"]).ok();
}

#[test]
fn an_opened_keep_region_is_named_g2() {
    let shop = guarded_shop();
    let text = "--- a/kept.js\n+++ b/kept.js\n@@ -2 +2 @@\n-const price = 1\n+const price = 9\n";
    std::fs::write(shop.base().join("edit.patch"), text).unwrap();
    let open = ["patch", "../edit.patch", "--no-keep-regions", "--reason", "the prices rose"];
    let seen = on_a_terminal(&shop, &open, "en_US.UTF-8", "y\n");
    assert!(seen.contains("kept.js has lines in a keep region"), "{seen}");
    assert!(shop.read("kept.js").contains("price = 9"), "{seen}");
}

#[test]
fn a_person_sees_what_is_guarded_and_may_do_it_s13() {
    let shop = guarded_shop();
    let diff = patch(&shop, "README.md", "# Shop", "# My shop");
    let seen = on_a_terminal(&shop, &["patch", diff, "--dry-run"], "en_US.UTF-8", "");
    assert!(seen.contains("guarded: README.md is protected"), "{seen}");
    assert_eq!(shop.read("README.md"), "# Shop\n");
    let seen = on_a_terminal(&shop, &["patch", diff, "--yes"], "en_US.UTF-8", "");
    assert!(seen.contains("guarded: README.md is protected"), "{seen}");
    assert_eq!(shop.read("README.md"), "# My shop\n");
    // Going back names it too.
    let seen = on_a_terminal(&shop, &["undo"], "en_US.UTF-8", "y\n\n");
    assert!(seen.contains("protected, and changed with the rest: `README.md`"), "{seen}");
    assert_eq!(shop.read("README.md"), "# Shop\n");
}

#[test]
fn what_is_protected_in_another_project_is_so_from_here_s13() {
    let shop = guarded_shop();
    let other = shop.base().join("other");
    std::fs::create_dir_all(other.join(".git")).unwrap();
    std::fs::write(other.join("law.md"), "one\n").unwrap();
    // Another seed, or both would have one id.
    let mut protect = shop.command(&["protect", "law.md"]);
    Sandbox::run(protect.env("VIBELIGN_TEST_SEED", "2").current_dir(&other)).ok();
    for (tool, input) in [
        ("Write", json!({"file_path": other.join("law.md"), "content": "x"})),
        ("Bash", json!({"command": format!("echo x > {}", other.join("law.md").display())})),
        ("mcp__fs__write_file", json!({"path": "../other/law.md", "content": "x"})),
    ] {
        let word = before(&shop, tool, input.clone());
        assert!(matches!(word.as_deref(), Some("deny")), "{tool} {input}: {word:?}");
    }
}
