//! Whose settings: every project's, one project's for one person, a team's; and what an earlier vib left (T15, C3).

use std::path::Path;
use std::process::Command;

use install::Client;
use install::{Action, Choice, Protection, Scope, Status, Steps, connections};

use super::doctor::program;
use super::files::Machine;

const EARLIER: &str = r#"{
  "model": "opus",
  "hooks": {
    "Stop": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "test -x '/home/anna/bin/vib' && exec '/home/anna/bin/vib' hook claude-code || true",
            "timeout": 60
          }
        ]
      }
    ]
  }
}
"#;

#[test]
fn two_people_with_vib_in_two_places_write_the_same_shared_files_t15() {
    let files = |vib: &str| {
        let machine = Machine::new();
        machine.write("project/.gemini/settings.json", "{\n  \"theme\": \"dark\"\n}\n");
        let world = machine.world_with(Path::new(vib));
        let mut steps = Steps::prepare(&world, Action::Install, &Choice::All, Some(Scope::Team));
        steps.carry_out(&world);
        let (root, mut files) = (machine.path("project"), Vec::new());
        for (path, (mode, content)) in machine.photo() {
            let Ok(inside) = path.strip_prefix(&root) else { continue };
            let text = String::from_utf8(content).unwrap();
            let own = [machine.path("").display().to_string(), vib.to_owned()];
            assert!(own.iter().all(|own| !text.contains(own)), "{}: {text}", inside.display());
            files.push((inside.to_path_buf(), mode, text));
        }
        files
    };
    let (anna, bert) = (files("/home/anna/bin/vib"), files("/opt/homebrew/bin/vib"));
    assert!(anna.len() > 12, "{anna:?}");
    assert_eq!(anna, bert);
}

#[test]
fn only_for_me_is_a_file_that_is_not_committed_or_a_sentence_t15() {
    let machine = Machine::new();
    let world = machine.world();
    let before = machine.photo();
    let mut steps = Steps::prepare(&world, Action::Install, &Choice::All, Some(Scope::Project));
    steps.carry_out(&world);
    let outcomes = steps.into_outcomes();
    for outcome in &outcomes {
        if outcome.client == Client::ClaudeCode {
            assert_eq!(outcome.status, Status::Installed);
            continue;
        }
        assert_eq!(outcome.status, Status::Skipped, "{outcome:?}");
        let note = &outcome.notes[0];
        assert!(note.contains("--scope user") && note.contains("--scope team"), "{note}");
        assert!(outcome.error.is_none());
    }
    let text = std::fs::read_to_string(machine.path("project/.claude/settings.local.json")).unwrap();
    assert!(text.contains("hook claude-code --project || true"), "{text}");
    assert!(
        !machine.path("project/.mcp.json").exists() && !machine.path("project/.claude/commands").exists()
    );
    machine.run(Action::Remove, &Choice::All, Scope::Project);
    assert_eq!(machine.photo(), before);
}

#[test]
fn what_an_earlier_vib_wrote_becomes_the_teams_and_goes_without_a_trace_t15() {
    let machine = Machine::new();
    let file = machine.write("project/.claude/settings.json", EARLIER);
    let world = machine.world();
    let claude = Choice::Named(vec![Client::ClaudeCode]);
    let mut steps = Steps::prepare(&world, Action::Install, &claude, None);
    let outcome = steps.outcomes().next().unwrap();
    assert!(outcome.notes.iter().any(|note| note.contains("brought up to date")), "{outcome:?}");
    assert!(outcome.files.iter().any(|file| file.path == ".claude/settings.json"), "{outcome:?}");
    steps.carry_out(&world);
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(!text.contains("/home/anna") && text.contains("hook claude-code --team"), "{text}");
    assert!(machine.path("home/.claude/settings.json").is_file(), "and your own");
    // Without a scope everything goes.
    let mut steps = Steps::prepare(&world, Action::Remove, &Choice::All, None);
    steps.carry_out(&world);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "{\n  \"model\": \"opus\"\n}\n");
    assert!(!machine.path("home/.claude").exists());
}

#[test]
fn records_of_an_earlier_vib_give_the_old_bytes_back_t15() {
    let machine = Machine::new();
    let original = "{ \"model\": \"opus\" }";
    let file = machine.write("project/.claude/settings.json", original);
    machine.run(Action::Install, &Choice::Named(vec![Client::ClaudeCode]), Scope::Team);
    // The version before called these settings the project's.
    let mut changed = 0;
    for entry in std::fs::read_dir(machine.path("state/install")).unwrap().flatten() {
        let record = entry.path().join("record.json");
        if let Ok(text) = std::fs::read_to_string(&record) {
            std::fs::write(&record, text.replace("\"team\"", "\"project\"")).unwrap();
            changed += usize::from(text.contains("\"team\""));
        }
    }
    assert!(changed >= 2);
    let world = machine.world();
    let mut steps = Steps::prepare(&world, Action::Remove, &Choice::All, None);
    steps.carry_out(&world);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), original);
    assert!(!machine.path("project/.mcp.json").exists());
}

