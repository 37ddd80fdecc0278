//! `vib doctor` (HK1)

use insta::assert_snapshot;

use super::shop;

#[test]
fn a_machine_without_clients_is_fine() {
    let shop = shop();
    shop.vib(&["init"]).ok();
    assert_snapshot!(shop.vib(&["doctor"]).text(&shop), @r###"
      ok       state folder: `[base]/state` can be written
      ok       project: `[base]/project`
      ok       store: opens; the newest checkpoint is srkrnshy
      note     no agent client was found on this machine
               fix: `vib init --client NAME` installs hooks for one anyway
    Saved by hand only: no agent calls vib here. `vib init` connects your agents.
    Nothing that was looked at is broken.
    "###);
}

#[test]
fn an_unknown_project_stays_unknown() {
    let shop = shop();
    let data = shop.data(&["doctor"]);
    assert_eq!(data["ground"][1]["what"], "project");
    assert_eq!(data["ground"][1]["ok"], false);
    assert_eq!(data["problems"], 0);
    assert!(!shop.exists(".vibelign"), "looking changes nothing");
}

#[test]
fn a_vib_that_is_gone_and_a_broken_file_are_named_with_their_fix() {
    let shop = shop();
    shop.vib(&["init", "--yes", "--client", "claude-code", "--scope", "project"]).ok();
    let settings = shop.read(".claude/settings.local.json");
    shop.write(".claude/settings.local.json", settings.replace(env!("CARGO_BIN_EXE_vib"), "/gone/vib"));
    shop.write(".gemini/settings.json", "{\n  \"a\": tru\n}\n");
    let output = shop.vib(&["doctor"]);
    assert_eq!(output.code, 1);
    assert_snapshot!(output.text(&shop), @r###"
      ok       state folder: `[base]/state` can be written
      ok       project: `[base]/project`
      ok       store: opens; the newest checkpoint is srkrnshy

    Claude Code  (no program on PATH; found [base]/project/.claude)
      note     .claude/settings.local.json: the hooks are not as this vib writes them
               fix: `vib init --client claude-code --scope project --yes` writes them anew
      problem  the hooks call `/gone/vib`, and there is no such program: they do nothing
               fix: `vib init --client claude-code --scope project --yes` writes them anew
      note     Claude Code never called vib here

    Gemini CLI  (no program on PATH; found [base]/project/.gemini)
      problem  `[base]/project/.gemini/settings.json` is not valid JSON: line 2, column 8: Unexpected word
               fix: mend the file there, then run the command again; nothing was written
      note     Gemini CLI never called vib here
    Switched off: hooks are installed for Claude Code, but they do not run. Saved by hand only until then.
    2 things to mend.
    --- exit 1
    "###);
}

#[test]
fn a_store_that_does_not_open_is_a_problem() {
    let shop = shop();
    shop.vib(&["init"]).ok();
    shop.replace_index(b"rubbish");
    let output = shop.vib(&["doctor", "--json"]);
    assert_eq!(output.code, 1);
    let data = &output.json()["data"];
    assert_eq!((&data["ground"][2]["what"], &data["ground"][2]["problem"]), (&"store".into(), &true.into()));
}

#[test]
fn every_installed_hook_of_every_client_answers_hk1() {
    let shop = shop();
    shop.vib(&["init", "--yes", "--all"]).ok();
    let data = shop.vib(&["doctor", "--json"]).json()["data"].clone();
    let clients = data["clients"].as_array().unwrap();
    assert_eq!(clients.len(), 6, "{data}");
    for client in clients {
        let calls = client["calls"].as_array().unwrap();
        assert!(calls.len() >= 6, "{client}");
        assert!(calls.iter().all(|call| call["problem"].is_null()), "{client}");
        let problems =
            client["checks"].as_array().unwrap().iter().filter(|check| check["state"] == "problem");
        // Codex runs no hook before the person approved it; nothing else is wrong with the person's own settings.
        let wants_approval = client["client"] == "codex";
        assert_eq!(problems.count(), usize::from(wants_approval), "{client}");
    }
}

/// Installs one client's hooks, changes the world, and gives back what the doctor says about the client.
fn after(client: &str, scope: &str, change: impl FnOnce(&testkit::Sandbox)) -> (String, String) {
    let shop = shop();
    shop.vib(&["init", "--yes", "--client", client, "--scope", scope]).ok();
    change(&shop);
    let said = shop.vib(&["doctor"]).stdout;
    assert!(!said.contains("works"), "{said}");
    (said, shop.data(&["status"])["protection"]["verdict"].to_string())
}

fn home(shop: &testkit::Sandbox, path: &str, text: &str) {
    let file = shop.base().join("home").join(path);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, text).unwrap();
}

fn in_home(shop: &testkit::Sandbox, path: &str) -> String {
    std::fs::read_to_string(shop.base().join("home").join(path)).unwrap()
}

#[test]
fn c6_a_comment_makes_claude_code_ignore_its_settings() {
    let file = ".claude/settings.json";
    let (said, verdict) = after("claude-code", "user", |shop| {
        home(shop, file, &in_home(shop, file).replacen('{', "{\n  // mine", 1));
    });
    let words = "Claude Code does not read ~/.claude/settings.json at all, without saying so: there is a comment in line 2";
    assert!(said.contains(words), "{said}");
    assert!(said.contains("Switched off:"), "{said}");
    assert_eq!(verdict, "\"switched_off\"");
}

#[test]
fn c6_hooks_are_not_added_to_a_file_that_claude_code_does_not_read() {
    let shop = shop();
    home(&shop, ".claude/settings.json", "{\n  // mine\n  \"model\": \"opus\"\n}\n");
    let data = shop.vib(&["init", "--yes", "--client", "claude-code", "--scope", "user", "--json"]).json();
    let error = &data["data"]["hooks"]["clients"][0]["error"];
    assert_eq!(error["code"], "client_config_unread", "{data}");
    assert!(error["message"].as_str().unwrap().contains("comment in line 2"), "{data}");
    assert_eq!(in_home(&shop, ".claude/settings.json"), "{\n  // mine\n  \"model\": \"opus\"\n}\n");
}

#[test]
fn c6_claude_codes_switch_is_seen_in_every_file_it_reads() {
    for place in ["project/.claude/settings.json", "project/.claude/settings.local.json"] {
        let (said, verdict) = after("claude-code", "user", |shop| {
            let file = shop.base().join(place);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, "{\"disableAllHooks\": true}").unwrap();
        });
        assert!(said.contains("`disableAllHooks` in .claude/settings") && said.contains("line 1"), "{said}");
        assert_eq!(verdict, "\"switched_off\"");
    }
    let file = ".claude/settings.json";
    let (said, _) = after("claude-code", "user", |shop| {
        home(shop, file, &in_home(shop, file).replacen('{', "{\n  \"disableAllHooks\": true,", 1));
    });
    assert!(said.contains("`disableAllHooks` in ~/.claude/settings.json, line 2"), "{said}");
}

