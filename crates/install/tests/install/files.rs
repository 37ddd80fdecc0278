//! Real files: links, modes, folders, records, and the way back (HK1).

use std::collections::BTreeMap;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use clients::unread::unread_reason;
use install::Client;
use install::table::setup;
use install::{Action, Choice, Scope, Status, Steps, World, apply, plan};
use proptest::prelude::*;

use super::settings::{Choices, file};

pub struct Machine {
    tmp: tempfile::TempDir,
}

impl Machine {
    pub fn new() -> Self {
        let tmp = tempfile::tempdir().unwrap();
        for folder in ["project", "home/.local/state", "bin"] {
            std::fs::create_dir_all(tmp.path().join(folder)).unwrap();
        }
        Self { tmp }
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.tmp.path().canonicalize().unwrap().join(path)
    }

    pub fn world(&self) -> World {
        self.world_with(&self.path("bin/vib"))
    }

    pub fn world_with(&self, program: &Path) -> World {
        let bin = self.path("bin").into_os_string();
        World::new(
            self.path("project"),
            Some(self.path("home")),
            self.path("state"),
            program.to_path_buf(),
            &move |name| match name {
                "VIBELIGN_TEST_CLIENT_PATH" => Some(bin.clone()),
                "PATH" => std::env::var_os("PATH"),
                _ => None,
            },
        )
    }

    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Everything below project and home: content, mode, links.
    pub fn photo(&self) -> BTreeMap<PathBuf, (u32, Vec<u8>)> {
        let mut photo = BTreeMap::new();
        let mut folders = vec![self.path("project"), self.path("home"), self.path("bin")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).unwrap().flatten() {
                let (path, metadata) = (entry.path(), entry.path().symlink_metadata().unwrap());
                let content = if metadata.is_dir() {
                    folders.push(path.clone());
                    Vec::new()
                } else if metadata.is_symlink() {
                    std::fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()
                } else {
                    std::fs::read(&path).unwrap()
                };
                photo.insert(path, (metadata.permissions().mode(), content));
            }
        }
        photo
    }

    pub fn run(&self, action: Action, choice: &Choice, scope: Scope) -> Vec<(Client, Status)> {
        let world = self.world();
        let mut steps = Steps::prepare(&world, action, choice, Some(scope));
        steps.carry_out(&world);
        steps.into_outcomes().into_iter().map(|outcome| (outcome.client, outcome.status)).collect()
    }
}

fn all(status: Status) -> Vec<(Client, Status)> {
    Client::ALL.into_iter().map(|client| (client, status)).collect()
}

#[test]
fn an_empty_project_is_empty_again_afterwards() {
    let machine = Machine::new();
    let before = machine.photo();
    for scope in [Scope::Team, Scope::User] {
        assert_eq!(machine.run(Action::Install, &Choice::All, scope), all(Status::Installed));
        let installed = machine.photo();
        assert_eq!(machine.run(Action::Install, &Choice::All, scope), all(Status::Current));
        assert_eq!(machine.photo(), installed, "twice is once");
        assert_eq!(machine.run(Action::Remove, &Choice::All, scope), all(Status::Removed));
        assert_eq!(machine.photo(), before);
        assert_eq!(machine.run(Action::Remove, &Choice::All, scope), all(Status::Absent));
    }
}

#[test]
fn each_client_gets_its_files_where_it_looks_for_them() {
    let machine = Machine::new();
    machine.run(Action::Install, &Choice::All, Scope::Team);
    for path in [
        "project/.claude/settings.json",
        "project/.claude/commands/lesson.md",
        "project/.claude/commands/rollback.md",
        "project/.codex/hooks.json",
        "project/.gemini/settings.json",
        "project/.gemini/commands/lesson.toml",
        "project/.gemini/commands/rollback.toml",
        "project/.opencode/plugins/vib.js",
        "project/.opencode/commands/lesson.md",
        "project/.opencode/commands/rollback.md",
        "project/.github/hooks/vib.json",
        "project/.cursor/hooks.json",
    ] {
        assert!(machine.path(path).is_file(), "{path}");
    }
    machine.run(Action::Remove, &Choice::All, Scope::Team);
    machine.run(Action::Install, &Choice::All, Scope::User);
    for path in [
        "home/.claude/settings.json",
        "home/.codex/hooks.json",
        "home/.gemini/settings.json",
        "home/.config/opencode/plugins/vib.js",
        "home/.copilot/hooks/vib.json",
        "home/.cursor/hooks.json",
    ] {
        assert!(machine.path(path).is_file(), "{path}");
    }
}

