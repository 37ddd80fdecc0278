//! The Inspector in CLI mode: every tool listed and called until it has done what it is for, over stdio and HTTP, in both eras.
//!
//! Both eras are spoken by the Inspector itself (`--protocol-era legacy`: handshake and session; `modern`: no handshake, every request
//! says who asks). What it cannot do in CLI mode is show a form, so here a person says yes with `vib approve` at a terminal. Answers
//! through a form (`elicitation/create` in a session, `input_required` without one) are tried by the scripted peer in
//! `crates/mcp/tests/server`, in both eras too.

use std::process::Command;

use serde_json::{Value, json};
use testkit::{Output, Sandbox};
use vib_e2e::{mcp_tools, on_a_terminal, vib};

use crate::server::Running;

const FILES: &[(&str, &str)] = &[("README.md", "# A shop\n"), ("src/prices.py", GOOD)];
const GOOD: &str = "green = 4\nblack = 3\n";
const BROKEN: &str = "green = 5\nblack = 3\n";
const PATCH: &str =
    "--- a/src/prices.py\n+++ b/src/prices.py\n@@ -1,2 +1,2 @@\n-green = 5\n+green = 6\n black = 3\n";

/// What a tool needs besides its arguments.
#[derive(Clone, Copy, PartialEq)]
enum Needs {
    Nothing,
    Grant,
    GrantAndYes,
}
use Needs::{Grant, GrantAndYes, Nothing};

/// A project with something to recover and something to remember.
struct Shop {
    sandbox: Sandbox,
    checkpoint: String,
}

impl Shop {
    fn new() -> Self {
        let sandbox = Sandbox::with_files(vib(), FILES).with_real_clock();
        let checkpoint = sandbox.checkpoint("good");
        // The Inspector calls only what is listed, and this is about every tool.
        sandbox.vib(&["config", "set", "mcp.tools", "all"]).ok();
        sandbox.vib(&["memory", "intent", "Sell", "oolong", "too"]).ok();
        Self { sandbox, checkpoint }
    }

    /// Every tool, with arguments that fit.
    fn calls(&self, round: &str) -> Vec<(&'static str, Value, Needs)> {
        let id = &self.checkpoint;
        let one_file = json!({"checkpoint_id": id, "paths": ["src/prices.py"], "apply": true});
        vec![
            ("memory_summary_read", json!({}), Nothing),
            ("memory_full_read", json!({}), GrantAndYes),
            (
                "memory_write",
                json!({"kind": "decision", "text": format!("Prices stay whole, {round}")}),
                GrantAndYes,
            ),
            ("recovery_preview", json!({}), Nothing),
            ("recovery_apply", one_file, GrantAndYes),
            ("checkpoint_create", json!({"message": format!("By the Inspector, {round}")}), Nothing),
            ("handoff_export", json!({}), GrantAndYes),
            ("memory_recall", json!({"query": "prices"}), Nothing),
            ("capture_lesson", json!({"text": format!("Look at the prices first, {round}")}), GrantAndYes),
            ("checkpoint_list", json!({}), Nothing),
            ("checkpoint_diff", json!({"from": id}), Nothing),
            ("rollback_to_checkpoint", json!({"checkpoint_id": id}), GrantAndYes),
            ("patch_apply", json!({"diff": PATCH}), Grant),
            ("guard_check", json!({}), Nothing),
            ("explain_get", json!({}), Nothing),
            ("project_map_get", json!({}), Nothing),
            ("why_get", json!({"path": "src/prices.py"}), Nothing),
            ("edit_scope", json!({}), Nothing),
        ]
    }

