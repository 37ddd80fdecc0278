//! How each client's shell can be asked to begin behind vib's fence, and where that has a hole. Measured with the versions of the table.

use crate::Client;

/// What a client bears.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bears {
    /// Vib does it by itself, so it is on unless the person says otherwise.
    pub by_itself: bool,
    /// What the person has to set up, in words; `{file}` is the file that the shell reads first.
    pub how: Option<&'static str>,
    /// Where it does not hold.
    pub hole: Option<&'static str>,
}

/// What this client bears; none: its commands cannot be fenced.
pub fn bears(client: Client) -> Option<Bears> {
    let bears = match client {
        // Its SessionStart hook may leave a line that runs before every command.
        Client::ClaudeCode => Bears {
            by_itself: true,
            how: None,
            hole: Some(
                "with its own sandbox switched on, that one decides, and a session that began before vib was there is not fenced",
            ),
        },
        // Its plugin gives single calls their environment.
        Client::OpenCode => {
            Bears { by_itself: true, how: None, hole: Some("only where its shell is bash or zsh") }
        }
        Client::Codex => Bears {
            by_itself: false,
            how: Some(
                "in `~/.codex/config.toml`: `[shell_environment_policy]`, `set = { BASH_ENV = \"{file}\" }`",
            ),
            hole: Some("only in full-access mode; in its other modes its own sandbox stands alone"),
        },
        Client::Gemini => Bears {
            by_itself: false,
            how: Some("in `~/.gemini/.env`: `BASH_ENV={file}`"),
            hole: Some("a project with an `.env` of its own switches it off without a word"),
        },
        Client::Copilot => Bears {
            by_itself: false,
            how: Some("start it as `BASH_ENV={file} copilot`, with `\"bashEnv\": true` in its settings"),
            hole: Some("started in any other way, nothing is fenced"),
        },
        Client::Cursor | Client::Acp => return None,
    };
    Some(bears)
}