#[test]
fn links_stay_links_and_modes_stay_modes() {
    let machine = Machine::new();
    let real = machine.write("home/dotfiles/claude.json", "{\r\n\t\"model\": \"opus\"\r\n}");
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o600)).unwrap();
    std::fs::create_dir(machine.path("project/.claude")).unwrap();
    let link = machine.path("project/.claude/settings.json");
    symlink("../../home/dotfiles/claude.json", &link).unwrap();
    symlink(machine.path("home/dotfiles"), machine.path("project/.gemini")).unwrap();
    let before = machine.photo();
    let choice = Choice::Named(vec![Client::ClaudeCode, Client::Gemini]);
    let world = machine.world();
    let steps = Steps::prepare(&world, Action::Install, &choice, Some(Scope::Team));
    let shown = steps.into_outcomes().swap_remove(0).files.swap_remove(0);
    assert_eq!(shown.link_to.as_deref(), real.to_str(), "the preview says where the link leads");
    machine.run(Action::Install, &choice, Scope::Team);
    assert!(link.symlink_metadata().unwrap().is_symlink());
    assert!(std::fs::read_to_string(&real).unwrap().contains("hook claude-code"));
    assert_eq!(real.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    machine.run(Action::Remove, &choice, Scope::Team);
    assert_eq!(machine.photo(), before);
}

#[test]
fn a_file_that_changed_since_loses_our_entries_only() {
    let machine = Machine::new();
    let file = machine.write("project/.claude/settings.json", "{\n  \"model\": \"opus\"\n}\n");
    machine.run(Action::Install, &Choice::Named(vec![Client::ClaudeCode]), Scope::Team);
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("\"opus\"", "\"sonnet\" /* changed */")).unwrap();
    machine.run(Action::Remove, &Choice::Named(vec![Client::ClaudeCode]), Scope::Team);
    let expected = "{\n  \"model\": \"sonnet\" /* changed */\n}\n";
    assert_eq!(std::fs::read_to_string(&file).unwrap(), expected);
}

#[test]
fn without_any_record_our_entries_are_still_known() {
    let machine = Machine::new();
    let text = "{\n    \"hooks\": {\n        \"Stop\": [ {\"hooks\": []} ]\n    }\n}\n";
    let file = machine.write("project/.claude/settings.json", text);
    machine.run(Action::Install, &Choice::All, Scope::Team);
    std::fs::remove_dir_all(machine.path("state")).unwrap();
    machine.run(Action::Remove, &Choice::All, Scope::Team);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    assert!(!machine.path("project/.opencode/plugins/vib.js").exists());
    assert!(!machine.path("project/.github/hooks/vib.json").exists());
}

#[test]
fn a_vib_that_moved_is_followed_and_the_way_back_stays_exact() {
    let machine = Machine::new();
    let file = machine.write("home/.gemini/settings.json", "{ \"hooks\": {} } // tight");
    machine.write("home/.config/opencode/opencode.json", "{}");
    let before = machine.photo();
    for client in [Client::Gemini, Client::OpenCode] {
        for program in ["/first/vib", "/second/vib", "/second/vib"] {
            let world = machine.world_with(Path::new(program));
            apply(&world, &plan::install(&world, client, Scope::User).unwrap()).unwrap();
        }
    }
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("/second/vib") && !text.contains("/first/vib"), "{text}");
    machine.run(Action::Remove, &Choice::All, Scope::User);
    assert_eq!(machine.photo(), before);
}

