//! The Inspector in CLI mode: every tool listed and called, over stdio and HTTP, in both eras.

use std::process::Command;

use serde_json::{Value, json};
use testkit::{Output, Sandbox};
use vib_e2e::{mcp_tools, vib};

use crate::server::Running;

const FILES: &[(&str, &str)] = &[("README.md", "# A shop\n"), ("src/prices.py", "green = 4\nblack = 3\n")];

/// A project with something to recover. Nothing is granted to the Inspector: what needs a grant is called up to its refusal.
struct Shop {
    sandbox: Sandbox,
    checkpoint: String,
}

impl Shop {
    fn new() -> Self {
        let sandbox = Sandbox::with_files(vib(), FILES).with_real_clock();
        let checkpoint = sandbox.checkpoint("good");
        sandbox.write("src/prices.py", "green = 5\nblack = 3\n");
        Self { sandbox, checkpoint }
    }

    /// Every tool with arguments that fit, and whether it may do what it is asked without a grant.
    fn calls(&self) -> Vec<(&'static str, Value, bool)> {
        let patch =
            "--- a/src/prices.py\n+++ b/src/prices.py\n@@ -1,2 +1,2 @@\n-green = 5\n+green = 6\n black = 3\n";
        let id = &self.checkpoint;
        vec![
            ("memory_summary_read", json!({}), true),
            ("memory_full_read", json!({}), false),
            ("memory_write", json!({"kind": "risk", "text": "prices change"}), false),
            ("recovery_preview", json!({}), true),
            (
                "recovery_apply",
                json!({"checkpoint_id": id, "paths": ["src/prices.py"], "apply": true}),
                false,
            ),
            ("checkpoint_create", json!({"message": "by the Inspector"}), true),
            ("handoff_export", json!({}), false),
            ("memory_recall", json!({"query": "prices"}), true),
            ("capture_lesson", json!({"text": "Look at the prices first"}), false),
            ("checkpoint_list", json!({}), true),
            ("checkpoint_diff", json!({"from": id}), true),
            ("rollback_to_checkpoint", json!({"checkpoint_id": id}), false),
            ("patch_apply", json!({"diff": patch, "preview": true}), true),
            ("guard_check", json!({}), true),
            ("explain_get", json!({}), true),
            ("project_map_get", json!({}), true),
        ]
    }

    fn inspect(&self, target: &[String], era: &str, more: &[&str]) -> Output {
        let tools = mcp_tools();
        // Its own environment is the sandbox's: the server that it starts lives in there too.
        let like = self.sandbox.command(&[]);
        let mut command = Command::new(tools.join(".bin/mcp-inspector"));
        command.env_clear().current_dir(self.sandbox.root());
        command.envs(like.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.args(["--cli", "--protocol-era", era, "--format", "json"]).args(more);
        // It starts servers with a few variables only, as many clients do.
        let state = self.sandbox.state();
        let config = self.sandbox.base().join("config");
        for (name, folder) in [("VIBELIGN_STATE", state), ("VIBELIGN_CONFIG", config)] {
            command.arg("-e").arg(format!("{name}={}", folder.display()));
        }
        command.args(target);
        Sandbox::run(&mut command)
    }

    /// Lists strictly and calls everything; a refusal is an answer, a broken one is not.
    fn through(&self, target: &[String], era: &str) {
        let list = self.inspect(target, era, &["--method", "tools/list", "--strict"]);
        assert_eq!(list.code, 0, "{era}: {}\n{}", list.stdout, list.stderr);
        let listed: Value = serde_json::from_str(list.stdout.trim()).expect("JSON");
        let names: Vec<&str> = listed["result"]["tools"]
            .as_array()
            .expect("tools")
            .iter()
            .filter_map(|t| t["name"].as_str())
            .collect();
        let mut called = Vec::new();
        for (tool, arguments, is_free) in self.calls() {
            let arguments = arguments.to_string();
            let words = ["--method", "tools/call", "--tool-name", tool, "--tool-args-json", &arguments];
            let output = self.inspect(target, era, &words);
            let answer: Value = serde_json::from_str(output.stdout.lines().next().unwrap_or_default())
                .unwrap_or_else(|error| {
                    panic!("{tool} {era}: {error}: {}\n{}", output.stdout, output.stderr)
                });
            let answer = &answer["result"]["structuredContent"];
            assert_eq!(answer["ok"], is_free, "{tool} {era}: {answer}");
            assert!(is_free || answer["error"]["code"] == "not_granted", "{tool} {era}: {answer}");
            called.push(tool);
        }
        assert_eq!(called, names, "every tool was called");
    }
}

#[test]
fn over_stdio_in_both_eras() {
    let shop = Shop::new();
    let target = [vib().display().to_string(), "mcp".to_owned(), "serve".to_owned()];
    for era in ["legacy", "modern"] {
        shop.through(&target, era);
    }
}

#[test]
fn over_http_in_both_eras() {
    let shop = Shop::new();
    let server = Running::start(&mut shop.sandbox.command(&["mcp", "serve", "--http", "--json"]));
    let listening: Value = serde_json::from_str(&server.line).expect("where it listens");
    let token =
        std::fs::read_to_string(listening["token_file"].as_str().expect("a file")).expect("the token");
    let url = listening["url"].as_str().expect("an address").to_owned();
    let target = [url.clone(), "--header".to_owned(), format!("Authorization: Bearer {token}")];
    for era in ["legacy", "modern"] {
        shop.through(&target, era);
    }
    let without =
        shop.inspect(&[url, "--stored-auth-only".to_owned()], "legacy", &["--method", "tools/list"]);
    assert_ne!(without.code, 0, "without the token nothing is told: {}", without.stdout);
}