/// Does what Claude Code's command does to its own file, as far as vib's server goes.
fn fake_claude(machine: &Machine) {
    let script = format!(
        "#!/bin/sh\ncd '{0}'\necho \"$*\" >> calls\n[ \"$2\" = remove ] && {{ rm -f home/.claude.json; exit 0; }}\n\
         [ -e home/.claude.json ] && exit 1\nprintf '{{\"mcpServers\":{{\"vib\":{{\"type\":\"stdio\",\"command\":\"%s\",\
         \"args\":[\"mcp\",\"serve\"]}}}}}}' \"$7\" > home/.claude.json\n",
        machine.path("").display()
    );
    program(machine, "bin/claude-fake", &script);
    // The tests' programs answer `mcp` by themselves; this one must not.
    let script = format!("sed -i 2d '{}'", machine.path("bin/claude-fake").display());
    assert!(Command::new("sh").args(["-c", &script]).status().unwrap().success());
    std::fs::rename(machine.path("bin/claude-fake"), machine.path("bin/claude")).unwrap();
}

#[test]
fn claude_codes_own_command_adds_the_server_after_the_yes_and_takes_it_out_again() {
    let machine = Machine::new();
    fake_claude(&machine);
    let world = machine.world();
    let claude = Choice::Named(vec![Client::ClaudeCode]);
    let mut steps = Steps::prepare(&world, Action::Install, &claude, None);
    let line = format!("claude mcp add --scope user vib -- {} mcp serve", world.program.display());
    let outcome = steps.outcomes().next().unwrap();
    assert!(outcome.files.iter().any(|file| (file.change, &file.path) == ("run", &line)), "{outcome:?}");
    assert!(!machine.path("calls").exists(), "nobody said yes");
    steps.carry_out(&world);
    assert!(machine.path("home/.claude.json").exists());
    assert_eq!(machine.run(Action::Install, &claude, Scope::User), [(Client::ClaudeCode, Status::Current)]);
    // A vib that moved.
    let moved = machine.world_with(Path::new("/elsewhere/vib"));
    let mut steps = Steps::prepare(&moved, Action::Install, &claude, None);
    steps.carry_out(&moved);
    assert!(std::fs::read_to_string(machine.path("home/.claude.json")).unwrap().contains("/elsewhere/vib"));
    let mut steps = Steps::prepare(&moved, Action::Remove, &claude, None);
    steps.carry_out(&moved);
    assert!(!machine.path("home/.claude.json").exists());
    let calls = std::fs::read_to_string(machine.path("calls")).unwrap();
    assert_eq!(calls.lines().count(), 4, "{calls}");
}

#[test]
fn a_command_that_does_not_do_its_work_is_given_to_the_person() {
    let machine = Machine::new();
    std::os::unix::fs::symlink("/bin/echo", machine.path("bin/claude")).unwrap();
    let world = machine.world();
    let mut steps = Steps::prepare(&world, Action::Install, &Choice::Found, None);
    steps.carry_out(&world);
    let outcomes = steps.into_outcomes();
    assert_eq!(outcomes[0].status, Status::Installed, "the hooks are in place all the same");
    assert!(outcomes[0].notes[0].contains("`claude mcp add --scope user vib -- "), "{outcomes:?}");
    assert!(outcomes[0].files.iter().all(|file| file.change != "run"));
}

#[test]
fn what_is_connected_is_read_from_the_settings_t9() {
    let machine = Machine::new();
    program(&machine, "bin/vib", "#!/bin/sh\nexit 0\n");
    machine.write("home/.gemini/x", "");
    let world = machine.world();
    let look = || connections(&world, &[]);
    assert_eq!(Protection::of(&look()), Protection::ByHand);
    machine.run(Action::Install, &Choice::Named(vec![Client::Codex]), Scope::Team);
    let all = look();
    assert_eq!(Protection::of(&all), Protection::Hooks);
    let states = serde_json::to_value(&all).unwrap();
    assert_eq!(states[1]["state"], "connected");
    assert_eq!(states[1]["scopes"], serde_json::json!(["team"]));
    assert_eq!(states[1]["needs"].as_array().unwrap().len(), 2, "approval and trust: {states}");
    assert_eq!((&states[2]["state"], &states[5]["state"]), (&"not_connected".into(), &"not_found".into()));
    // A vib that is gone protects nobody.
    std::fs::remove_file(machine.path("bin/vib")).unwrap();
    assert_eq!(Protection::of(&look()), Protection::ByHand);
}

#[test]
fn the_recorded_place_stays_as_long_as_anything_needs_it() {
    let machine = Machine::new();
    program(&machine, "bin/vib", "#!/bin/sh\nexit 0\n");
    let place = machine.path("home/.local/state/vibelign/bin/vib");
    machine.run(Action::Install, &Choice::Named(vec![Client::Codex]), Scope::Team);
    assert_eq!(std::fs::read_link(&place).unwrap(), machine.path("bin/vib"));
    machine.run(Action::Install, &Choice::Named(vec![Client::Gemini]), Scope::User);
    machine.run(Action::Remove, &Choice::All, Scope::User);
    assert!(place.symlink_metadata().is_ok(), "the team's line needs it");
    machine.run(Action::Remove, &Choice::All, Scope::Team);
    assert!(place.symlink_metadata().is_err());
}