#[test]
fn one_bad_file_stops_its_client_and_no_other() {
    let machine = Machine::new();
    machine.write("project/.gemini/settings.json", "{\n  \"a\": 1,\n  oops\n}\n");
    machine.write("project/.opencode/plugins/vib.js", "// somebody else's\n");
    machine.write("project/.cursor/hooks.json", b"{\"a\": \"\xff\"}");
    machine.write("project/.claude/commands/rollback.md", "my own rollback\n");
    let before = machine.photo();
    let world = machine.world();
    let mut steps = Steps::prepare(&world, Action::Install, &Choice::All, Some(Scope::Team));
    steps.carry_out(&world);
    let outcomes = steps.into_outcomes();
    let error = |client| {
        let outcome = outcomes.iter().find(|outcome| outcome.client == client).unwrap();
        outcome.error.as_ref().map(|error| (error.code, error.message.clone(), error.next.clone()))
    };
    let (code, message, next) = error(Client::Gemini).unwrap();
    assert_eq!(code, "client_config_syntax");
    assert!(message.contains("line 3, column 3"), "{message}");
    assert!(next.contains("nothing was written"));
    assert_eq!(error(Client::OpenCode).unwrap().0, "client_file_foreign");
    assert_eq!(error(Client::Cursor).unwrap().0, "client_config_not_text");
    assert!(error(Client::ClaudeCode).is_none());
    for client in ["gemini", "cursor", "opencode"] {
        let folder = machine.path(&format!("project/.{client}"));
        let of_it = |photo: BTreeMap<PathBuf, (u32, Vec<u8>)>| -> Vec<_> {
            photo.into_iter().filter(|(path, _)| path.starts_with(&folder)).collect()
        };
        assert_eq!(of_it(machine.photo()), of_it(before.clone()), "{client}");
    }
    let own = std::fs::read_to_string(machine.path("project/.claude/commands/rollback.md")).unwrap();
    assert_eq!(own, "my own rollback\n");
    assert!(machine.path("project/.claude/settings.json").exists());
}

#[test]
fn a_failure_in_the_middle_takes_back_the_beginning() {
    let machine = Machine::new();
    machine.write("project/.claude/settings.json", "{\"model\": \"opus\"}");
    // The second file cannot be made: a file stands where its folder should be.
    let before_plan = machine.photo();
    let world = machine.world();
    let plan = plan::install(&world, Client::ClaudeCode, Scope::Team).unwrap();
    machine.write("project/.claude/commands", "in the way");
    assert!(apply(&world, &plan).is_err());
    std::fs::remove_file(machine.path("project/.claude/commands")).unwrap();
    assert_eq!(machine.photo(), before_plan);
    // Nothing is believed about a file that was not written.
    let plan = plan::remove(&world, Client::ClaudeCode, Scope::Team).unwrap();
    assert!(plan.edits.is_empty());
}

#[test]
fn a_vib_that_died_between_record_and_file_leaves_no_wrong_belief() {
    for original in [Some("{ \"description\": \"mine\" }"), None] {
        let machine = Machine::new();
        let file = machine.path("project/.codex/hooks.json");
        if let Some(text) = original {
            machine.write("project/.codex/hooks.json", text);
        }
        let before = machine.photo();
        let codex = Choice::Named(vec![Client::Codex]);
        machine.run(Action::Install, &codex, Scope::Team);
        // As if the record had been written, and then nothing more.
        match original {
            Some(text) => std::fs::write(&file, text).unwrap(),
            None => std::fs::remove_dir_all(file.parent().unwrap()).unwrap(),
        }
        assert_eq!(machine.run(Action::Install, &codex, Scope::Team), [(Client::Codex, Status::Installed)]);
        assert_eq!(machine.run(Action::Remove, &codex, Scope::Team), [(Client::Codex, Status::Removed)]);
        assert_eq!(machine.photo(), before);
        // A file that somebody makes afterwards is theirs.
        machine.write("project/.codex/hooks.json", "{}");
        assert_eq!(machine.run(Action::Remove, &codex, Scope::Team), [(Client::Codex, Status::Absent)]);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "{}");
    }
}

#[test]
fn what_changes_after_the_preview_is_not_overwritten() {
    let machine = Machine::new();
    let file = machine.write("project/.codex/hooks.json", "{}");
    let world = machine.world();
    let plan = plan::install(&world, Client::Codex, Scope::Team).unwrap();
    std::fs::write(&file, "{ }").unwrap();
    assert_eq!(apply(&world, &plan).unwrap_err().code(), "client_config_changed");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "{ }");
    let plan = plan::install(&world, Client::Codex, Scope::Team).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o444)).unwrap();
    assert_eq!(apply(&world, &plan).unwrap_err().code(), "client_config_read_only");
}

