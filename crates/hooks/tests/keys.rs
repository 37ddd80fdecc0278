//! A live-looking key on the way in is stopped, in every client, and the person can allow this one. (G5, R15)

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use std::process::Command;

use crate::world::World;
use redact::proof::seal;
use redact::template::expand;
use serde_json::{Value, json};
use vib_hooks::Client;

/// A key as GitHub issues it: its checksum fits. Made of random letters, so nobody owns it.
fn key(seed: u64) -> String {
    let body = expand("<an:30>", seed);
    format!("ghp_{body}{}", seal(&body))
}

/// What the client is told about a recorded payload, whatever form its answer has.
fn answer(world: &World, client: Client, event: &str, payload: &Value) -> String {
    world.hook(client, event, payload).stdout
}

fn is_stopped(told: &str, key: &str) -> bool {
    told.contains("looks live") && told.contains("vib secrets allow") && !told.contains(&key[..20])
}

/// The payload that each client sent for a write, with this content in its place.
fn writes(world: &World, content: &str) -> Vec<(Client, &'static str, Value)> {
    let mut claude = world.recorded("claude/PreToolUse/Write");
    claude["tool_input"]["content"] = json!(content);
    let mut codex = world.recorded("codex/PreToolUse/apply_patch");
    let patch = format!("*** Begin Patch\n*** Add File: hello.txt\n+{content}\n*** End Patch");
    codex["tool_input"]["command"] = json!(patch);
    let mut gemini = world.recorded("gemini/BeforeTool/write_file");
    gemini["tool_input"]["content"] = json!(content);
    let mut opencode = world.recorded("opencode/tool.execute.before/write");
    opencode["tool_input"]["content"] = json!(content);
    let mut copilot = world.recorded("copilot/preToolUse/create");
    copilot["toolArgs"]["file_text"] = json!(content);
    vec![
        (Client::ClaudeCode, "PreToolUse", claude),
        (Client::Codex, "PreToolUse", codex),
        (Client::Gemini, "BeforeTool", gemini),
        (Client::OpenCode, "tool.execute.before", opencode),
        (Client::Copilot, "preToolUse", copilot),
    ]
}

#[test]
fn a_write_with_a_live_key_is_stopped_in_every_client_g5() {
    let world = World::new();
    let content = format!("const token = \"{}\";", key(1));
    for (client, event, payload) in writes(&world, &content) {
        let told = answer(&world, client, event, &payload);
        assert!(is_stopped(&told, &key(1)), "{client:?}: {told}");
    }
}

#[test]
fn what_is_no_live_key_passes_in_every_client_g5() {
    let world = World::new();
    // Its checksum betrays the first; the others are an example, a hash and a reference.
    let made_up =
        expand("const token = \"ghp_<an:36>\"; const hash = \"<hex:64>\"; const k = process.env.API_KEY;", 3);
    for (client, event, payload) in writes(&world, &made_up) {
        let told = answer(&world, client, event, &payload);
        assert!(!told.contains("looks live"), "{client:?}: {told}");
    }
}

#[test]
fn an_edit_is_stopped_only_for_what_it_adds_g5() {
    let world = World::new();
    world.write("src/a.ts", &format!("const old = \"{}\";\n", key(1)));
    let edit = |old: &str, new: &str| {
        let input = json!({"file_path": world.root.join("src/a.ts"), "old_string": old, "new_string": new});
        world
            .claude("PreToolUse", json!({"tool_name": "Edit", "tool_use_id": new, "tool_input": input}))
            .to_string()
    };
    let moved = format!("// moved\nconst old = \"{}\";", key(1));
    assert!(
        !edit(&format!("const old = \"{}\";", key(1)), &moved).contains("looks live"),
        "it is there already"
    );
    let told = edit("const old", &format!("const fresh = \"{}\"; const old", key(2)));
    assert!(is_stopped(&told, &key(2)), "{told}");
}

#[test]
fn the_person_allows_this_one_by_fingerprint_g5() {
    let world = World::new();
    let write = |path: &str, content: &str| {
        let input = json!({"file_path": world.root.join(path), "content": content});
        world
            .claude("PreToolUse", json!({"tool_name": "Write", "tool_use_id": content, "tool_input": input}))
            .to_string()
    };
    let told = write("src/a.ts", &key(1));
    let fingerprint = told.split("vib secrets allow ").nth(1).unwrap().split('`').next().unwrap().to_owned();
    let (context, act) = (world.context(), engine::person::Act::AcceptSecrets);
    let by = engine::person::require(&context, act, &engine::person::nobody).unwrap();
    engine::secrets::allowed::allow(&world.engine(), &fingerprint, &by).unwrap();
    assert!(!write("src/a.ts", &key(1)).contains("looks live"));
    assert!(is_stopped(&write("src/b.ts", &key(2)), &key(2)), "another key is another question");
}

#[test]
fn a_file_for_secrets_that_git_does_not_see_is_the_right_place_g5() {
    let world = World::new();
    git(&world, &["init", "-q"]);
    world.write(".gitignore", ".env\n");
    let write = |path: &str| {
        let input = json!({"file_path": world.root.join(path), "content": format!("TOKEN={}\n", key(1))});
        world
            .claude("PreToolUse", json!({"tool_name": "Write", "tool_use_id": path, "tool_input": input}))
            .to_string()
    };
    assert!(!write(".env").contains("looks live"));
    for path in [".env.production.txt", "config.ts"] {
        let told = write(path);
        assert!(is_stopped(&told, &key(1)), "{path}: {told}");
    }
}

