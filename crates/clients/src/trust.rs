//! Which folders and which hooks a person trusted, as each client writes it down. Read, never written: trust is the person's.

use std::path::{Path, PathBuf};

/// What Codex's `config.toml` says about hooks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CodexTrust {
    /// What was said about the folder; none: nothing.
    pub folder: Option<bool>,
    /// Events with an approved hook.
    pub approved: usize,
    /// Events whose hook the person switched off in Codex.
    pub disabled: usize,
}

/// Reads Codex's `config.toml`: the trust of `root`, and of the hooks for these events in `file`.
///
/// Each hook has a row `[hooks.state."<file>:<event>:<group>:<place>"]` with a hash of the hook as it was approved.
pub fn codex<'e>(
    config: &str,
    root: &Path,
    file: &Path,
    events: impl Iterator<Item = &'e str>,
) -> CodexTrust {
    let table: toml::Table = config.parse().unwrap_or_default();
    let level = || table.get("projects")?.get(root.to_str()?)?.get("trust_level")?.as_str();
    let folder = level().map(|level| level == "trusted");
    let rows = table.get("hooks").and_then(|hooks| hooks.get("state")?.as_table());
    let mut trust = CodexTrust { folder, ..CodexTrust::default() };
    for event in events {
        let prefix = format!("{}:{}:", file.display(), snake_case(event));
        let mut of_event = rows.into_iter().flatten().filter(|(key, _)| key.starts_with(&prefix));
        let is_off = |row: &toml::Value| row.get("enabled").and_then(toml::Value::as_bool) == Some(false);
        if let Some((_, row)) = of_event.find(|(_, row)| row.get("trusted_hash").is_some()) {
            trust.approved += 1;
            trust.disabled += usize::from(is_off(row));
        }
    }
    trust
}

/// `PreToolUse` as `pre_tool_use`.
fn snake_case(name: &str) -> String {
    let mut out = String::new();
    for character in name.chars() {
        if character.is_ascii_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.push(character.to_ascii_lowercase());
    }
    out
}

/// Copilot's `config.json`: the folders that the person trusts. True if `root` or a folder around it is one of them.
pub fn copilot(config: &str, root: &Path) -> bool {
    let Ok(value) = serde_json::from_str::<serde_json::Value>(&without_comments(config)) else {
        return false;
    };
    let lists =
        ["trustedFolders", "trusted_folders"].into_iter().filter_map(|key| value.get(key)?.as_array());
    let mut folders = lists.flatten().filter_map(serde_json::Value::as_str);
    folders.any(|folder| root.starts_with(folder))
}

/// Copilot heads its file with lines of comment.
fn without_comments(text: &str) -> String {
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// Gemini's `trustedFolders.json`: the rule with the longest path decides; none: nothing was said about this folder.
pub fn gemini(folders: &str, root: &Path) -> Option<bool> {
    let value: serde_json::Value = serde_json::from_str(folders).ok()?;
    let rules = value.as_object()?.iter().filter_map(|(path, level)| {
        let level = level.as_str()?;
        let path = PathBuf::from(path);
        let around = if level == "TRUST_PARENT" { path.parent()?.to_path_buf() } else { path.clone() };
        root.starts_with(around).then(|| (path.as_os_str().len(), level != "DO_NOT_TRUST"))
    });
    rules.max_by_key(|(length, _)| *length).map(|(_, trusted)| trusted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c6_codex_approves_each_hook_and_the_folder() {
        let events = ["PreToolUse", "Stop"];
        let read = |config: &str| {
            codex(config, Path::new("/p"), Path::new("/p/.codex/hooks.json"), events.into_iter())
        };
        assert_eq!(read("not toml ["), CodexTrust::default());
        let config = "[projects.\"/p\"]\ntrust_level = \"trusted\"\n\
             [hooks.state.\"/p/.codex/hooks.json:pre_tool_use:0:0\"]\ntrusted_hash = \"sha256:1\"\n\
             [hooks.state.\"/other/hooks.json:stop:0:0\"]\ntrusted_hash = \"sha256:2\"\n";
        assert_eq!(read(config), CodexTrust { folder: Some(true), approved: 1, disabled: 0 });
        let all = format!(
            "{config}[hooks.state.\"/p/.codex/hooks.json:stop:1:0\"]\nenabled = false\ntrusted_hash = \"sha256:3\"\n"
        );
        assert_eq!(read(&all), CodexTrust { folder: Some(true), approved: 2, disabled: 1 });
        let no = read("[projects.\"/p\"]\ntrust_level = \"untrusted\"\n");
        assert_eq!(no.folder, Some(false));
    }

    #[test]
    fn c6_copilot_lists_its_trusted_folders() {
        let config = "// Written by Copilot\n{\"trustedFolders\": [\"/home/anna/code\"]}";
        assert!(copilot(config, Path::new("/home/anna/code")));
        assert!(copilot(config, Path::new("/home/anna/code/shop")));
        assert!(!copilot(config, Path::new("/home/anna/codeshop")));
        assert!(copilot("{\"trusted_folders\": [\"/p\"]}", Path::new("/p")));
        assert!(!copilot("", Path::new("/p")) && !copilot("{}", Path::new("/p")));
    }

    #[test]
    fn c6_geminis_longest_rule_decides() {
        let rules = "{\"/p\": \"TRUST_FOLDER\", \"/p/bad\": \"DO_NOT_TRUST\", \"/q/one\": \"TRUST_PARENT\"}";
        let trusts = |root: &str| gemini(rules, Path::new(root));
        assert_eq!(trusts("/p/sub"), Some(true));
        assert_eq!(trusts("/p/bad/sub"), Some(false));
        assert_eq!(trusts("/q/two"), Some(true));
        assert_eq!(trusts("/r"), None);
        assert_eq!(gemini("", Path::new("/p")), None);
    }
}
