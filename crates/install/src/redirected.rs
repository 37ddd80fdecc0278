//! What a project's own files do to vib: a repository that was cloned can carry settings that point vib elsewhere, or that call another
//! program in its name, and no client says so. They are named at the start of a session and by the doctor. (S4)

use std::path::{Path, PathBuf};

use clients::table::setup;
use serde_json::Value;

use super::doctor;
use super::world::Scope;
use super::{World, is_executable};
use crate::Client;

/// Folders above a project, and files in a folder, that are looked at.
const MOST_FOLDERS: usize = 16;
const MOST_FILES: usize = 64;

/// Longer files hold no settings.
const LONGEST: u64 = 1 << 20;

/// Variables that say where vib keeps what it guards, and how strictly.
const OTHERS: [&str; 3] = ["AI_MEMORY_PATH", "XDG_STATE_HOME", "XDG_CONFIG_HOME"];

/// Something in a project's files that steers vib.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirection {
    /// The client whose settings it is in.
    pub client: Client,
    /// In words.
    pub detail: String,
    /// What to do about it.
    pub fix: String,
}

/// Everything of the kind in this project.
pub fn redirections(world: &World) -> Vec<Redirection> {
    Client::ALL.into_iter().flat_map(|client| of_client(world, client)).collect()
}

/// That of one client.
pub fn of_client(world: &World, client: Client) -> Vec<Redirection> {
    let mut found = Vec::new();
    let mut add = |file: &Path, name: &str| {
        let file = world.shown(file);
        found.push(Redirection {
            client,
            detail: format!(
                "`{file}` sets `{name}`, which changes where vib keeps its checkpoints or how it guards this project"
            ),
            fix: format!("take `{name}` out of `{file}` unless you put it there yourself"),
        });
    };
    for file in files_of(world, client) {
        let Some(text) = small_text(&file) else { continue };
        let mut names = names_in(&file, &text);
        names.sort();
        names.dedup();
        names.iter().for_each(|name| add(&file, name));
    }
    found.extend(
        [Scope::Project, Scope::Team].into_iter().flat_map(|scope| strange_program(world, client, scope)),
    );
    found
}

/// The files of a project from which a client takes variables for what it runs, or lines that set some.
///
/// Claude Code: `env` in its settings. Codex: `shell_environment_policy`, and the lines of hooks. Gemini: the first `.env` from the
/// project upwards. OpenCode: the `.env` files that its runtime reads by itself, and its plugins, which are programs. Copilot: `env` of
/// every hooks file, and Claude Code's settings, which it reads too. Cursor: the lines of its hooks, and Claude Code's.
fn files_of(world: &World, client: Client) -> Vec<PathBuf> {
    const CLAUDE: [&str; 2] = [".claude/settings.json", ".claude/settings.local.json"];
    let root = &world.root;
    let named = |names: &[&str]| names.iter().map(|name| root.join(name)).collect::<Vec<_>>();
    let mut files = match client {
        Client::ClaudeCode => named(&CLAUDE),
        Client::Gemini => named(&[".gemini/settings.json"]),
        Client::Codex => named(&[".codex/config.toml", ".codex/hooks.json"]),
        Client::OpenCode => named(&[
            "opencode.json",
            "opencode.jsonc",
            ".opencode/opencode.json",
            ".opencode/opencode.jsonc",
            ".env",
            ".env.local",
            ".env.development",
            ".env.production",
        ]),
        Client::Copilot | Client::Cursor => named(&CLAUDE),
        Client::Acp => Vec::new(),
    };
    match client {
        Client::Gemini => {
            let outside = |folder: &&Path| world.home.as_deref() != Some(*folder);
            for folder in root.ancestors().take_while(outside).take(MOST_FOLDERS) {
                files.extend([folder.join(".gemini/.env"), folder.join(".env")]);
            }
        }
        Client::OpenCode => {
            for folder in [".opencode/plugins", ".opencode/plugin"] {
                files.extend(in_folder(&root.join(folder), &["js", "ts", "mjs"]));
            }
        }
        Client::Copilot => files.extend(in_folder(&root.join(".github/hooks"), &["json"])),
        Client::Cursor => files.extend(named(&[".cursor/hooks.json", ".cursor/environment.json"])),
        Client::ClaudeCode | Client::Codex | Client::Acp => {}
    }
    files
}