#[test]
fn c6_geminis_switches_and_its_limit_are_said() {
    let file = ".gemini/settings.json";
    let (said, verdict) = after("gemini", "user", |shop| {
        home(
            shop,
            file,
            &in_home(shop, file).replacen('{', "{\n  \"hooksConfig\": {\"enabled\": false},", 1),
        );
    });
    assert!(
        said.contains("Gemini CLI runs no hook: `hooksConfig.enabled` in ~/.gemini/settings.json"),
        "{said}"
    );
    assert!(said.contains("`--acp`"), "S21: {said}");
    assert_eq!(verdict, "\"switched_off\"");
}

#[test]
fn c6_codex_says_when_hooks_are_not_approved_off_or_changed_since() {
    let state = |shop: &testkit::Sandbox| -> String {
        let file = shop.base().join("home/.codex/hooks.json");
        let hooks: serde_json::Value = serde_json::from_str(&in_home(shop, ".codex/hooks.json")).unwrap();
        let snake = |name: &str| {
            let parts = name.char_indices().flat_map(|(at, c)| {
                let gap = (at > 0 && c.is_uppercase()).then_some('_');
                gap.into_iter().chain(c.to_lowercase())
            });
            parts.collect::<String>()
        };
        let row = |event: &String| {
            format!(
                "[hooks.state.\"{}:{}:0:0\"]\ntrusted_hash = \"sha256:1\"\n",
                file.display(),
                snake(event)
            )
        };
        hooks["hooks"].as_object().unwrap().keys().map(row).collect()
    };
    let (said, verdict) = after("codex", "user", |_| {});
    assert!(said.contains("runs none of these hooks before you approved them"), "{said}");
    assert_eq!(verdict, "\"switched_off\"");
    let config = |shop: &testkit::Sandbox, more: &str| {
        let old = in_home(shop, ".codex/config.toml");
        home(shop, ".codex/config.toml", &format!("{old}\n{}{more}", state(shop)));
    };
    let (said, verdict) = after("codex", "user", |shop| config(shop, ""));
    assert_eq!(verdict, "\"never_called\"", "{said}");
    let (said, _) = after("codex", "user", |shop| config(shop, "[features]\nhooks = false\n"));
    assert!(said.contains("`features.hooks` in ~/.codex/config.toml"), "{said}");
    let (said, verdict) = after("codex", "user", |shop| {
        config(shop, "");
        std::thread::sleep(std::time::Duration::from_millis(20));
        home(shop, ".codex/hooks.json", &format!("{}\n", in_home(shop, ".codex/hooks.json")));
    });
    assert!(said.contains("the hooks were changed after you approved them in Codex CLI"), "{said}");
    assert_eq!(verdict, "\"switched_off\"");
}