#[test]
fn what_your_own_settings_do_is_not_done_again_for_one_project() {
    let machine = Machine::new();
    symlink("/bin/true", machine.path("bin/vib")).unwrap();
    let claude = Choice::Named(vec![Client::ClaudeCode]);
    machine.run(Action::Install, &claude, Scope::User);
    let again = machine.run(Action::Install, &claude, Scope::Project);
    assert_eq!(again, [(Client::ClaudeCode, Status::InOtherScope)]);
    assert!(!machine.path("project/.claude").exists());
    assert_eq!(machine.run(Action::Install, &claude, Scope::User), [(Client::ClaudeCode, Status::Current)]);
    // A team's file is for the others too.
    let team = machine.run(Action::Install, &claude, Scope::Team);
    assert_eq!(team, [(Client::ClaudeCode, Status::Installed)]);
}

#[test]
fn a_removal_says_what_stays_elsewhere_and_does_not_mind_other_peoples_mistakes() {
    let machine = Machine::new();
    machine.run(Action::Install, &Choice::Named(vec![Client::Codex]), Scope::User);
    machine.write("project/.gemini/settings.json", "{ broken");
    let world = machine.world();
    let outcomes = Steps::prepare(&world, Action::Remove, &Choice::Found, Some(Scope::Team)).into_outcomes();
    assert_eq!(outcomes.len(), 1, "{outcomes:?}");
    assert_eq!((outcomes[0].client, outcomes[0].status), (Client::Codex, Status::Absent));
    assert!(outcomes[0].notes[0].contains("vib init --remove --scope user"), "{outcomes:?}");
}

#[test]
fn clients_are_found_by_program_folder_or_project() {
    let machine = Machine::new();
    assert!(machine.run(Action::Install, &Choice::Found, Scope::Team).is_empty());
    symlink("/bin/echo", machine.path("bin/claude")).unwrap();
    machine.write("bin/codex", "not executable");
    machine.write("home/.gemini/state", "");
    machine.write("project/opencode.json", "{}");
    let found = machine.run(Action::Install, &Choice::Found, Scope::Team);
    assert_eq!(
        found.iter().map(|(client, _)| *client).collect::<Vec<_>>(),
        [Client::ClaudeCode, Client::Gemini, Client::OpenCode]
    );
}

#[test]
fn backups_are_private_and_outside_the_project() {
    let machine = Machine::new();
    machine.write("project/.claude/settings.json", "{\"env\": {\"KEY\": \"secret\"}}");
    machine.run(Action::Install, &Choice::All, Scope::Team);
    let mut folders = vec![machine.path("state")];
    let mut found = false;
    while let Some(folder) = folders.pop() {
        assert_eq!(folder.metadata().unwrap().permissions().mode() & 0o077, 0, "{}", folder.display());
        for entry in std::fs::read_dir(&folder).unwrap().flatten() {
            if entry.path().is_dir() {
                folders.push(entry.path());
            } else if std::fs::read_to_string(entry.path()).unwrap().contains("secret") {
                found = true;
                assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o077, 0);
            }
        }
    }
    assert!(found);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn any_settings_file_comes_back_byte_for_byte(
        which in 0..Client::ALL.len(),
        bytes in prop::collection::vec(any::<u8>(), 0..160),
        roomy: bool,
        user: bool,
    ) {
        let client = Client::ALL[which];
        let scope = if user { Scope::User } else { Scope::Team };
        let machine = Machine::new();
        let world = machine.world();
        if client != Client::OpenCode {
            let path = world.file(setup(client), scope).unwrap();
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, file(client, &mut Choices::new(&bytes), roomy)).unwrap();
        }
        let text = world.file(setup(client), scope).ok().and_then(|path| std::fs::read_to_string(path).ok());
        let before = machine.photo();
        let named = Choice::Named(vec![client]);
        if unread_reason(client, &text.unwrap_or_default()).is_some() {
            // Its client would not read what was put in there.
            prop_assert_eq!(machine.run(Action::Install, &named, scope), [(client, Status::Failed)]);
            prop_assert_eq!(&machine.photo(), &before);
            return Ok(());
        }
        prop_assert_eq!(machine.run(Action::Install, &named, scope), [(client, Status::Installed)]);
        let installed = machine.photo();
        prop_assert_eq!(machine.run(Action::Install, &named, scope), [(client, Status::Current)]);
        prop_assert_eq!(&machine.photo(), &installed);
        prop_assert_eq!(machine.run(Action::Remove, &named, scope), [(client, Status::Removed)]);
        prop_assert_eq!(&machine.photo(), &before);
    }
}
