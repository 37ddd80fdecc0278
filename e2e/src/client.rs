//! The clients and the versions that the tests are held to.

/// A client that is run for real.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Client {
    /// Anthropic's Claude Code.
    ClaudeCode,
    /// OpenAI's Codex CLI.
    Codex,
    /// Google's Gemini CLI.
    Gemini,
    /// OpenCode.
    OpenCode,
    /// GitHub's Copilot CLI.
    Copilot,
}

impl Client {
    /// The name that vib knows it by.
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::OpenCode => "opencode",
            Self::Copilot => "copilot",
        }
    }

    /// The package and version on npm.
    pub fn package(self) -> (&'static str, &'static str) {
        match self {
            Self::ClaudeCode => ("@anthropic-ai/claude-code", "2.1.325"),
            Self::Codex => ("@openai/codex", "0.166.0"),
            Self::Gemini => ("@google/gemini-cli", "0.61.0"),
            Self::OpenCode => ("opencode-ai", "1.18.33"),
            Self::Copilot => ("@github/copilot", "1.0.102"),
        }
    }

    /// The program in the package.
    pub fn program(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude",
            Self::Codex | Self::Gemini | Self::OpenCode | Self::Copilot => self.name(),
        }
    }
}
