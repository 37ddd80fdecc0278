//! How each client names its tools and their arguments.

use std::borrow::Cow;
use std::path::Path;

use serde_json::{Value, json};

use super::Tool;

/// A client's set of tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    ClaudeCode,
    Codex,
    Gemini,
    OpenCode,
    Copilot,
}

/// A call in a client's words.
#[derive(Debug, PartialEq)]
pub struct Call {
    pub name: Cow<'static, str>,
    pub input: Input,
}

/// What is passed to a tool.
#[derive(Debug, PartialEq)]
pub enum Input {
    Arguments(Value),
    /// Codex takes a patch as it is, not as JSON.
    Text(String),
}

impl Dialect {
    /// The client behind these tools; none if this isn't a request of an agent at work.
    pub fn of(tools: &[&str]) -> Option<Self> {
        let has = |names: &[&str]| names.iter().all(|name| tools.contains(name));
        match () {
            () if has(&["Write", "Edit", "Bash"]) => Some(Self::ClaudeCode),
            () if has(&["apply_patch", "exec_command"]) => Some(Self::Codex),
            () if has(&["write_file", "replace", "run_shell_command"]) => Some(Self::Gemini),
            () if has(&["create", "edit", "bash", "view"]) => Some(Self::Copilot),
            () if has(&["write", "edit", "bash", "read"]) => Some(Self::OpenCode),
            () => None,
        }
    }

    /// The call in this client's words.
    pub fn call(self, tool: &Tool, root: &Path) -> Call {
        let at = |path: &str| root.join(path).display().to_string();
        if let Tool::Mcp { tool, arguments } = tool {
            return self.mcp(tool, arguments);
        }
        if let Tool::Own { tool, arguments } = tool {
            let arguments = serde_json::from_str(arguments).unwrap_or_else(|_| json!({}));
            return Call { name: tool.clone().into(), input: Input::Arguments(arguments) };
        }
        if self == Self::Codex {
            return codex(tool);
        }
        let (name, arguments) = match (self, tool) {
            (Self::ClaudeCode, Tool::Write { path, content }) => {
                ("Write", json!({"file_path": at(path), "content": content}))
            }
            (Self::ClaudeCode, Tool::Edit { path, old, new }) => {
                ("Edit", json!({"file_path": at(path), "old_string": old, "new_string": new}))
            }
            (Self::ClaudeCode, Tool::Read { path }) => ("Read", json!({"file_path": at(path)})),
            (Self::ClaudeCode, Tool::Lines { path, first, last }) => {
                ("Read", json!({"file_path": at(path), "offset": first, "limit": last + 1 - first}))
            }
            (Self::ClaudeCode, Tool::Search { text }) => {
                ("Grep", json!({"pattern": text, "output_mode": "content"}))
            }
            (Self::ClaudeCode, Tool::Find { name }) => ("Glob", json!({"pattern": format!("**/{name}")})),
            (Self::ClaudeCode, Tool::Bash { command }) => ("Bash", shell(command)),
            (Self::Gemini, Tool::Write { path, content }) => {
                ("write_file", json!({"file_path": at(path), "content": content}))
            }
            (Self::Gemini, Tool::Edit { path, old, new }) => (
                "replace",
                json!({"file_path": at(path), "old_string": old, "new_string": new,
                       "instruction": "a scripted edit"}),
            ),
            (Self::Gemini, Tool::Read { path }) => ("read_file", json!({"file_path": at(path)})),
            (Self::Gemini, Tool::Lines { path, first, last }) => {
                ("read_file", json!({"file_path": at(path), "start_line": first, "end_line": last}))
            }
            (Self::Gemini, Tool::Search { text }) => ("grep_search", json!({"pattern": text})),
            (Self::Gemini, Tool::Bash { command }) => ("run_shell_command", shell(command)),
            (Self::OpenCode, Tool::Write { path, content }) => {
                ("write", json!({"filePath": at(path), "content": content}))
            }
            (Self::OpenCode, Tool::Edit { path, old, new }) => {
                ("edit", json!({"filePath": at(path), "oldString": old, "newString": new}))
            }
            (Self::OpenCode, Tool::Read { path }) => ("read", json!({"filePath": at(path)})),
            (Self::OpenCode, Tool::Lines { path, first, last }) => {
                ("read", json!({"filePath": at(path), "offset": first, "limit": last + 1 - first}))
            }
            (Self::OpenCode, Tool::Search { text }) => ("grep", json!({"pattern": text})),
            (Self::Copilot, Tool::Write { path, content }) => {
                ("create", json!({"path": at(path), "file_text": content}))
            }
            (Self::Copilot, Tool::Edit { path, old, new }) => {
                ("edit", json!({"path": at(path), "old_str": old, "new_str": new}))
            }
            (Self::Copilot, Tool::Read { path }) => ("view", json!({"path": at(path)})),
            (Self::Copilot, Tool::Lines { path, first, last }) => {
                ("view", json!({"path": at(path), "view_range": [first, last]}))
            }
            (Self::Copilot, Tool::Search { text }) => {
                ("grep", json!({"pattern": text, "output_mode": "content"}))
            }
            (_, Tool::Find { name }) => ("glob", json!({"pattern": format!("**/{name}")})),
            (_, Tool::Bash { command }) => ("bash", shell(command)),
            (Self::Codex, _) | (_, Tool::Mcp { .. } | Tool::Own { .. }) => {
                unreachable!("have words of their own")
            }
        };
        Call { name: name.into(), input: Input::Arguments(arguments) }
    }

    /// Each client puts the server's name before the tool's in its own way.
    fn mcp(self, tool: &str, arguments: &str) -> Call {
        let name = match self {
            Self::ClaudeCode | Self::Codex => format!("mcp__vib__{tool}"),
            Self::Gemini => format!("mcp_vib_{tool}"),
            Self::OpenCode => format!("vib_{tool}"),
            Self::Copilot => format!("vib-{tool}"),
        };
        let arguments = serde_json::from_str(arguments).unwrap_or_else(|_| json!({}));
        Call { name: name.into(), input: Input::Arguments(arguments) }
    }
}

fn shell(command: &str) -> Value {
    json!({"command": command, "description": "a scripted command"})
}

fn codex(tool: &Tool) -> Call {
    let run = |command: String| Call {
        name: "exec_command".into(),
        input: Input::Arguments(json!({"cmd": command})),
    };
    let patch = |body: String| Call {
        name: "apply_patch".into(),
        input: Input::Text(format!("*** Begin Patch\n{body}*** End Patch")),
    };
    let lines =
        |mark: char, text: &str| text.lines().map(|line| format!("{mark}{line}\n")).collect::<String>();
    match tool {
        Tool::Write { path, content } => patch(format!("*** Add File: {path}\n{}", lines('+', content))),
        Tool::Edit { path, old, new } => {
            patch(format!("*** Update File: {path}\n@@\n{}{}", lines('-', old), lines('+', new)))
        }
        Tool::Bash { command } => run(command.clone()),
        Tool::Read { path } => run(format!("cat '{path}'")),
        // It has no tools to look with: its model uses the shell for that.
        Tool::Lines { path, first, last } => run(format!("sed -n '{first},{last}p' '{path}'")),
        Tool::Search { text } => run(format!("grep -rnF '{text}' . --exclude-dir=.git")),
        Tool::Find { name } => run(format!("find . -name '{name}'")),
        Tool::Mcp { .. } | Tool::Own { .. } => unreachable!("is the same for all"),
    }
}