fn git(world: &World, arguments: &[&str]) {
    let status = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main"])
        .args(arguments)
        .current_dir(&world.root)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .status()
        .unwrap();
    assert!(status.success(), "{arguments:?}");
}

#[test]
fn a_commit_with_a_live_key_is_stopped_in_every_client_g5() {
    let world = World::new();
    git(&world, &["init", "-q"]);
    git(&world, &["add", "-A"]);
    git(&world, &["commit", "-qm", "first"]);
    world.write("src/new.ts", &format!("const token = \"{}\";\n", key(1)));
    let commands = |line: &str| {
        let mut claude = world.recorded("claude/PreToolUse/Bash");
        claude["tool_input"]["command"] = json!(line);
        let mut codex = world.recorded("codex/PreToolUse/Bash");
        codex["tool_input"]["command"] = json!(line);
        let mut gemini = world.recorded("gemini/BeforeTool/run_shell_command");
        gemini["tool_input"]["command"] = json!(line);
        let mut opencode = world.recorded("opencode/tool.execute.before/bash");
        opencode["tool_input"]["command"] = json!(line);
        let mut copilot = world.recorded("copilot/preToolUse/bash");
        copilot["toolArgs"]["command"] = json!(line);
        vec![
            (Client::ClaudeCode, "PreToolUse", claude),
            (Client::Codex, "PreToolUse", codex),
            (Client::Gemini, "BeforeTool", gemini),
            (Client::OpenCode, "tool.execute.before", opencode),
            (Client::Copilot, "preToolUse", copilot),
        ]
    };
    // Nothing is staged: a plain commit takes nothing in.
    for (client, event, payload) in commands("git commit -m x") {
        let told = answer(&world, client, event, &payload);
        assert!(!told.contains("looks live"), "{client:?}: {told}");
    }
    for (client, event, payload) in commands("git add -A && git commit -m x") {
        let told = answer(&world, client, event, &payload);
        assert!(is_stopped(&told, &key(1)) && told.contains("src/new.ts"), "{client:?}: {told}");
    }
    git(&world, &["add", "-A"]);
    for (client, event, payload) in commands("git commit -m x") {
        let told = answer(&world, client, event, &payload);
        assert!(is_stopped(&told, &key(1)), "{client:?}: {told}");
    }
    // What is committed already comes in with no further commit.
    git(&world, &["commit", "-qm", "second"]);
    world.write("src/new.ts", &format!("const token = \"{}\"; // more\n", key(1)));
    for (client, event, payload) in commands("git commit -am x") {
        let told = answer(&world, client, event, &payload);
        assert!(!told.contains("looks live"), "{client:?}: {told}");
    }
}

#[test]
fn a_command_that_writes_a_key_is_stopped_g5() {
    let world = World::new();
    let run = |line: &str| {
        let input = json!({"command": line});
        world
            .claude("PreToolUse", json!({"tool_name": "Bash", "tool_use_id": line, "tool_input": input}))
            .to_string()
    };
    let told = run(&format!("echo 'TOKEN={}' > settings.conf", key(1)));
    assert!(is_stopped(&told, &key(1)), "{told}");
    assert!(
        !run(&format!("curl -H 'Authorization: token {}' https://api.github.com/user", key(1)))
            .contains("looks live")
    );
}

#[test]
fn of_several_files_a_command_writes_the_one_that_the_key_goes_into_counts_g5() {
    let world = World::new();
    git(&world, &["init", "-q"]);
    world.write(".gitignore", ".env\n");
    let run = |line: &str| {
        let input = json!({"command": line});
        world
            .claude("PreToolUse", json!({"tool_name": "Bash", "tool_use_id": line, "tool_input": input}))
            .to_string()
    };
    let key = key(1);
    for line in [
        format!("touch .env && echo 'TOKEN={key}' > src/conf.js"),
        format!("echo x > .env; cat > src/conf.js <<'END'\nTOKEN={key}\nEND"),
        format!("echo 'TOKEN={key}' | tee .env src/conf.js"),
    ] {
        let told = run(&line);
        assert!(is_stopped(&told, &key), "{line}: {told}");
    }
    for line in [
        format!("echo 'TOKEN={key}' >> .env && npm run build > build.log"),
        format!("cat > .env <<END\nTOKEN={key}\nEND\necho done > log.txt"),
    ] {
        let told = run(&line);
        assert!(!told.contains("looks live"), "{line}: {told}");
    }
}

/// A cell of a notebook, a file tool of another server: what they write stands in arguments of any name.
#[test]
fn a_tool_that_writes_in_a_form_of_its_own_is_looked_at_too_g5() {
    let world = World::new();
    let key = key(1);
    let call = |tool: &str, input: Value| {
        world
            .claude(
                "PreToolUse",
                json!({"tool_name": tool, "tool_use_id": input.to_string(), "tool_input": input}),
            )
            .to_string()
    };
    let file = world.root.join("a.ipynb");
    let source = format!("import x\ntoken = \"{key}\"\n");
    for (tool, input) in [
        ("NotebookEdit", json!({"notebook_path": file, "cell_id": "1", "new_source": source})),
        ("mcp__files__write_file", json!({"path": file, "body": source})),
        ("mcp__files__append", json!({"path": file, "lines": [format!("token = {key}")]})),
    ] {
        let told = call(tool, input);
        assert!(is_stopped(&told, &key), "{tool}: {told}");
    }
    let harmless =
        json!({"notebook_path": file, "cell_id": "1", "new_source": "token = os.environ['TOKEN']"});
    assert!(!call("NotebookEdit", harmless).contains("looks live"));
}
