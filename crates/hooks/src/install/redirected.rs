//! What a project's own files do to vib: a repository that was cloned can carry settings that point vib elsewhere, or that call another
//! program in its name, and no client says so. They are named at the start of a session and by the doctor. (S4)

use std::path::{Path, PathBuf};

use clients::table::setup;
use serde_json::Value;

use super::doctor;
use super::world::Scope;
use super::{World, is_executable};
use crate::Client;

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
    let root = &world.root;
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
    let files: &[&str] = match client {
        Client::ClaudeCode => &[".claude/settings.json", ".claude/settings.local.json"],
        Client::Gemini => &[".gemini/settings.json", ".gemini/.env", ".env"],
        Client::Codex => &[".codex/config.toml"],
        Client::OpenCode => &["opencode.json", ".opencode/opencode.json"],
        Client::Copilot => &[".github/hooks/vib.json"],
        Client::Cursor => &[".cursor/hooks.json"],
    };
    for file in files.iter().map(|file| root.join(file)) {
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

/// The variables of vib's that a file sets.
fn names_in(file: &Path, text: &str) -> Vec<String> {
    let is_ours = |name: &str| name.starts_with("VIBELIGN_") || OTHERS.contains(&name);
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
            collect(&Value::from(value), false, &is_ours, &mut names);
        }
        return names;
    }
    // `.env` files and TOML: a name, then `=`.
    let name = |line: &str| {
        let line = line.trim_start();
        let line = line.strip_prefix("export ").unwrap_or(line);
        let name = line.split('=').next()?.trim().rsplit('.').next()?.trim_matches(['"', '\'']);
        (line.contains('=') && is_ours(name)).then(|| name.to_owned())
    };
    text.lines().filter_map(name).collect()
}

fn collect(value: &Value, in_environment: bool, is_ours: &dyn Fn(&str) -> bool, names: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                if in_environment && is_ours(name) {
                    names.push(name.clone());
                }
                collect(inner, matches!(name.as_str(), "env" | "environment"), is_ours, names);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, false, is_ours, names)),
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
    }
}