/// The files of these kinds in a folder.
fn in_folder(folder: &Path, kinds: &[&str]) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let is_kind = |path: &PathBuf| path.extension().is_some_and(|end| kinds.iter().any(|kind| end == *kind));
    let mut files: Vec<PathBuf> =
        entries.flatten().take(MOST_FILES).map(|entry| entry.path()).filter(is_kind).collect();
    files.sort();
    files
}

fn is_ours(name: &str) -> bool {
    name.starts_with("VIBELIGN_") || OTHERS.contains(&name)
}

/// The variables of vib's that a file sets.
fn names_in(file: &Path, text: &str) -> Vec<String> {
    if file.extension().is_some_and(|end| end == "json") {
        let mut names = Vec::new();
        // Comments make some clients leave the file out, and others not.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let parsed = jsonc_parser::parse_to_ast(
            text,
            &jsonc_parser::CollectOptions::default(),
            &jsonc_parser::ParseOptions::default(),
        );
        if let Some(value) = parsed.ok().and_then(|parsed| parsed.value) {
            collect(&Value::from(value), false, &mut names);
        }
        return names;
    }
    // `.env` files, TOML and programs: a name, then `=`. vib's own plugin sets nothing.
    let comment = |line: &&str| !["#", "//"].iter().any(|mark| line.trim_start().starts_with(mark));
    text.lines().filter(comment).flat_map(assigned).collect()
}

/// The variables of vib's that a line sets, wherever in it: `NAME=`, `"NAME" = `, `env.NAME =`, `env["NAME"] =`.
fn assigned(line: &str) -> Vec<String> {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut names = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find(is_letter) {
        rest = &rest[at..];
        let end = rest.find(|letter| !is_letter(letter)).unwrap_or(rest.len());
        let (name, behind) = rest.split_at(end);
        let sign = behind.trim_start_matches(['"', '\'', ']', ' ', '\t']);
        if is_ours(name) && sign.starts_with('=') && !sign.starts_with("==") {
            names.push(name.to_owned());
        }
        rest = behind;
    }
    names
}

fn collect(value: &Value, in_environment: bool, names: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                if in_environment && is_ours(name) {
                    names.push(name.clone());
                }
                collect(inner, matches!(name.as_str(), "env" | "environment"), names);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, false, names)),
        // A line that is run: `VIBELIGN_STATE=/tmp/x vib hook …`.
        Value::String(text) => names.extend(assigned(text)),
        _ => {}
    }
}

/// Hooks in a project's files that call a program which lies in the project or where things are thrown away.
fn strange_program(world: &World, client: Client, scope: Scope) -> Option<Redirection> {
    let installed = doctor::installed_in(world, setup(client), scope).ok().flatten()?;
    let strange = installed.found.iter().map(|found| found.program.clone()).find(|program: &PathBuf| {
        program.is_absolute()
            && is_executable(program)
            && (program.starts_with(&world.root)
                || world.temporary.iter().any(|folder| program.starts_with(folder)))
    })?;
    let file = world.shown(&installed.file);
    Some(Redirection {
        client,
        detail: format!(
            "the hooks in `{file}` call `{}`, which anybody who can write to this project can replace",
            world.shown(&strange)
        ),
        fix: format!("look at `{file}`; `vib init` writes vib's own line anew"),
    })
}

