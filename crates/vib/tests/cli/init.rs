//! `vib init` (CP7)

use insta::assert_snapshot;

use super::shop;

#[test]
fn prepares_once_and_keeps_out_of_git() {
    let shop = shop();
    shop.shell("git init -q .");
    assert_snapshot!(shop.vib(&["init", "--yes"]).text(&shop), @r###"
    This project is protected now: [base]/project
    Checkpoints are kept in [base]/state/projects/[id]
    Saved checkpoint srkrnshy (3 files looked at, 4 paths changed)
    Next: `vib status` shows what changed, `vib checkpoint` saves, `vib undo` goes back.
    "###);
    assert_snapshot!(shop.vib(&["init"]).text(&shop), @r###"
    This project is already protected: [base]/project
    Checkpoints are kept in [base]/state/projects/[id]
    Next: `vib status` shows what changed, `vib checkpoint` saves, `vib undo` goes back.
    "###);
    let status = std::process::Command::new("git")
        .args(["status", "--porcelain"])
        .current_dir(shop.root())
        .output()
        .unwrap();
    assert!(!String::from_utf8_lossy(&status.stdout).contains(".vibelign"));
}

#[test]
fn the_home_folder_is_refused_and_here_insists() {
    let shop = shop();
    let home = shop.base().join("home");
    let output = testkit::Sandbox::run(shop.command(&["checkpoint", "--json"]).current_dir(&home));
    assert_eq!(output.json()["error"]["code"], "root_too_wide");
    let inner = shop.root().join("src");
    shop.vib(&["init"]).ok();
    let output = testkit::Sandbox::run(shop.command(&["init", "--here", "--json"]).current_dir(&inner)).ok();
    assert!(output.json()["data"]["root"].as_str().unwrap().ends_with("/src"));
}

#[test]
fn a_clone_elsewhere_can_adopt_the_checkpoints_cp7() {
    let shop = shop();
    let id = shop.data(&["init"])["id"].as_str().unwrap().to_owned();
    let clone = shop.base().join("clone");
    std::fs::rename(shop.root(), shop.base().join("gone")).unwrap();
    std::fs::remove_dir_all(shop.base().join("gone")).unwrap();
    std::fs::create_dir(&clone).unwrap();
    testkit::Sandbox::run(shop.command(&["init", "--adopt", &id]).current_dir(&clone)).ok();
    testkit::Sandbox::run(shop.command(&["undo", "--yes"]).current_dir(&clone)).ok();
    assert_eq!(std::fs::read_to_string(clone.join("README.md")).unwrap(), "# Shop\n");
    let output =
        testkit::Sandbox::run(shop.command(&["init", "--adopt", "no-such", "--json"]).current_dir(&clone));
    assert_eq!(output.json()["error"]["code"], "unknown_project");
}

#[test]
fn the_state_folder_is_private_cp7() {
    use std::os::unix::fs::PermissionsExt;
    let shop = shop();
    shop.vib(&["init"]).ok();
    for folder in [shop.state(), shop.store(), shop.store().join("packs")] {
        assert_eq!(folder.metadata().unwrap().permissions().mode() & 0o777, 0o700, "{}", folder.display());
    }
}

#[test]
fn a_state_folder_inside_the_project_is_refused() {
    let shop = shop();
    let output = testkit::Sandbox::run(
        shop.command(&["init", "--json"]).env("VIBELIGN_STATE", shop.root().join("state")),
    );
    assert_eq!(output.json()["error"]["code"], "state_inside_project");
}

/// A program by this name can be found.
fn client(shop: &testkit::Sandbox, name: &str) {
    let bin = shop.base().join("bin");
    std::fs::create_dir_all(&bin).unwrap();
    std::os::unix::fs::symlink("/bin/echo", bin.join(name)).unwrap();
}

/// The path of the program under test differs from machine to machine.
fn text(shop: &testkit::Sandbox, output: &testkit::Output) -> String {
    output.text(shop).replace(env!("CARGO_BIN_EXE_vib"), "[vib]")
}

#[test]
fn hooks_are_installed_where_a_client_is_found_hk1() {
    let shop = shop();
    client(&shop, "claude");
    client(&shop, "codex");
    assert_snapshot!(text(&shop, &shop.vib(&["init"])), @r###"
    This project is protected now: [base]/project
    Checkpoints are kept in [base]/state/projects/[id]
    Saved checkpoint srkrnshy (3 files looked at, 4 paths changed)
    Next: `vib status` shows what changed, `vib checkpoint` saves, `vib undo` goes back.
    Claude Code
      create .claude/settings.json
        + a hook for each of 11 events: SessionStart, UserPromptSubmit, PreToolUse, PermissionRequest, PostToolUse, PostToolUseFailure, SubagentStart, SubagentStop, PreCompact, Stop, SessionEnd
        + each runs `test -x '[vib]' && exec '[vib]' hook claude-code || true`
      create .mcp.json
        + vib's MCP server: it runs `[vib] mcp serve`
      create .claude/commands/rollback.md
        + the chat command /rollback
      create .claude/commands/lesson.md
        + the chat command /lesson
    Codex CLI
      create .codex/hooks.json
        + a hook for each of 10 events: SessionStart, UserPromptSubmit, PreToolUse, PermissionRequest, PostToolUse, SubagentStart, SubagentStop, PreCompact, Stop, SessionEnd
        + each runs `test -x '[vib]' && exec '[vib]' hook codex || true`
      create .codex/config.toml
        + vib's MCP server: it runs `[vib] mcp serve`
    Nothing was installed for 2 clients yet: `vib init --yes` makes these changes.
    "###);
    assert!(!shop.exists(".claude"), "nobody said yes");
    assert_snapshot!(text(&shop, &shop.vib(&["init", "--yes"])), @r###"
    This project is already protected: [base]/project
    Checkpoints are kept in [base]/state/projects/[id]
    Next: `vib status` shows what changed, `vib checkpoint` saves, `vib undo` goes back.
    Claude Code
      create .claude/settings.json
        + a hook for each of 11 events: SessionStart, UserPromptSubmit, PreToolUse, PermissionRequest, PostToolUse, PostToolUseFailure, SubagentStart, SubagentStop, PreCompact, Stop, SessionEnd
        + each runs `test -x '[vib]' && exec '[vib]' hook claude-code || true`
      create .mcp.json
        + vib's MCP server: it runs `[vib] mcp serve`
      create .claude/commands/rollback.md
        + the chat command /rollback
      create .claude/commands/lesson.md
        + the chat command /lesson
    Codex CLI
      create .codex/hooks.json
        + a hook for each of 10 events: SessionStart, UserPromptSubmit, PreToolUse, PermissionRequest, PostToolUse, SubagentStart, SubagentStop, PreCompact, Stop, SessionEnd
        + each runs `test -x '[vib]' && exec '[vib]' hook codex || true`
      create .codex/config.toml
        + vib's MCP server: it runs `[vib] mcp serve`
    Hooks installed for Claude Code, Codex CLI (this project).
    Codex CLI: Codex runs no hook before you trusted it: start `codex` in this folder, trust the folder, then type `/hooks` and approve vib's. Until then nothing happens, and Codex does not say so
    Next: `vib doctor` checks that they work; `vib init --remove` takes them out.
    "###);
    assert!(shop.read(".claude/settings.json").contains("hook claude-code"));
    assert_snapshot!(text(&shop, &shop.vib(&["init"])), @r###"
    This project is already protected: [base]/project
    Checkpoints are kept in [base]/state/projects/[id]
    Next: `vib status` shows what changed, `vib checkpoint` saves, `vib undo` goes back.
    Hooks are in place for Claude Code, Codex CLI (this project).
    "###);
    assert_snapshot!(text(&shop, &shop.vib(&["init", "--remove"])), @r###"
    --- stderr
    error[needs_confirmation]: this would change files, and nobody is there to say yes
    next: look at the preview with `--dry-run`, then add `--yes` if that is what you want
    --- exit 1
    "###);
    assert_snapshot!(text(&shop, &shop.vib(&["init", "--remove", "--yes"])), @r###"
    Claude Code
      delete .claude/settings.json
        - goes: vib made it
      delete .mcp.json
        - goes: vib made it
      delete .claude/commands/rollback.md
        - goes: vib made it
      delete .claude/commands/lesson.md
        - goes: vib made it
    Codex CLI
      delete .codex/hooks.json
        - goes: vib made it
      delete .codex/config.toml
        - goes: vib made it
    Hooks taken out of Claude Code, Codex CLI (this project).
    "###);
    assert!(!shop.exists(".claude") && !shop.exists(".codex"));
    assert_snapshot!(text(&shop, &shop.vib(&["init", "--remove", "--yes"])), @r###"
    There are no hooks of vib in this project.
    "###);
}

#[test]
fn what_was_there_comes_back_byte_for_byte_hk1() {
    let shop = shop();
    let original = "\u{feff}{\r\n\t\"hooks\": { \"Stop\": [ { \"hooks\": [ { \"type\": \"command\", \
                    \"command\": \"mine\" } ] } ] },\r\n\t\"model\":   \"opus\"  \r\n}";
    shop.write(".claude/settings.json", original);
    shop.write("dotfiles/gemini.json", "{\"ui\":{\"theme\":\"x\"}}");
    std::fs::create_dir(shop.root().join(".gemini")).unwrap();
    std::os::unix::fs::symlink("../dotfiles/gemini.json", shop.root().join(".gemini/settings.json")).unwrap();
    let before = testkit::Photo::of(&shop.root());
    let data = shop.data(&["init", "--yes"]);
    assert_eq!(data["hooks"]["clients"][0]["status"], "installed");
    assert_eq!(data["hooks"]["clients"].as_array().unwrap().len(), 2);
    assert!(shop.read(".claude/settings.json").contains("hook claude-code"));
    assert!(shop.read("dotfiles/gemini.json").contains("hook gemini"));
    shop.vib(&["init", "--remove", "--yes"]).ok();
    shop.remove(".vibelign");
    testkit::Photo::of(&shop.root()).assert_same(&before);
}

#[test]
fn the_hooks_can_be_in_the_users_own_settings_or_left_out_hk1() {
    let shop = shop();
    let home = shop.base().join("home");
    shop.vib(&["init", "--yes", "--client", "gemini", "--client", "copilot", "--scope", "user"]).ok();
    assert!(home.join(".gemini/settings.json").is_file() && home.join(".copilot/hooks/vib.json").is_file());
    assert!(!shop.exists(".gemini") && !shop.exists(".github"));
    let again = shop.data(&["init", "--yes", "--client", "gemini"]);
    assert_eq!(again["hooks"]["clients"][0]["status"], "in_other_scope");
    let data = shop.data(&["init", "--yes", "--no-hooks"]);
    assert!(data["hooks"].is_null());
    shop.vib(&["init", "--yes", "--remove", "--scope", "user"]).ok();
    assert!(!home.join(".gemini").exists() && !home.join(".copilot").exists());
}

#[test]
fn a_broken_settings_file_is_refused_with_its_place_hk1() {
    let shop = shop();
    shop.write(".gemini/settings.json", "{\n  \"a\": [1, 2\n}\n");
    let output = shop.vib(&["init", "--yes", "--client", "gemini", "--client", "cursor"]);
    assert_eq!(output.code, 1);
    assert_snapshot!(text(&shop, &output), @r###"
    This project is protected now: [base]/project
    Checkpoints are kept in [base]/state/projects/[id]
    Saved checkpoint srkrnshy (4 files looked at, 6 paths changed)
    Next: `vib status` shows what changed, `vib checkpoint` saves, `vib undo` goes back.
    Cursor
      create .cursor/hooks.json
        + a hook for each of 9 events: sessionStart, beforeSubmitPrompt, preToolUse, beforeShellExecution, beforeMCPExecution, postToolUse, afterFileEdit, stop, sessionEnd
        + each runs `test -x '[vib]' && exec '[vib]' hook cursor || true`
      create .cursor/mcp.json
        + vib's MCP server: it runs `[vib] mcp serve`
    Hooks installed for Cursor (this project).
    Gemini CLI: not done: `[base]/project/.gemini/settings.json` is not valid JSON: line 3, column 1: Unexpected close brace
      mend the file there, then run the command again; nothing was written
    Cursor: Cursor's hooks are written from its documentation and were not tried on Cursor itself
    Next: `vib doctor` checks that they work; `vib init --remove` takes them out.
    --- exit 1
    "###);
    assert_eq!(shop.read(".gemini/settings.json"), "{\n  \"a\": [1, 2\n}\n");
    assert!(shop.exists(".cursor/hooks.json"), "the other client is done");
}

#[test]
fn looking_first_changes_nothing_hk1() {
    let shop = shop();
    let data = shop.data(&["init", "--dry-run", "--all"]);
    let clients = data["hooks"]["clients"].as_array().unwrap();
    assert_eq!(clients.len(), 6);
    assert!(clients.iter().all(|client| client["status"] == "pending"), "{clients:?}");
    let mut names: Vec<_> =
        std::fs::read_dir(shop.root()).unwrap().flatten().map(|e| e.file_name()).collect();
    names.sort();
    assert_eq!(names, [".vibelign", "README.md", "src"]);
}