#[test]
fn c6_a_refused_server_is_said() {
    let (said, _) = after("claude-code", "user", |shop| {
        shop.write(".claude/settings.local.json", "{\"disabledMcpjsonServers\": [\"vib\"]}");
    });
    assert!(
        said.contains("you refused it (`disabledMcpjsonServers` in .claude/settings.local.json)"),
        "{said}"
    );
}

#[test]
fn a_report_has_the_last_calls_and_what_was_set_and_no_secret_a5() {
    let shop = shop();
    shop.vib(&["init", "--yes", "--client", "claude-code", "--scope", "project"]).ok();
    shop.vib(&["config", "set", "retention.days", "21"]).ok();
    let key = ["ghp_", "16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    let mut chat = super::hook::Chat::new(&shop);
    chat.prompt(&format!("my key is {key}"));
    chat.shell("ls");
    chat.send(&format!("Odd {key}"), serde_json::json!({}));

    let said = shop.vib(&["doctor", "--report"]).ok().stdout;
    assert!(said.contains("`vib-report.md`") && said.contains("nothing was sent"), "{said}");
    let report = shop.read("vib-report.md");
    assert!(report.contains("- `retention.days` = 21"), "{report}");
    assert!(report.contains("| claude-code | UserPromptSubmit | 1 | 1 pass |"), "{report}");
    assert!(report.contains("claude-code PreToolUse Bash: pass"), "{report}");
    assert!(!report.contains(&key) && !report.contains("my key is"), "{report}");

    let refused = shop.error(&["doctor", "--report"]);
    assert!(refused["message"].as_str().unwrap().contains("is there already"), "{refused}");
    assert!(shop.vib(&["doctor", "--report", "-"]).ok().stdout.starts_with("# vib "), "`-` prints it");
    let data = shop.data(&["doctor", "--report", "other.md"]);
    assert_eq!(data["file"], "other.md");
    assert!(data["secrets"].is_u64() && data["bytes"].as_u64().unwrap() > 100, "{data}");
}