fn small_text(file: &Path) -> Option<String> {
    file.metadata().ok().filter(|facts| facts.is_file() && facts.len() <= LONGEST)?;
    std::fs::read_to_string(file).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_vibs_are_found_where_clients_read_them_s4() {
        let json = r#"{"env": {"VIBELIGN_STATE": "/tmp/x", "PATH": "/bin"}, "mcpServers": {"a": {"env": {"VIBELIGN_CONFIG": "y"}}}, "VIBELIGN_GUARD_COVERED": "not here"}"#;
        let mut names = names_in(Path::new("settings.json"), json);
        names.sort();
        assert_eq!(names, ["VIBELIGN_CONFIG", "VIBELIGN_STATE"]);
        let dotenv =
            "# VIBELIGN_STATE is not set\nexport VIBELIGN_GUARD_COVERED=allow\nHOME=/x\nAI_MEMORY_PATH = y\n";
        assert_eq!(names_in(Path::new(".env"), dotenv), ["VIBELIGN_GUARD_COVERED", "AI_MEMORY_PATH"]);
        let toml = "[shell_environment_policy]\nset.VIBELIGN_JUDGING = \"1\"\n";
        assert_eq!(names_in(Path::new("config.toml"), toml), ["VIBELIGN_JUDGING"]);
        let inline = "set = { PATH = \"/bin\", \"VIBELIGN_STATE\" = \"/tmp/x\", VIBELIGN_CONFIG='y' }\n";
        assert_eq!(names_in(Path::new("config.toml"), inline), ["VIBELIGN_STATE", "VIBELIGN_CONFIG"]);
        let line = r#"{"hooks": {"Stop": [{"command": "VIBELIGN_STATE=/tmp/x vib hook codex"}]}}"#;
        assert_eq!(names_in(Path::new("hooks.json"), line), ["VIBELIGN_STATE"]);
        let plugin = "// process.env.VIBELIGN_STATE = 1\nprocess.env[\"VIBELIGN_STATE\"] = 'x'\nif (process.env.VIBELIGN_CONFIG == 1) {}\n";
        assert_eq!(names_in(Path::new("x.js"), plugin), ["VIBELIGN_STATE"]);
    }

    #[test]
    fn every_client_is_watched_where_it_takes_variables_from_s4() {
        let tmp = tempfile::tempdir().unwrap();
        let base = tmp.path().canonicalize().unwrap();
        let root = base.join("home/code/app");
        std::fs::create_dir_all(&root).unwrap();
        let world =
            World::new(root.clone(), Some(base.join("home")), base.join("state"), PathBuf::new(), &|_| None);
        let json = r#"{"env": {"VIBELIGN_STATE": "/tmp/x"}}"#;
        for (client, file, text) in [
            (Client::ClaudeCode, ".claude/settings.json", json),
            (Client::ClaudeCode, ".claude/settings.local.json", json),
            (
                Client::Codex,
                ".codex/config.toml",
                "shell_environment_policy = { set = { VIBELIGN_STATE = \"/x\" } }\n",
            ),
            (
                Client::Codex,
                ".codex/hooks.json",
                r#"{"hooks": {"Stop": [{"hooks": [{"command": "VIBELIGN_STATE=/x vib hook codex"}]}]}}"#,
            ),
            (Client::Gemini, ".gemini/settings.json", json),
            (Client::Gemini, ".gemini/.env", "VIBELIGN_STATE=/x\n"),
            (Client::Gemini, ".env", "VIBELIGN_STATE=/x\n"),
            (Client::Gemini, "../.env", "VIBELIGN_STATE=/x\n"),
            (
                Client::OpenCode,
                "opencode.json",
                r#"{"mcp": {"vib": {"environment": {"VIBELIGN_STATE": "/x"}}}}"#,
            ),
            (Client::OpenCode, ".env.local", "VIBELIGN_STATE=/x\n"),
            (Client::OpenCode, ".opencode/plugins/x.js", "process.env.VIBELIGN_STATE = '/x'\n"),
            (Client::Copilot, ".github/hooks/other.json", json),
            (Client::Copilot, ".claude/settings.json", json),
            (
                Client::Cursor,
                ".cursor/hooks.json",
                r#"{"hooks": {"stop": [{"command": "VIBELIGN_STATE=/x vib hook cursor"}]}}"#,
            ),
        ] {
            let path = root.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
            let found = of_client(&world, client);
            assert!(
                found.iter().any(|one| one.detail.contains("VIBELIGN_STATE")),
                "{client}: {file}: {found:?}"
            );
            std::fs::remove_file(&path).unwrap();
            assert_eq!(of_client(&world, client), [], "{client}: {file}");
        }
    }
}
