//! Settings of a client that make it run no hook, or not start an MCP server. Read, never written.
//!
//! Found in the clients themselves: Claude Code's and Copilot's `disableAllHooks`; Gemini's `hooksConfig.enabled` and
//! `hooksConfig.disabled` (names of hooks; one without a name is called by its command line); Codex's feature `hooks`; Claude
//! Code's `disabledMcpjsonServers` and `disabledMcpServers`. OpenCode leaves plugins out only when it is started with `--pure`.

use std::path::Path;

use jsonc_parser::ast::{Object, Value};

use crate::servers::NAME;
use crate::{Client, jsonc};

/// A setting that switches something off.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Switch {
    /// The key, as a person would look for it.
    pub key: String,
    /// Its line, counted from one; none: nobody knows.
    pub line: Option<usize>,
}

/// The setting in this text that makes the client run none of vib's hooks. `lines` are the command lines of those hooks.
pub fn hooks_off(client: Client, text: &str, lines: &[&str]) -> Option<Switch> {
    if client == Client::Codex {
        return codex(text);
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let root = jsonc::parse(Path::new(""), text).ok()??;
    let root = root.as_object()?;
    match client {
        Client::ClaudeCode | Client::Copilot => is(text, root, "disableAllHooks", true, "disableAllHooks"),
        Client::Gemini => {
            let config = root.get_object("hooksConfig")?;
            is(text, config, "enabled", false, "hooksConfig.enabled").or_else(|| {
                let property = config.get("disabled")?;
                let names = property.value.as_array()?.elements.iter().filter_map(Value::as_string_lit);
                names.into_iter().any(|name| lines.contains(&name.value.as_ref())).then(|| Switch {
                    key: "hooksConfig.disabled".to_owned(),
                    line: Some(line_of(text, property.range.start)),
                })
            })
        }
        Client::Codex | Client::OpenCode | Client::Cursor | Client::Acp => None,
    }
}

fn is(text: &str, object: &Object<'_>, name: &str, wanted: bool, key: &str) -> Option<Switch> {
    let property = object.get(name)?;
    let value = property.value.as_boolean_lit()?.value;
    (value == wanted).then(|| Switch { key: key.to_owned(), line: Some(line_of(text, property.range.start)) })
}

fn codex(text: &str) -> Option<Switch> {
    let table: toml::Table = text.parse().ok()?;
    let features = table.get("features")?;
    let names = ["hooks", "codex_hooks"];
    let name =
        names.into_iter().find(|name| features.get(name).and_then(toml::Value::as_bool) == Some(false))?;
    let stands = |line: &str| line.trim_start().trim_start_matches("features.").starts_with(name);
    let line = text.lines().position(stands).map(|at| at + 1);
    Some(Switch { key: format!("features.{name}"), line })
}

/// The key in a settings file of Claude Code under which the person refused vib's MCP server.
pub fn server_refused(text: &str) -> Option<&'static str> {
    let value: serde_json::Value = serde_json::from_str(text).ok()?;
    refused_in(&value)
}

/// The same in Claude Code's own state (`~/.claude.json`), which keeps such answers for each project.
pub fn server_refused_in_state(text: &str, root: &Path) -> Option<&'static str> {
    let value: serde_json::Value = serde_json::from_str(text).ok()?;
    refused_in(value.get("projects")?.get(root.to_str()?)?)
}

fn refused_in(value: &serde_json::Value) -> Option<&'static str> {
    ["disabledMcpjsonServers", "disabledMcpServers"].into_iter().find(|key| {
        value
            .get(*key)
            .and_then(serde_json::Value::as_array)
            .is_some_and(|names| names.iter().any(|name| name.as_str() == Some(NAME)))
    })
}

fn line_of(text: &str, offset: usize) -> usize {
    text[..offset].matches('\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c6_the_switch_of_each_client_is_found_with_its_line() {
        let off = |client, text: &str| {
            hooks_off(client, text, &["vib hook gemini"]).map(|switch| (switch.key, switch.line.unwrap_or(0)))
        };
        let found = |key: &str, line: usize| Some((key.to_owned(), line));
        let claude = "{\n  \"model\": \"x\",\n  \"disableAllHooks\": true\n}";
        assert_eq!(off(Client::ClaudeCode, claude), found("disableAllHooks", 3));
        assert_eq!(off(Client::Copilot, claude), found("disableAllHooks", 3));
        assert_eq!(off(Client::ClaudeCode, "{\"disableAllHooks\": false}"), None);
        assert_eq!(off(Client::ClaudeCode, "{\"env\": {\"disableAllHooks\": true}}"), None);
        let gemini = "{\"hooksConfig\": {\n\"enabled\": false}}";
        assert_eq!(off(Client::Gemini, gemini), found("hooksConfig.enabled", 2));
        assert_eq!(off(Client::ClaudeCode, gemini), None);
        let one = "{\"hooksConfig\": {\"disabled\": [\"vib hook gemini\"]}}";
        assert_eq!(off(Client::Gemini, one), found("hooksConfig.disabled", 1));
        assert_eq!(off(Client::Gemini, &one.replace("vib hook", "other hook")), None);
        let codex = "model = \"x\"\n[features]\nhooks = false\n";
        assert_eq!(off(Client::Codex, codex), found("features.hooks", 3));
        assert_eq!(off(Client::Codex, "features.hooks = false"), found("features.hooks", 1));
        assert_eq!(off(Client::Codex, "[features]\nhooks = true\n"), None);
        for text in ["", "{", "[]", "null"] {
            for client in Client::ALL {
                assert_eq!(off(client, text), None, "{client} {text}");
            }
        }
    }

    #[test]
    fn c6_a_refused_server_is_found_in_both_places() {
        assert_eq!(
            server_refused("{\"disabledMcpjsonServers\": [\"other\", \"vib\"]}"),
            Some("disabledMcpjsonServers")
        );
        assert_eq!(server_refused("{\"enabledMcpjsonServers\": [\"vib\"]}"), None);
        let state = "{\"projects\": {\"/p\": {\"disabledMcpServers\": [\"vib\"]}, \"/q\": {}}}";
        assert_eq!(server_refused_in_state(state, Path::new("/p")), Some("disabledMcpServers"));
        assert_eq!(server_refused_in_state(state, Path::new("/q")), None);
        assert_eq!(server_refused_in_state(state, Path::new("/p/sub")), None);
    }
}
