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
    Everything that was looked at works.
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
    shop.vib(&["init", "--yes", "--client", "claude-code"]).ok();
    let settings = shop.read(".claude/settings.json");
    shop.write(".claude/settings.json", settings.replace(env!("CARGO_BIN_EXE_vib"), "/gone/vib"));
    shop.write(".gemini/settings.json", "{\n  \"a\": tru\n}\n");
    let output = shop.vib(&["doctor"]);
    assert_eq!(output.code, 1);
    assert_snapshot!(output.text(&shop), @r###"
      ok       state folder: `[base]/state` can be written
      ok       project: `[base]/project`
      ok       store: opens; the newest checkpoint is srkrnshy

    Claude Code  (no program on PATH; found [base]/project/.claude)
      note     .claude/settings.json: the hooks are not as this vib writes them
               fix: `vib init --client claude-code --yes` writes them anew
      problem  the hooks call `/gone/vib`, and there is no such program: they do nothing
               fix: `vib init --client claude-code --yes` writes them anew
      ok       .mcp.json: its MCP server answered with 5 tools

    Gemini CLI  (no program on PATH; found [base]/project/.gemini)
      problem  `[base]/project/.gemini/settings.json` is not valid JSON: line 2, column 8: Unexpected word
               fix: mend the file there, then run the command again; nothing was written
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
        // Codex runs no hook before the person trusted it; nothing else is wrong.
        assert_eq!(problems.count(), usize::from(client["client"] == "codex"), "{client}");
    }
}
