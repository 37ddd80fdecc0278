//! `vib judge`

use insta::assert_snapshot;
use serde_json::{Value, json};
use testkit::{Output, Sandbox};

use super::shop;

/// Runs `vib judge --format claude-code` with this payload on standard input.
fn hook(shop: &Sandbox, payload: &str, environment: &[(&str, &str)]) -> Output {
    let mut command = shop.command(&["judge", "--format", "claude-code"]);
    command.envs(environment.iter().copied());
    Sandbox::run_with_input(&mut command, payload)
}

fn payload(shop: &Sandbox, command: &str) -> String {
    json!({
        "session_id": "s",
        "transcript_path": "/home/dev/t.jsonl",
        "cwd": shop.root(),
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command, "description": "d"},
        "tool_use_id": "toolu_1",
    })
    .to_string()
}

#[test]
fn a_harmless_command_is_allowed() {
    let shop = shop();
    assert_snapshot!(shop.vib(&["judge", "git log --oneline -5 | head -3"]).text(&shop), @r###"
    allow: nothing in it changes anything that matters
    "###);
    assert!(!shop.exists(".vibelign"), "judging leaves nothing behind");
}

#[test]
fn a_covered_loss_is_allowed_with_a_checkpoint_or_asked() {
    let shop = shop();
    assert_snapshot!(shop.vib(&["judge", "rm -rf src"]).text(&shop), @r###"
    allow with a checkpoint: what it changes can be brought back
      - deletes files of the project; the checkpoint brings them back: [base]/project/src
    Deletes: [base]/project/src/**
    Loses something that a checkpoint brings back.
    "###);
    let plain = Sandbox::run(shop.command(&["judge", "rm -rf src"]).env("VIBELIGN_GUARD_COVERED", "ask"));
    assert_snapshot!(plain.text(&shop), @r###"
    ask: a person should look at it first
      - deletes files of the project; the checkpoint brings them back: [base]/project/src
    Deletes: [base]/project/src/**
    Loses something that a checkpoint brings back.
    --- exit 1
    "###);
    shop.vib(&["config", "set", "guard.covered", "ask"]).ok();
    assert_eq!(shop.vib(&["judge", "rm -rf src"]).code, 1);
    let allowed = Sandbox::run(shop.command(&["judge", "rm -rf src"]).env("VIBELIGN_GUARD_COVERED", "allow"));
    assert_eq!(allowed.code, 0, "the environment wins");
    let wrong = Sandbox::run(shop.command(&["judge", "rm -rf src"]).env("VIBELIGN_GUARD_COVERED", "maybe"));
    assert_snapshot!(wrong.text(&shop), @r###"
    ask: a person should look at it first
      - deletes files of the project; the checkpoint brings them back: [base]/project/src
    Deletes: [base]/project/src/**
    Loses something that a checkpoint brings back.
    warning: VIBELIGN_GUARD_COVERED is neither `allow` nor `ask`: taken as `ask`
    --- exit 1
    "###);
}

#[test]
fn what_no_checkpoint_brings_back_is_asked_or_denied() {
    let shop = shop();
    assert_snapshot!(shop.vib(&["judge", "git push --force origin main"]).text(&shop), @r###"
    ask: a person should look at it first
      - overwrites or deletes branches on the shared repository: git push --force origin main
    Writes: files that are not named in the command
    Loses something that no checkpoint brings back.
    Talks to another machine.
    Rewrites recorded history.
    --- exit 1
    "###);
    assert_snapshot!(shop.vib(&["judge", "echo cm0gLXJmIH4= | base64 -d | sh"]).text(&shop), @r###"
    deny: it must not run
      - deletes a whole home folder: [base]/home
    Deletes: [base]/home/**
    Loses something that no checkpoint brings back.
    Reaches outside the project.
    --- exit 1
    "###);
    assert_snapshot!(shop.vib(&["judge", "echo x >> ~/.bashrc; cp a .git/hooks/pre-commit"]).text(&shop), @r###"
    ask: a person should look at it first
      - changes a file that runs or grants access by itself (added to): [base]/home/.bashrc
      - changes what git runs by itself (cp): [base]/project/.git/hooks/pre-commit
    Writes: [base]/home/.bashrc, [base]/project/.git/hooks/pre-commit
    Reaches outside the project.
    --- exit 1
    "###);
    assert_snapshot!(shop.vib(&["judge", "if then fi ("]).text(&shop), @r###"
    ask: a person should look at it first
      - not valid shell, so nobody can say what it does: if then fi (
    Writes: files that are not named in the command
    Not understood: if then fi (
    --- exit 1
    "###);
}

#[test]
fn the_json_has_every_fact() {
    let shop = shop();
    let data = shop.data(&["judge", "touch src/new.js && rm README.md"]);
    assert_eq!(data["decision"], "allow_with_checkpoint");
    assert_eq!(data["needs_checkpoint"], true);
    assert_eq!(data["covered"], "allow");
    let verdict = &data["verdict"];
    for (fact, want) in [
        ("can_write", true),
        ("writes_project", true),
        ("destructive", true),
        ("reversible_by_checkpoint", true),
        ("leaves_project", false),
        ("network", false),
        ("privilege", false),
        ("history_rewrite", false),
    ] {
        assert_eq!(verdict[fact], want, "{fact}: {data}");
    }
    assert!(verdict["writes"][0]["path"].as_str().unwrap().ends_with("src/new.js"));
    assert!(verdict["deletes"][0]["path"].as_str().unwrap().ends_with("README.md"));
    assert_eq!(verdict["unknown"], json!([]));

    let elsewhere = shop.data(&["judge", "touch /tmp/x"]);
    assert_eq!(elsewhere["needs_checkpoint"], false);
    assert_eq!(elsewhere["verdict"]["can_write"], true);
}

#[test]
fn the_folder_decides_what_a_path_means() {
    let shop = shop();
    shop.checkpoint("now the project is known by its folder");
    assert_eq!(shop.vib(&["judge", "rm -r ../src", "--cwd", "src"]).code, 0);
    assert_eq!(
        shop.vib(&["judge", "rm -r ../project", "--cwd", "src"]).code,
        0,
        "there is no such folder in it"
    );
    assert_eq!(shop.vib(&["judge", "rm -r ../project"]).code, 1, "from the root it is the project itself");
    assert_snapshot!(shop.vib(&["judge", "ls", "--cwd", "nowhere"]).text(&shop), @r###"
    --- stderr
    error[io]: failed to canonicalize path `[base]/project/nowhere`: No such file or directory (os error 2)
    next: check that the file or folder still exists
    --- exit 3
    "###);
    let piped = Sandbox::run_with_input(&mut shop.command(&["judge", "-"]), "git status\n");
    assert_eq!(piped.code, 0);
    assert_eq!(shop.vib(&["judge"]).code, 2);
}

#[test]
fn what_a_checkpoint_leaves_out_is_not_called_covered() {
    let shop = shop();
    shop.write(".gitignore", "photos/\nnode_modules/\n");
    shop.write("photos/a.jpg", "x");
    shop.write("node_modules/a/index.js", "x");
    assert_snapshot!(shop.vib(&["judge", "rm -rf photos"]).text(&shop), @r###"
    ask: a person should look at it first
      - deletes ignored files, which no checkpoint holds, so this cannot be brought back: [base]/project/photos
    Deletes: [base]/project/photos/**
    Loses something that no checkpoint brings back.
    --- exit 1
    "###);
    assert_eq!(shop.vib(&["judge", "rm -rf node_modules"]).code, 0, "a tool makes it again");
    let data = shop.data(&["judge", "rm -rf node_modules"]);
    assert_eq!(data["verdict"]["reversible_by_checkpoint"], false, "and it is not called reversible");
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_project_is_followed() {
    let shop = shop();
    assert_eq!(shop.vib(&["judge", "rm -rf inside/x"]).code, 0);
    std::os::unix::fs::symlink("/usr/share", shop.root().join("inside")).unwrap();
    assert_eq!(shop.vib(&["judge", "rm -rf inside/x"]).code, 1);
}

#[test]
fn policies_tighten_and_only_the_user_may_loosen() {
    let shop = shop();
    shop.write(
        ".vibelign/policy.toml",
        "[[deny]]\ncommand = 'npm publish'\nreason = 'releases are made by CI'\n\n[[allow]]\ncommand = 'git push origin main'\n",
    );
    assert_snapshot!(shop.vib(&["judge", "cd src && npm  'publish' --tag x"]).text(&shop), @r###"
    deny: it must not run
      - releases are made by CI: npm publish --tag x
        makes something public that cannot be called back: npm publish --tag x
    Talks to another machine.
    warning: the project's policy may not `allow` anything: that part is not used
    --- exit 1
    "###);
    assert_eq!(shop.vib(&["judge", "git push origin main"]).code, 1, "a project may not allow");
    let config = shop.base().join("config");
    std::fs::create_dir_all(&config).unwrap();
    std::fs::write(config.join("policy.toml"), "[[allow]]\ncommand = 'git push origin main'\n").unwrap();
    assert_eq!(shop.vib(&["judge", "git push origin main"]).code, 0, "the user may");
    assert_eq!(shop.vib(&["judge", "npm publish"]).code, 1);
}

#[test]
fn a_broken_policy_never_allows_more() {
    let shop = shop();
    let config = shop.base().join("config");
    std::fs::create_dir_all(&config).unwrap();
    std::fs::write(config.join("policy.toml"), "[[deny]\ncommand = 'npm publish'\n").unwrap();
    assert_snapshot!(shop.vib(&["judge", "touch x"]).text(&shop), @r###"
    ask: a person should look at it first
      - the policy file `[base]/config/policy.toml` cannot be read: unclosed array table, expected `]`; correct or delete it, until then every command that may change something is asked about
        changes files in the project (touched): [base]/project/x
    Writes: [base]/project/x
    --- exit 1
    "###);
    assert_eq!(shop.vib(&["judge", "ls"]).code, 0, "looking is still free");
}

#[test]
fn claude_code_gets_one_object_or_nothing() {
    let shop = shop();
    for quiet in ["git status", "cargo test"] {
        let output = hook(&shop, &payload(&shop, quiet), &[]).ok();
        assert_eq!((output.stdout.as_str(), output.stderr.as_str()), ("", ""), "{quiet}");
    }
    assert_snapshot!(hook(&shop, &payload(&shop, "git push -f"), &[]).text(&shop), @r###"
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"vib: overwrites or deletes branches on the shared repository (`git push -f`)"}}
    "###);
    let denied = hook(&shop, &payload(&shop, "sudo rm -rf /"), &[]).ok().json();
    assert_eq!(denied["hookSpecificOutput"]["permissionDecision"], "deny");
    // No checkpoint is taken here, so a covered loss is asked about.
    let covered = payload(&shop, "rm -rf src");
    assert_eq!(hook(&shop, &covered, &[]).ok().json()["hookSpecificOutput"]["permissionDecision"], "ask");
    assert_eq!(hook(&shop, &covered, &[("VIBELIGN_GUARD_COVERED", "allow")]).ok().stdout, "");
}

#[test]
fn a_payload_that_is_not_understood_is_asked_about() {
    let shop = shop();
    for broken in ["", "not json", "{\"tool_name\":\"Bash\",\"tool_input\":{}}"] {
        let answer = hook(&shop, broken, &[]).ok().json();
        assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "ask", "{broken}");
    }
    let mut gone: Value = serde_json::from_str(&payload(&shop, "ls")).unwrap();
    gone["cwd"] = json!("/no/such/folder");
    let answer = hook(&shop, &gone.to_string(), &[]).ok().json();
    assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "ask");
    let mut edit: Value = gone;
    edit["tool_name"] = json!("Edit");
    assert_eq!(hook(&shop, &edit.to_string(), &[]).ok().stdout, "", "other tools are not ours");
}

#[test]
fn a_permission_request_is_answered_only_with_a_denial() {
    let shop = shop();
    let mut request: Value = serde_json::from_str(&payload(&shop, "git push -f")).unwrap();
    request["hook_event_name"] = json!("PermissionRequest");
    assert_eq!(hook(&shop, &request.to_string(), &[]).ok().stdout, "", "the person is asked already");
    request["tool_input"]["command"] = json!("rm -rf /");
    let answer = hook(&shop, &request.to_string(), &[]).ok().json();
    assert_eq!(answer["hookSpecificOutput"]["decision"]["behavior"], "deny");
}

/// A program that plays the model: a shell script with this body.
#[cfg(unix)]
fn second_opinion(shop: &Sandbox, body: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    let file = shop.base().join("model");
    std::fs::write(&file, format!("#!/bin/sh\n{body}\n")).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    file.display().to_string()
}

#[cfg(unix)]
#[test]
fn a_second_opinion_decides_only_what_was_not_understood() {
    let shop = shop();
    let seen = shop.base().join("seen");
    let body = format!(
        "cat > {0}.in; env > {0}.env; pwd > {0}.pwd; ls -A >> {0}.pwd\necho '{{\"decision\":\"allow\",\"reason\":\"it reads\"}}'",
        seen.display()
    );
    let model = second_opinion(&shop, &body);
    shop.vib(&["config", "set", "guard.llm_command", &model]).ok();
    shop.vib(&["config", "set", "guard.llm_env", "MODEL_KEY"]).ok();
    let unknown = "$TOOL --list sk_live_not_a_secret";
    let mut command = shop.command(&["judge", unknown]);
    command.env("MODEL_KEY", "k").env("OTHER_SECRET", "o");
    assert_snapshot!(Sandbox::run(&mut command).text(&shop), @r###"
    allow with a checkpoint: not all of it is known here; what it changes in saved files comes back
      - the name of the command is only known when it runs: $TOOL --list sk_live_not_a_secret
    Writes: files that are not named in the command
    Not understood: $TOOL --list sk_live_not_a_secret
    Second opinion: `[base]/model` says allow: it reads
    "###);

    let read = |end: &str| std::fs::read_to_string(format!("{}.{end}", seen.display())).unwrap();
    let question: Value = serde_json::from_str(&read("in")).unwrap();
    assert_eq!(question["command"], unknown);
    let environment = read("env");
    assert!(environment.contains("MODEL_KEY=k"), "{environment}");
    for hidden in ["OTHER_SECRET", "VIBELIGN_STATE", "VIBELIGN_CONFIG"] {
        assert!(!environment.contains(hidden), "{environment}");
    }
    let folder = read("pwd");
    assert_eq!(folder.lines().count(), 1, "an empty folder: {folder}");
    assert!(environment.contains(&format!("HOME={}", folder.trim())), "{environment}");

    // What is understood as harmful is not asked again.
    std::fs::remove_file(format!("{}.in", seen.display())).unwrap();
    assert_eq!(shop.vib(&["judge", "git push --force"]).code, 1);
    assert_eq!(shop.vib(&["judge", "$TOOL x; rm -rf ~"]).code, 1);
    assert!(!std::path::Path::new(&format!("{}.in", seen.display())).exists());
}

#[cfg(unix)]
#[test]
fn a_second_opinion_that_fails_leaves_the_question_and_then_a_pause() {
    let shop = shop();
    let model = second_opinion(&shop, "exit 3");
    shop.vib(&["config", "set", "guard.llm_command", &model]).ok();
    assert_snapshot!(shop.vib(&["judge", "$TOOL"]).text(&shop), @r###"
    ask: a person should look at it first
      - the name of the command is only known when it runs: $TOOL
    Writes: files that are not named in the command
    Not understood: $TOOL
    Second opinion: `[base]/model` gave no answer: it failed (exit status: 3)
    --- exit 1
    "###);
    second_opinion(&shop, "echo I would allow that");
    let garbage = shop.vib(&["judge", "$TOOL", "--json"]).json();
    assert_eq!(garbage["data"]["second_opinion"]["said"], "none");
    assert_eq!(garbage["data"]["decision"], "ask");
    shop.vib(&["config", "set", "guard.llm_timeout", "1"]).ok();
    second_opinion(&shop, "sleep 30");
    let slow = shop.vib(&["judge", "$TOOL", "--json"]).json();
    assert_eq!(slow["data"]["second_opinion"]["reason"], "it took too long and was stopped");
    assert_eq!(slow["data"]["decision"], "ask");

    // Three failures: now it is left in peace, whatever it would say.
    second_opinion(&shop, "echo '{\"decision\":\"allow\"}'");
    shop.set_clock(1_767_268_800_000 + 4 * 60_000 + 30_000);
    let paused = shop.vib(&["judge", "$TOOL", "--json"]).json();
    assert_eq!(paused["data"]["decision"], "ask", "{paused}");
    assert!(paused["data"]["second_opinion"]["reason"].as_str().unwrap().contains("failed three times"));
    shop.set_clock(1_767_268_800_000 + 60 * 60_000);
    assert_eq!(shop.vib(&["judge", "$TOOL"]).code, 0, "after the pause it is asked again");
}

#[test]
fn a_missing_program_or_a_project_cannot_decide() {
    let shop = shop();
    shop.write(".vibelign/config.toml", "[guard]\nllm_command = 'sh'\ncovered = 'ask'\n");
    let data = shop.vib(&["judge", "$TOOL", "--json"]).json();
    assert_eq!(data["data"]["second_opinion"], Value::Null, "only the user may name a program");
    assert_eq!(shop.vib(&["judge", "rm -rf src"]).code, 1, "a project may tighten");
    shop.vib(&["config", "set", "guard.llm_command", "/no/such/program"]).ok();
    let data = shop.vib(&["judge", "$TOOL", "--json"]).json();
    assert_eq!(data["data"]["decision"], "ask");
    assert!(data["data"]["second_opinion"]["reason"].as_str().unwrap().contains("could not be started"));
}
