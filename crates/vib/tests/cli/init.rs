//! `vib init` (CP7)

use insta::assert_snapshot;

use super::shop;

#[test]
fn prepares_once_and_keeps_out_of_git() {
    let shop = shop();
    shop.shell("git init -q .");
    assert_snapshot!(shop.vib(&["init", "--yes"]).text(&shop), @r###"
    Saved checkpoint srkrnshy (3 files looked at, 4 paths changed)
    Saved by hand only: no agent calls vib here. `vib checkpoint` saves, `vib init --client NAME` connects an agent: [base]/project
      not found here: Claude Code, Codex CLI, Gemini CLI, OpenCode, Copilot CLI, Cursor
    Checkpoints are kept in [base]/state/projects/[id]
    Next: `vib status` shows what changed, `vib checkpoint` saves, `vib undo` goes back.
    "###);
    assert_snapshot!(shop.vib(&["init"]).text(&shop), @r###"
    Saved by hand only: no agent calls vib here. `vib checkpoint` saves, `vib init --client NAME` connects an agent: [base]/project
      not found here: Claude Code, Codex CLI, Gemini CLI, OpenCode, Copilot CLI, Cursor
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
    Claude Code
      create ~/.claude/settings.json
        + a hook for each of 11 events: SessionStart, UserPromptSubmit, PreToolUse, PermissionRequest, PostToolUse, PostToolUseFailure, SubagentStart, SubagentStop, PreCompact, Stop, SessionEnd
        + each runs `test -x '[vib]' && exec '[vib]' hook claude-code || true`
      create ~/.claude/commands/rollback.md
        + the chat command /rollback
      create ~/.claude/commands/lesson.md
        + the chat command /lesson
      run claude mcp add --scope user vib -- [vib] mcp serve
        + Claude Code's own command adds vib's MCP server, in a file that vib does not edit
    Codex CLI
      create ~/.codex/hooks.json
        + a hook for each of 10 events: SessionStart, UserPromptSubmit, PreToolUse, PermissionRequest, PostToolUse, SubagentStart, SubagentStop, PreCompact, Stop, SessionEnd
        + each runs `test -x '[vib]' && exec '[vib]' hook codex || true`
      create ~/.codex/config.toml
        + vib's MCP server: it runs `[vib] mcp serve`
    Nothing was installed for 2 clients yet: `vib init --yes` makes these changes.
    Saved checkpoint srkrnshy (3 files looked at, 4 paths changed)
    Saved by hand only: no agent calls vib here. `vib checkpoint` saves, `vib init --client NAME` connects an agent: [base]/project
      Claude Code  found, not connected
      Codex CLI    found, not connected
      not found here: Gemini CLI, OpenCode, Copilot CLI, Cursor
    Checkpoints are kept in [base]/state/projects/[id]
    Next: `vib status` shows what changed, `vib checkpoint` saves, `vib undo` goes back.
    "###);
    assert!(!shop.exists(".claude"), "nobody said yes");
    assert_snapshot!(text(&shop, &shop.vib(&["init", "--yes"])), @r###"
    Claude Code
      create ~/.claude/settings.json
        + a hook for each of 11 events: SessionStart, UserPromptSubmit, PreToolUse, PermissionRequest, PostToolUse, PostToolUseFailure, SubagentStart, SubagentStop, PreCompact, Stop, SessionEnd
        + each runs `test -x '[vib]' && exec '[vib]' hook claude-code || true`
      create ~/.claude/commands/rollback.md
        + the chat command /rollback
      create ~/.claude/commands/lesson.md
        + the chat command /lesson
      run claude mcp add --scope user vib -- [vib] mcp serve
        + Claude Code's own command adds vib's MCP server, in a file that vib does not edit
    Codex CLI
      create ~/.codex/hooks.json
        + a hook for each of 10 events: SessionStart, UserPromptSubmit, PreToolUse, PermissionRequest, PostToolUse, SubagentStart, SubagentStop, PreCompact, Stop, SessionEnd
        + each runs `test -x '[vib]' && exec '[vib]' hook codex || true`
      create ~/.codex/config.toml
        + vib's MCP server: it runs `[vib] mcp serve`
    Hooks installed for Claude Code, Codex CLI (your own settings, for every project).
    Claude Code: its MCP servers are in a file of its own, which vib leaves alone: `claude mcp add --scope user vib -- [vib] mcp serve` adds vib's
    Protected from the next session of your agents on (restart those that run now): [base]/project
      Claude Code  connected (your own settings, for every project)
      Codex CLI    connected (your own settings, for every project)
                   needs you: it runs no hook before you approved it, and does not say so: start `codex`, type `/hooks`, approve vib's
      not found here: Gemini CLI, OpenCode, Copilot CLI, Cursor
    Checkpoints are kept in [base]/state/projects/[id]
    Next: `vib status` shows what changed, `vib checkpoint` saves, `vib undo` goes back; `vib doctor` checks the hooks.
    "###);
    let own = std::fs::read_to_string(shop.base().join("home/.claude/settings.json")).unwrap();
    assert!(own.contains("hook claude-code ||"), "{own}");
    assert_snapshot!(text(&shop, &shop.vib(&["init"])), @r###"
    Hooks are in place for Codex CLI (your own settings, for every project).
    Claude Code
      run claude mcp add --scope user vib -- [vib] mcp serve
        + Claude Code's own command adds vib's MCP server, in a file that vib does not edit
    Nothing was installed for 1 client yet: `vib init --yes` makes these changes.
    Protected from the next session of your agents on (restart those that run now): [base]/project
      Claude Code  connected (your own settings, for every project)
      Codex CLI    connected (your own settings, for every project)
                   needs you: it runs no hook before you approved it, and does not say so: start `codex`, type `/hooks`, approve vib's
      not found here: Gemini CLI, OpenCode, Copilot CLI, Cursor
    Checkpoints are kept in [base]/state/projects/[id]
    Next: `vib status` shows what changed, `vib checkpoint` saves, `vib undo` goes back; `vib doctor` checks the hooks.
    "###);
    assert_snapshot!(text(&shop, &shop.vib(&["init", "--remove"])), @r###"
    --- stderr
    error[needs_confirmation]: this would change files, and nobody can confirm it here
    next: look at the preview with `--dry-run`, then add `--yes` if that is what you want
    --- exit 1
    "###);
    assert_snapshot!(text(&shop, &shop.vib(&["init", "--remove", "--yes"])), @r###"
    Claude Code
      delete ~/.claude/settings.json
        - goes: vib made it
      delete ~/.claude/commands/rollback.md
        - goes: vib made it
      delete ~/.claude/commands/lesson.md
        - goes: vib made it
    Codex CLI
      delete ~/.codex/hooks.json
        - goes: vib made it
      delete ~/.codex/config.toml
        - goes: vib made it
    Hooks taken out of Claude Code, Codex CLI (all settings).
    "###);
    assert!(!shop.base().join("home/.claude").exists() && !shop.base().join("home/.codex").exists());
    assert_snapshot!(text(&shop, &shop.vib(&["init", "--remove", "--yes"])), @r###"
    There are no hooks of vib in any settings.
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
    let data = shop.data(&["init", "--yes", "--scope", "team"]);
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
    assert_eq!(again["hooks"]["clients"][0]["status"], "current", "your own are the default");
    let data = shop.data(&["init", "--yes", "--no-hooks"]);
    assert!(data["hooks"].is_null());
    assert_eq!(data["protection"], "hooks", "what is true does not depend on what was asked for");
    shop.vib(&["init", "--yes", "--remove", "--scope", "user"]).ok();
    assert!(!home.join(".gemini").exists() && !home.join(".copilot").exists());
}

#[test]
fn a_broken_settings_file_is_refused_with_its_place_hk1() {
    let shop = shop();
    shop.write(".gemini/settings.json", "{\n  \"a\": [1, 2\n}\n");
    let output = shop.vib(&["init", "--yes", "--client", "gemini", "--client", "cursor", "--scope", "team"]);
    assert_eq!(output.code, 1);
    assert_snapshot!(text(&shop, &output), @r###"
    Cursor
      create .cursor/hooks.json
        + a hook for each of 9 events: sessionStart, beforeSubmitPrompt, preToolUse, beforeShellExecution, beforeMCPExecution, postToolUse, afterFileEdit, stop, sessionEnd
        + each runs `command -v vib >/dev/null 2>&1 && exec vib hook cursor --team || test -x "$HOME/.local/state/vibelign/bin/vib" && exec "$HOME/.local/state/vibelign/bin/vib" hook cursor --team || echo 'vib is not installed here: this project asks for it (undo and guard rails for agents), and goes on without' >&2`
      create .cursor/mcp.json
        + vib's MCP server: it runs `sh -c command -v vib >/dev/null 2>&1 && exec vib mcp serve || test -x "$HOME/.local/state/vibelign/bin/vib" && exec "$HOME/.local/state/vibelign/bin/vib" mcp serve || echo 'vib is not installed here: this project asks for it (undo and guard rails for agents), and goes on without' >&2`
    Hooks installed for Cursor (this project's shared files).
    Gemini CLI: not done: `[base]/project/.gemini/settings.json` is not valid JSON: line 3, column 1: Unexpected close brace
      mend the file there, then run the command again; nothing was written
    Cursor: Cursor's hooks are written from its documentation and were not tried on Cursor itself
    Saved checkpoint srkrnshy (6 files looked at, 9 paths changed)
    Protected from the next session of your agents on (restart those that run now): [base]/project
      Gemini CLI   could not be connected
      Cursor       connected (this project's shared files)
      not found here: Claude Code, Codex CLI, OpenCode, Copilot CLI
    Checkpoints are kept in [base]/state/projects/[id]
    Next: `vib status` shows what changed, `vib checkpoint` saves, `vib undo` goes back; `vib doctor` checks the hooks.
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

#[test]
fn two_clones_with_two_vibs_share_one_set_up_t15() {
    let shop = shop();
    let git = "git -c user.name=a -c user.email=a@b -c init.defaultBranch=main";
    shop.shell(&format!("{git} init -q . && git add -A && {git} commit -qm start"));
    // Everybody has vib somewhere else.
    let vib = |name: &str| {
        let folder = shop.base().join(name);
        std::fs::create_dir(&folder).unwrap();
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_vib"), folder.join("vib")).unwrap();
        let path = std::env::join_paths([folder.clone(), "/usr/bin".into(), "/bin".into()]).unwrap();
        (folder.join("vib"), path)
    };
    let run = |(program, path): &(std::path::PathBuf, std::ffi::OsString), folder: &std::path::Path| {
        let mut command = shop.command(&[]);
        let mut other = std::process::Command::new(program);
        other.args(["init", "--scope", "team", "--all", "--yes"]).current_dir(folder).env_clear();
        other.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.env_clear();
        testkit::Sandbox::run(other.env("PATH", path)).ok();
    };
    let (anna, bert) = (vib("anna"), vib("bert"));
    run(&anna, &shop.root());
    shop.shell(&format!("git add -A && {git} commit -qm vib"));
    shop.shell("git clone -q . ../clone");
    let clone = shop.base().join("clone");
    run(&bert, &clone);
    run(&anna, &shop.root());
    for folder in [&shop.root(), &clone] {
        let output = std::process::Command::new("git")
            .args(["status", "--porcelain"])
            .current_dir(folder)
            .output()
            .unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "", "{}", folder.display());
    }
    let text = std::fs::read_to_string(clone.join(".claude/settings.json")).unwrap();
    assert!(text.contains("command -v vib") && !text.contains(shop.base().to_str().unwrap()), "{text}");
}

#[test]
fn the_first_checkpoint_holds_vibs_own_entries_t4() {
    let shop = shop();
    shop.vib(&["init", "--yes", "--scope", "team", "--client", "claude-code"]).ok();
    shop.write("README.md", "broken");
    shop.vib(&["undo", "--yes"]).ok();
    assert!(shop.read(".claude/settings.json").contains("hook claude-code"), "undo does not switch vib off");
    assert!(shop.exists(".mcp.json"));
    assert_eq!(shop.read("README.md"), "# Shop\n");
}

#[test]
fn protected_is_said_only_where_it_is_true_t9() {
    let shop = shop();
    let output = shop.vib(&["init", "--yes"]).ok();
    assert!(
        output.stdout.contains("Saved by hand only") && !output.stdout.contains("protected"),
        "{}",
        output.stdout
    );
    client(&shop, "claude");
    let data = shop.data(&["init"]);
    assert_eq!(data["protection"], "by_hand", "nobody said yes");
    assert_eq!(data["connections"][0]["state"], "not_connected");
    let data = shop.data(&["init", "--yes"]);
    assert_eq!(
        (&data["protection"], &data["connections"][0]["state"]),
        (&"hooks".into(), &"connected".into())
    );
    let output = shop.vib(&["init", "--remove", "--yes", "--json"]).ok();
    assert_eq!(output.json()["data"]["protection"], "by_hand");
}