    /// What the tool was called for is really there.
    fn assert_effect(&self, tool: &str, round: &str, data: &Value) {
        let text = data.to_string();
        let has = |text: &str, wanted: &str| {
            assert!(text.contains(wanted), "{tool} {round}: `{wanted}` is not in {text}");
        };
        match tool {
            "memory_summary_read" | "memory_full_read" => has(&text, "Sell oolong too"),
            "memory_write" => {
                has(
                    &self.sandbox.data(&["memory", "show"]).to_string(),
                    &format!("Prices stay whole, {round}"),
                );
            }
            "recovery_preview" => has(&text, "src/prices.py"),
            "recovery_apply" | "rollback_to_checkpoint" => {
                assert_eq!(self.sandbox.read("src/prices.py"), GOOD, "{tool} {round}");
                assert_eq!(data["restored"], json!(["src/prices.py"]), "{tool} {round}: {data}");
            }
            "checkpoint_create" => {
                has(
                    &self.sandbox.data(&["history", "--checkpoints"]).to_string(),
                    &format!("By the Inspector, {round}"),
                );
            }
            "handoff_export" => has(data["text"].as_str().unwrap_or_default(), "Sell oolong too"),
            "memory_recall" => has(&text, "Prices stay whole"),
            "capture_lesson" => {
                has(&self.sandbox.read("LESSONS.md"), &format!("Look at the prices first, {round}"));
            }
            "checkpoint_list" => has(&text, &self.checkpoint),
            "checkpoint_diff" => has(&text, "green = 5"),
            "patch_apply" => {
                assert_eq!(self.sandbox.read("src/prices.py"), "green = 6\nblack = 3\n", "{tool} {round}");
                assert!(data["snapshotId"].is_string(), "the state before is saved: {data}");
            }
            "guard_check" => {
                assert!(data["files"].as_u64() >= Some(1), "it looked at the change, {round}: {data}");
                assert_eq!(data["checks_not_run"], json!([]), "{round}: {data}");
            }
            "explain_get" | "why_get" => has(&text, "src/prices.py"),
            "edit_scope" => {
                assert!(data["zone"].is_array() && data["protected"].is_array(), "{round}: {data}")
            }
            "project_map_get" => {
                assert_eq!(data["languages"], json!([{"count": 1, "what": "python"}]), "{round}: {data}");
            }
            other => panic!("nothing is said about the effect of {other}"),
        }
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

    /// One call of a tool; the result as the server gave it.
    fn call(&self, target: &[String], era: &str, tool: &str, arguments: &Value) -> Value {
        let arguments = arguments.to_string();
        let words = ["--method", "tools/call", "--tool-name", tool, "--tool-args-json", &arguments];
        let output = self.inspect(target, era, &words);
        let answer: Value = serde_json::from_str(output.stdout.lines().next().unwrap_or_default())
            .unwrap_or_else(|error| panic!("{tool} {era}: {error}: {}\n{}", output.stdout, output.stderr));
        answer["result"].clone()
    }

    /// A person grants what the client asked for, in the words of the refusal. The client's name comes from there as well.
    fn grant_everything(&self, target: &[String], era: &str) {
        let refused = self.call(target, era, "memory_full_read", &json!({}));
        let error = &refused["structuredContent"]["error"];
        assert_eq!(
            (&refused["isError"], error["code"].as_str()),
            (&json!(true), Some("not_granted")),
            "{refused}"
        );
        let command = error["command"].as_str().expect("the command for a person");
        let name =
            command.strip_prefix("vib mcp grant ").and_then(|rest| rest.strip_suffix(" memory_full_read"));
        let name = name.unwrap_or_else(|| panic!("{command}")).trim_matches('"');
        for capability in
            ["memory_full_read", "memory_write", "recovery_apply", "handoff_export", "patch_apply"]
        {
            let seen = on_a_terminal(&self.sandbox, &["mcp", "grant", name, capability], "y\n");
            assert!(seen.contains(name), "the person sees who is allowed: {seen}");
        }
    }

    /// Lists strictly and calls everything until it is done: no answer is an error but the one that asks for a person's yes.
    fn through(&self, target: &[String], transport: &str, era: &str) {
        let list = self.inspect(target, era, &["--method", "tools/list", "--strict"]);
        assert_eq!(list.code, 0, "{era}: {}\n{}", list.stdout, list.stderr);
        let listed: Value = serde_json::from_str(list.stdout.trim()).expect("JSON");
        let names: Vec<&str> = listed["result"]["tools"]
            .as_array()
            .expect("tools")
            .iter()
            .filter_map(|t| t["name"].as_str())
            .collect();
        let round = format!("{transport} {era}");
        let mut called = Vec::new();
        for (tool, mut arguments, needs) in self.calls(&round) {
            self.sandbox.write("src/prices.py", BROKEN);
            if needs == GrantAndYes {
                let asked = self.call(target, era, tool, &arguments);
                let error = &asked["structuredContent"]["error"];
                assert_eq!(error["code"], "needs_confirmation", "{tool} {round}: {asked}");
                let operation = error["operation_id"].as_str().expect("an operation");
                assert_eq!(
                    self.sandbox.read("src/prices.py"),
                    BROKEN,
                    "{tool} {round}: nothing happens before the yes"
                );
                let seen = on_a_terminal(&self.sandbox, &["approve", operation], "y\n");
                assert!(seen.contains("Allowed once"), "{tool} {round}: {seen}");
                arguments["operation_id"] = json!(operation);
            }
            let result = self.call(target, era, tool, &arguments);
            let answer = &result["structuredContent"];
            assert_ne!(result["isError"], true, "{tool} {round}: {answer}");
            assert_eq!(answer["ok"], true, "{tool} {round}: {answer}");
            if needs == GrantAndYes {
                assert_eq!(answer["confirmed_via"], "terminal", "{tool} {round}: {answer}");
            }
            self.assert_effect(tool, &round, &answer["data"]);
            called.push(tool);
        }
        assert_eq!(called, names, "every tool was called");
    }
}

#[test]
fn over_stdio_in_both_eras() {
    let shop = Shop::new();
    let target = [vib().display().to_string(), "mcp".to_owned(), "serve".to_owned()];
    shop.grant_everything(&target, "legacy");
    for era in ["legacy", "modern"] {
        shop.through(&target, "stdio", era);
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
    shop.grant_everything(&target, "modern");
    for era in ["legacy", "modern"] {
        shop.through(&target, "http", era);
    }
    let without =
        shop.inspect(&[url, "--stored-auth-only".to_owned()], "legacy", &["--method", "tools/list"]);
    assert_ne!(without.code, 0, "without the token nothing is told: {}", without.stdout);
}
