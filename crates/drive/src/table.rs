//! One row per client: how it is started, when it asks, where its tokens are right, what is peculiar about it. As measured with the versions in
//! [`ClientRow::seen`]; the stories with the real clients hold each row to it.

use clients::Client;
use serde_json::{Value, json};

/// How one client is driven.
#[derive(Debug)]
pub struct ClientRow {
    /// The client.
    pub client: Client,
    /// The version that the row was measured with.
    pub seen: &'static str,
    /// The program that speaks ACP, and its words.
    pub acp: &'static [&'static str],
    /// The package that brings that program, where it is not the client itself.
    pub adapter: Option<&'static str>,
    /// The client without a screen: program and words before the prompt.
    pub stream: &'static [&'static str],
    /// Whether it asks before it edits and runs, in the mode that a driver chooses.
    pub asks: Asks,
    /// The mode that is chosen after the start, without and with a fence around the whole client.
    pub modes: (Option<&'static str>, Option<&'static str>),
    /// Variables that it is started with.
    pub variables: &'static [(&'static str, &'static str)],
    /// Its own places below the home folder, which stay open for writing behind a fence.
    pub own: &'static [&'static str],
    /// Where its tokens are right.
    pub tokens: TokenSource,
    /// It ends a turn while a command still runs: the last look is taken when all its processes are gone.
    pub ends_early: bool,
}

/// Whether a client asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asks {
    /// Before every edit and command.
    Always,
    /// Never: what it does can be saved and told, not stopped, but by a fence.
    Never,
}

/// Where the tokens of a session are right, sub-agents included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenSource {
    /// In the client's own record of the session.
    Record,
    /// In the answer to the prompt.
    Answer,
}

/// The rows.
pub static ROWS: &[ClientRow] = &[
    ClientRow {
        client: Client::ClaudeCode,
        seen: "claude-agent-acp 0.99.1, claude 2.1.325",
        acp: &["claude-agent-acp"],
        adapter: Some("@agentclientprotocol/claude-agent-acp"),
        stream: &["claude", "--output-format", "stream-json", "--verbose", "-p"],
        asks: Asks::Always,
        modes: (Some("default"), Some("default")),
        variables: &[],
        own: &[
            ".claude",
            ".claude.json",
            ".local/share/claude",
            ".local/state/claude",
            ".cache/claude",
            ".cache/claude-cli-nodejs",
        ],
        tokens: TokenSource::Record,
        ends_early: false,
    },
    ClientRow {
        client: Client::Codex,
        seen: "codex-acp 2.6.0, codex 0.166.0",
        acp: &["codex-acp"],
        adapter: Some("@agentclientprotocol/codex-acp"),
        stream: &["codex", "exec", "--json", "--skip-git-repo-check"],
        asks: Asks::Never,
        // Its own sandbox does not start behind another fence.
        modes: (Some("agent"), Some("agent-full-access")),
        variables: &[],
        own: &[".codex"],
        tokens: TokenSource::Record,
        ends_early: true,
    },
    ClientRow {
        client: Client::Gemini,
        seen: "gemini 0.61.0",
        acp: &["gemini", "--acp"],
        adapter: None,
        stream: &["gemini", "-o", "stream-json", "-p"],
        asks: Asks::Always,
        modes: (Some("default"), Some("default")),
        variables: &[("GEMINI_CLI_NO_RELAUNCH", "true")],
        own: &[".gemini"],
        tokens: TokenSource::Record,
        ends_early: false,
    },
    ClientRow {
        client: Client::OpenCode,
        seen: "opencode 1.18.33",
        acp: &["opencode", "acp"],
        adapter: None,
        stream: &["opencode", "run", "--format", "json"],
        asks: Asks::Always,
        modes: (None, None),
        variables: &[("OPENCODE_CONFIG_CONTENT", r#"{"permission":{"edit":"ask","bash":"ask"}}"#)],
        own: &[".config/opencode", ".local/share/opencode", ".local/state/opencode", ".cache/opencode"],
        tokens: TokenSource::Record,
        ends_early: false,
    },
    ClientRow {
        client: Client::Copilot,
        seen: "copilot 1.0.102",
        acp: &["copilot", "--acp"],
        adapter: None,
        stream: &["copilot", "--output-format", "json", "-p"],
        asks: Asks::Always,
        modes: (None, None),
        variables: &[],
        own: &[".copilot", ".config/.copilot", ".local/state/.copilot", ".cache/copilot", ".cache/.copilot"],
        tokens: TokenSource::Answer,
        ends_early: false,
    },
];

/// The row of a client; none: it was never driven.
pub fn row(client: Client) -> Option<&'static ClientRow> {
    ROWS.iter().find(|row| row.client == client)
}

/// What a driver says it can do. Files are left to the agent: an error for a missing file breaks Gemini's `write_file`.
pub fn capabilities() -> Value {
    json!({"fs": {"readTextFile": false, "writeTextFile": false}, "terminal": false})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_client_that_can_be_driven_has_one_row() {
        for client in Client::ALL {
            let rows = ROWS.iter().filter(|row| row.client == client).count();
            assert_eq!(rows, usize::from(client != Client::Cursor), "{client}");
        }
        for row in ROWS {
            assert!(!row.acp.is_empty() && !row.stream.is_empty() && !row.seen.is_empty());
            for (name, value) in row.variables {
                assert!(!name.is_empty());
                if value.starts_with('{') {
                    assert!(serde_json::from_str::<Value>(value).is_ok(), "{value}");
                }
            }
        }
    }
}
