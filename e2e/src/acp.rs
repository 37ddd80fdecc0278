//! A client over ACP, behind `vib acp` or alone, with an editor that is a test.

use std::process::Command;

use crate::Client;
use crate::install::{self, Installed};
use crate::launch::{self, Place};

/// The adapters that speak ACP for clients that do not: package and version on npm.
pub fn adapter(client: Client) -> Option<(&'static str, &'static str, &'static str)> {
    match client {
        Client::ClaudeCode => Some(("claude-agent-acp", "@agentclientprotocol/claude-agent-acp", "0.99.1")),
        Client::Codex => Some(("codex-acp", "@agentclientprotocol/codex-acp", "2.6.0")),
        Client::Gemini | Client::OpenCode | Client::Copilot => None,
    }
}

/// The command that speaks ACP: `words` come before it.
pub fn command(
    client: Client,
    installed: &Installed,
    place: &Place<'_>,
    words: &[&std::ffi::OsStr],
) -> Command {
    let headless = launch::command(client, installed, place, "", false);
    let program = match adapter(client) {
        Some((name, package, version)) => install::adapter(name, package, version),
        None => installed.program.clone(),
    };
    let more: &[&str] = match client {
        Client::Gemini => &["--model", "gemini-2.5-pro", "--acp"],
        Client::OpenCode => &["acp"],
        Client::Copilot => &["--acp"],
        Client::ClaudeCode | Client::Codex => &[],
    };
    let mut all = words.iter().copied().chain([program.as_os_str()]);
    let mut command = Command::new(all.next().unwrap_or_default());
    command.args(all).args(more).current_dir(place.root).env_clear();
    for (name, value) in headless.get_envs() {
        if let Some(value) = value {
            command.env(name, value);
        }
    }
    if client == Client::ClaudeCode {
        command.env("ANTHROPIC_MODEL", "claude-sonnet-4-5");
    }
    // What a person would be asked is asked.
    command.env_remove("COPILOT_ALLOW_ALL");
    command
}
